// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/serverpoll.h"
#include "tests/server/askedlink.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

} // namespace

/// The facts that a server reports about itself, and how often they are read.
class TestServerPoll : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void settingsAreAskedForOnceAMinute();
    void whoMayNotUseConfigIsToldTheRest();

private:
    struct Polled
    {
        Polled(const ServerUrl& url)
            : router(url, Connection::Options(), nullptr)
            , poll(router, clock, nullptr)
        {
            QObject::connect(&poll, &ServerPoll::answered, &poll,
                             [this](const ServerInfo& told, const Reply&, qint64) {
                                 info = told;
                                 ++answers;
                             });
        }
        bool ask()
        {
            const int before = answers;
            poll.ask();
            return waitUntil([&] { return answers > before; }, linkPatienceMs);
        }
        ManualClock clock{t0};
        Router router;
        ServerPoll poll;
        ServerInfo info;
        int answers = 0;
    };
    qint64 configCalls()
    {
        const Reply stats = m_server.line("INFO commandstats");
        const qsizetype at = stats.text.indexOf("cmdstat_config|get:calls=");
        return at < 0 ? 0 : stats.text.mid(at + 25).split(',').front().toLongLong();
    }

    RedisServer m_server;
};

void TestServerPoll::settingsAreAskedForOnceAMinute()
{
    m_server.line("CONFIG SET notify-keyspace-events \"\"");
    m_server.line("CONFIG RESETSTAT");
    Polled polled(m_server.url());
    QVERIFY(opened(polled.router));
    QVERIFY(polled.ask());
    QCOMPARE(polled.info.text("notify-keyspace-events_known"), QStringLiteral("yes"));
    QVERIFY(polled.info.text("notify-keyspace-events").isEmpty());
    QVERIFY(polled.info.text("client-output-buffer-limit").contains(QStringLiteral("pubsub")));
    QCOMPARE(polled.info.text("appendfsync"), QStringLiteral("everysec"));
    const qint64 all = configCalls();
    m_server.line("CONFIG SET notify-keyspace-events KEA");
    m_server.line("CONFIG SET appendfsync no");
    polled.clock.advance(5000);
    QVERIFY(polled.ask());
    QCOMPARE(polled.info.text("appendfsync"), QStringLiteral("no")); // it is asked each time
    QVERIFY(polled.info.text("notify-keyspace-events").isEmpty());   // as it was told last
    QCOMPARE(polled.info.text("notify-keyspace-events_known"), QStringLiteral("yes"));
    QCOMPARE(configCalls() - all, 2);
    polled.clock.advance(60'000);
    QVERIFY(polled.ask());
    QCOMPARE(polled.info.text("notify-keyspace-events").size(), 3); // in the server's own order
    QCOMPARE(configCalls() - all, 2 + all);
    m_server.line("CONFIG SET appendfsync everysec");
}

void TestServerPoll::whoMayNotUseConfigIsToldTheRest()
{
    m_server.run({"ACL", "SETUSER", "reader", "on", "nopass", "~*", "+@all", "-config"});
    ServerUrl url = m_server.url();
    url.user = QStringLiteral("reader");
    url.password = QStringLiteral("any");
    m_server.line("CONFIG RESETSTAT");
    Polled polled(url);
    QVERIFY(opened(polled.router));
    const auto denied = [this] { // so many times, as the server has it
        const Reply log = m_server.line("ACL LOG");
        qint64 times = 0;
        for (const Reply& entry : log.items)
            times += entry.items.size() > 1 ? entry.items[1].integer : 0;
        return times;
    };
    qint64 once = 0;
    for (int i = 0; i < 3; ++i) {
        QVERIFY(polled.ask());
        QVERIFY(!polled.info.text("redis_version").isEmpty());
        QVERIFY(polled.info.text("notify-keyspace-events_known").isEmpty());
        QVERIFY(polled.info.text("appendfsync").isEmpty());
        polled.clock.advance(60'000);
        if (i == 0)
            once = denied();
    }
    QVERIFY(once > 0);
    QCOMPARE(denied(), once); // it is not asked again for what is denied
    m_server.line("ACL DELUSER reader");
}

LK_TEST(TestServerPoll);
#include "tst_serverpoll.moc"
