// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a board of queues on a server on which nothing changes: bytes per polling interval,
// counted by the server. Time stands still except for the intervals that are counted.
#include "backend/session/monitor/monitor.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr int queues = 30;
constexpr qint64 tickMs = 250;

MonitorLimits limits()
{
    MonitorLimits l;
    l.pollingIntervalMs = 5; // as fast as the clock of the test is moved on
    return l;
}

// The server's own clock does not stand still: nothing is to get stuck by it.
Config patientConfig()
{
    Config config;
    config.check.thresholds.stuckAfterMs = 1'000'000'000;
    return config;
}

} // namespace

class TestPayloadBytes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        // A user whom the server does not notify of changes.
        m_server.line("ACL SETUSER blind on nopass ~* &* +@all -client|tracking");
    }
    void init() { m_server.flush(); }
    void anUnchangedBoardIsNotReadAgain_data();
    void anUnchangedBoardIsNotReadAgain();
    void aChangeIsReadAtOnce_data();
    void aChangeIsReadAtOnce();

private:
    // A monitor in this thread, whose clock goes on by a quarter of a second with every delta.
    struct RunningMonitor
    {
        RunningMonitor(const ServerUrl& url, Handle selected)
            : monitor(url, patientConfig(), clock, limits())
        {
            QObject::connect(
                &monitor, &Monitor::deltaReady, &monitor, [this](const DeltaPtr& delta) {
                    for (const StateChange& change : delta->changes)
                        states[change.handle] = change.state;
                    ++deltas;
                    clock.advance(tickMs);
                    QMetaObject::invokeMethod(&monitor, &Monitor::consumed, Qt::QueuedConnection);
                });
            QObject::connect(&monitor, &Monitor::reported, &monitor,
                             [this](const MonitorReport& r) { report = r; });
            std::vector<Handle> all;
            for (quint32 index = 0; index < queues; ++index)
                all.emplace_back(index);
            monitor.setAttention(all, selected);
            monitor.start();
        }
        ~RunningMonitor() { monitor.stop(); }

        bool ticks(int more)
        {
            const int until = deltas + more;
            return waitUntil([&] { return deltas >= until; }, 60'000);
        }
        const QueueState* queue(const QByteArray& name) const
        {
            for (const auto& [handle, state] : states) {
                if (state && state->primitive->id.name == name)
                    return state->as<QueueState>();
            }
            return nullptr;
        }
        int known() const
        {
            int n = 0;
            for (const auto& [handle, state] : states)
                n += state && state->payloads->asOfMs && !state->payloads->changed ? 1 : 0;
            return n;
        }

        ManualClock clock{QDateTime::currentMSecsSinceEpoch()};
        Monitor monitor;
        MonitorReport report;
        std::map<Handle, StatePtr> states;
        int deltas = 0;
    };

    ServerUrl urlFor(bool fed) const
    {
        ServerUrl url = m_server.url();
        if (!fed) {
            url.user = QStringLiteral("blind");
            url.password = QStringLiteral("any");
        }
        return url;
    }
    qint64 sent()
    {
        for (const QByteArray& line : m_server.line("INFO stats").text.split('\n')) {
            if (line.startsWith("total_net_output_bytes:"))
                return line.mid(23).trimmed().toLongLong();
        }
        return -1;
    }
    void fill(int size)
    {
        for (int q = 0; q < queues; ++q) {
            const QByteArray name = "mail" + QByteArray::number(q);
            for (int i = 0; i < 40; ++i) {
                const QByteArray job = name + '-' + QByteArray::number(i) + QByteArray(size, 'x');
                m_server.run({"LPUSH", name + ":processing", job});
                m_server.run({"LPUSH", name, "w-" + job});
            }
        }
    }

    RedisServer m_server;
};

void TestPayloadBytes::anUnchangedBoardIsNotReadAgain_data()
{
    QTest::addColumn<bool>("fed");
    QTest::addColumn<int>("size");
    QTest::newRow("feed, ordinary jobs") << true << 400;
    QTest::newRow("feed, jobs of 100 KB") << true << 100'000;
    QTest::newRow("no feed, ordinary jobs") << false << 400;
    QTest::newRow("no feed, jobs of 100 KB") << false << 100'000;
}

void TestPayloadBytes::anUnchangedBoardIsNotReadAgain()
{
    QFETCH(bool, fed);
    QFETCH(int, size);
    fill(size);
    RunningMonitor running(urlFor(fed), Handle(0));
    QTRY_COMPARE_WITH_TIMEOUT(running.known(), queues, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(running.report.feed.mode == FeedStatus::Mode::Tracking, fed, 20'000);
    QVERIFY(running.ticks(200)); // the feed has its prefixes, and all was read under it
    const qint64 before = sent();
    const int ticks = 240;
    QVERIFY(running.ticks(ticks));
    const double perTick = double(sent() - before) / ticks;
    // A full read: of each queue 256 KB at most of what is worked on, and as much of what waits.
    const double whole = queues * 2.0 * std::min(40 * size, 256 * 1024);
    QVERIFY2(perTick < whole * 0.02,
             qPrintable(QStringLiteral("%1 bytes a tick of %2").arg(perTick).arg(whole)));
    QCOMPARE(running.queue("mail3")->items.empty(), false);
    QCOMPARE(running.report.payloadsWaiting, 0);
}

void TestPayloadBytes::aChangeIsReadAtOnce_data()
{
    QTest::addColumn<bool>("fed");
    QTest::newRow("feed") << true;
    QTest::newRow("no feed") << false;
}

// Same length, same weight, another job: seen by the feed, or by the ends.
void TestPayloadBytes::aChangeIsReadAtOnce()
{
    QFETCH(bool, fed);
    fill(50);
    RunningMonitor running(urlFor(fed), Handle(0));
    QTRY_COMPARE_WITH_TIMEOUT(running.known(), queues, 60'000);
    QTRY_COMPARE_WITH_TIMEOUT(running.report.feed.mode == FeedStatus::Mode::Tracking, fed, 20'000);
    QVERIFY(running.ticks(20));
    QTRY_VERIFY_WITH_TIMEOUT(!running.queue("mail7")->items.empty(), 20'000);
    const QByteArray oldest = running.queue("mail7")->items.front().preview;
    m_server.lines({"MULTI", "LREM mail7:processing -1 " + oldest,
                    "LPUSH mail7:processing " + QByteArray(oldest.size(), 'n'), "EXEC"});
    const QByteArray newest(oldest.size(), 'n');
    QTRY_VERIFY_WITH_TIMEOUT(!running.queue("mail7")->items.empty() &&
                                 running.queue("mail7")->items.back().preview == newest,
                             20'000);
    QVERIFY(running.queue("mail7")->items.front().preview != oldest);
    QCOMPARE(running.queue("mail7")->processing, std::optional<qint64>(40));
}

LK_TEST(TestPayloadBytes);
#include "tst_payloadbytes.moc"
