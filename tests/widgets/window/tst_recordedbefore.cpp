// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/deploymentkey.h"
#include "backend/session/recording/recordednumbers.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/unit/madestates.h"
#include "tests/widgets/drawing.h"
#include "tests/widgets/recordedconsole.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/detail/seriesfeed.h"

#include <cmath>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 day = 24 * 60 * minute;

constexpr auto config = R"(
[[lock]]
key = "lock:*"
layout = "set-nx-px"
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
[[token]]
key = "code:*"
layout = "string-token"
)";

} // namespace

/// A recording made before this window was opened: its numbers beside those of now, and of the same
/// hour a day and a week before, and primitives that no longer exist.
class TestRecordedBefore : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanupTestCase() { m_recorded.reset(); }

    void whatWasRecordedToday();
    void theSameHourOfADayAndAWeekBefore();
    void itGoesOnWithThePresent();
    void nothingToMeasureIsNoMissingData();
    void inThePastToo();
    void totalsReachBackToo();
    void whatIsGoneIsSelectedWhereItWas();
    void whatAnotherProgramRecordsIsShown();
    void whatIsNotThereIsNotAskedForAgain();
    void pictures_data();
    void pictures();

private:
    void record(const QString& path, qint64 fromMs, qint64 toMs, int (*waiting)(qint64 minutes));
    ConsoleWindow& console() { return *m_recorded->console; }
    TimeChart* chart(int board, const QString& row, const QString& title);
    bool says(const TimeChart* chart, qint64 tMs, const QString& text);

    RedisServer m_server;
    qint64 m_startMs = 0;
    std::unique_ptr<RecordedConsole> m_recorded;
};

// Records the number of waiting jobs, minute by minute; the lock is free.
void TestRecordedBefore::record(const QString& path, qint64 fromMs, qint64 toMs,
                                int (*waiting)(qint64 minutes))
{
    ManualClock clock(fromMs);
    RecordWriter writer({path, {}, &clock});
    const RecordedDeployment deployment = recordedDeployment(m_server.url(), nullptr);
    writer.begin(deployment, fromMs);
    const PrimitivePtr lock = madePrimitive(Kind::Lock, "set-nx-px", "lock:report");
    const PrimitivePtr gone = madePrimitive(Kind::Lock, "set-nx-px", "lock:gone");
    const double absent = std::copysign(std::nan(""), -1.0);
    for (; clock.nowMs() < toMs; clock.advance(10 * second)) {
        const qint64 nowMs = clock.nowMs();
        RecordBatch batch;
        batch.deployment = deployment.key;
        batch.atMs = nowMs;
        const int count = waiting((nowMs - fromMs) / minute);
        const auto queue = std::make_shared<State>(queueState({}, nowMs, count));
        batch.states.push_back({queue->primitive, nowMs, queue});
        batch.samples.push_back({queue->primitive->id, "ready", nowMs, double(count)});
        batch.samples.push_back({queue->primitive->id, "processing", nowMs, 0});
        State free = freeLock(nowMs);
        free.primitive = lock;
        batch.states.push_back({lock, nowMs, std::make_shared<State>(free)});
        batch.samples.push_back({lock->id, "lease", nowMs, absent});
        const auto held = std::make_shared<State>(lockState("zoe", 600'000, nowMs, gone));
        batch.states.push_back({gone, nowMs, held});
        batch.states.push_back({deploymentTotals(), nowMs, nullptr});
        const PrimitiveId totals = deploymentTotals()->id;
        batch.samples.push_back({totals, "tokens.live", nowMs, double(count + 100)});
        batch.samples.push_back({totals, "server.instantaneous_ops_per_sec", nowMs, 77});
        batch.samples.push_back({totals, "server.used_memory", nowMs, 42e6});
        writer.add(std::make_shared<RecordBatch>(std::move(batch)));
        writer.flush();
    }
    writer.stop();
}

void TestRecordedBefore::initTestCase()
{
    theme().choose(ThemeChoice::Light);
    QVERIFY2(m_server.start(), m_server.output());
    m_server.lines({"SET lock:report ann PX 3600000", "RPUSH jobs j1 j2",
                    "SET code:a1fa5c hidden PX 3600000"});
    m_startMs = QDateTime::currentMSecsSinceEpoch();
    m_recorded = std::make_unique<RecordedConsole>(
        setupFor(m_server.url(), config), QSize(1280, 800), [this](const QString& path) {
            record(path, m_startMs - 7 * day - 20 * minute, m_startMs - 7 * day + 40 * minute,
                   [](qint64) { return 12; });
            record(path, m_startMs - day - 20 * minute, m_startMs - day + 40 * minute,
                   [](qint64 minutes) { return minutes < 30 ? 9 : 30; });
            record(path, m_startMs - 10 * minute, m_startMs - second, [](qint64) { return 3; });
        });
    QVERIFY(console().waitForScan(1));
    QVERIFY(
        waitUntil([&] { return m_recorded->history() && m_recorded->history()->firstMs() > 0; }));
    QVERIFY(m_recorded->recordedUntil(m_startMs));
}

void TestRecordedBefore::init()
{
    m_recorded->travel().goLive();
    for (auto* feed : console().window.findChildren<SeriesFeed*>())
        feed->axis()->setCompare(0);
}

TimeChart* TestRecordedBefore::chart(int board, const QString& row, const QString& title)
{
    console().window.showBoard(board);
    if (!waitUntil([&] { return console().rowOf(board, row) >= 0; }))
        return nullptr;
    console().clickRow(board, row);
    TimeChart* found = nullptr;
    waitUntil([&] {
        for (auto* chart : console().page(board).findChildren<TimeChart*>()) {
            if (chart->isVisible() && chart->accessibleName() == title && chart->fromMs() > 0)
                found = chart;
        }
        return found != nullptr;
    });
    if (found)
        console().window.boards()[size_t(board)]->findChild<SeriesFeed*>()->axis()->setSpan(10 *
                                                                                            minute);
    return found;
}

bool TestRecordedBefore::says(const TimeChart* chart, qint64 tMs, const QString& text)
{
    const bool said = waitUntil([&] { return chart->valuesAt(tMs).contains(text); });
    if (!said)
        qWarning().noquote() << "not" << text << "but" << chart->valuesAt(tMs);
    return said;
}

// Before this window was opened.
void TestRecordedBefore::whatWasRecordedToday()
{
    TimeChart* depth = chart(Queues, QStringLiteral("jobs"), QStringLiteral("Depth"));
    QVERIFY(depth);
    QVERIFY(says(depth, m_startMs - 4 * minute, QStringLiteral("waiting 3")));
    QVERIFY(says(depth, m_recorded->nowMs(), QStringLiteral("waiting 2")));
}

void TestRecordedBefore::theSameHourOfADayAndAWeekBefore()
{
    TimeChart* depth = chart(Queues, QStringLiteral("jobs"), QStringLiteral("Depth"));
    QVERIFY(depth);
    const qint64 then = m_startMs - 4 * minute;
    QVERIFY(says(depth, then, QStringLiteral("waiting 3")));
    depth->setFocus();
    console().press(Qt::Key_C);
    QVERIFY(says(depth, then, QStringLiteral("waiting 3 (one day earlier: 9)")));
    QVERIFY(says(depth, then, QStringLiteral("in progress 0 (one day earlier: 0)")));
    console().press(Qt::Key_C);
    QVERIFY(says(depth, then, QStringLiteral("waiting 3 (one week earlier: 12)")));
    console().press(Qt::Key_C);
    QVERIFY(!depth->valuesAt(then).contains(QStringLiteral("before")));
    QVERIFY(says(depth, then, QStringLiteral("waiting 3")));
}

void TestRecordedBefore::itGoesOnWithThePresent()
{
    TimeChart* depth = chart(Queues, QStringLiteral("jobs"), QStringLiteral("Depth"));
    QVERIFY(depth);
    depth->setFocus();
    console().press(Qt::Key_C);
    QVERIFY(says(depth, m_startMs - minute, QStringLiteral("(one day earlier: 9)")));
    auto* feed = console().page(Queues).findChild<SeriesFeed*>();
    const qint64 later = m_startMs + 20 * minute;
    const auto isThere = [&] {
        feed->refresh(later);
        return depth->valuesAt(later - minute).contains(QStringLiteral("(one day earlier: 30)"));
    };
    QVERIFY2(waitUntil(isThere), qPrintable(depth->valuesAt(later - minute)));
    feed->refresh(m_recorded->nowMs());
    QVERIFY(says(depth, m_startMs - minute, QStringLiteral("(one day earlier: 9)")));
    feed->axis()->setCompare(0);
}

void TestRecordedBefore::nothingToMeasureIsNoMissingData()
{
    TimeChart* ttl = chart(Locks, QStringLiteral("lock:report"), QStringLiteral("TTL"));
    QVERIFY(ttl);
    const qint64 then = m_startMs - 4 * minute;
    QVERIFY(says(ttl, then, QStringLiteral("TTL no TTL")));
    ttl->setFocus();
    console().press(Qt::Key_C);
    QVERIFY(says(ttl, then, QStringLiteral("TTL no TTL (one day earlier: no TTL)")));
}

void TestRecordedBefore::inThePastToo()
{
    const qint64 then = m_startMs - 4 * minute;
    console().window.showBoard(Queues);
    m_recorded->typeTime(RecordedConsole::iso(then));
    QVERIFY(m_recorded->shows(then));
    TimeChart* depth = chart(Queues, QStringLiteral("jobs"), QStringLiteral("Depth"));
    QVERIFY(depth);
    depth->setFocus();
    console().press(Qt::Key_C);
    QVERIFY(says(depth, then - minute, QStringLiteral("waiting 3 (one day earlier: 9)")));
}

// The totals of all tokens, and of the server.
void TestRecordedBefore::totalsReachBackToo()
{
    const qint64 then = m_startMs - 4 * minute;
    TimeChart* tokens = chart(Tokens, tokenRow("code:a1fa5c"), QStringLiteral("All tokens"));
    QVERIFY(tokens);
    QVERIFY(says(tokens, then, QStringLiteral("live 103")));
    tokens->setFocus();
    console().press(Qt::Key_C);
    QVERIFY(says(tokens, then, QStringLiteral("live 103 (one day earlier: 109)")));
    console().window.showBoard(ServerBoard);
    const auto ofServer = [&](const QString& title) -> TimeChart* {
        for (auto* chart : console().window.boards()[ServerBoard]->findChildren<TimeChart*>()) {
            if (chart->accessibleName() == title)
                return chart;
        }
        return nullptr;
    };
    console().window.boards()[ServerBoard]->findChild<SeriesFeed*>()->axis()->setSpan(10 * minute);
    QVERIFY(says(ofServer(QStringLiteral("Server load")), then, QStringLiteral("commands 77")));
    m_recorded->typeTime(RecordedConsole::iso(then));
    QVERIFY(m_recorded->shows(then));
    QVERIFY(says(ofServer(QStringLiteral("Server load")), then, QStringLiteral("commands 77")));
    QVERIFY(says(ofServer(QStringLiteral("Memory")), then, QStringLiteral("memory 42")));
    QVERIFY(ofServer(QStringLiteral("Memory"))
                ->accessibleDescription()
                .contains(QStringLiteral("Past: ")));
    QVERIFY(!ofServer(QStringLiteral("This console's load"))
                 ->accessibleDescription()
                 .contains(QStringLiteral("Past: ")));
    shoot(console().window, QStringLiteral("past-server"));
}

// As an alert on it is, that was resolved long ago.
void TestRecordedBefore::whatIsGoneIsSelectedWhereItWas()
{
    const qint64 then = m_startMs - 4 * minute;
    console().window.showBoard(AlertsBoard);
    QCOMPARE(console().rowOf(Locks, QStringLiteral("lock:gone")), -1);
    for (const PrimitiveId& id :
         {PrimitiveId{"set-nx-px", "lock:gone"}, PrimitiveId{{}, "lock:gone"}}) {
        console().window.open(MomentTarget{then, Kind::Lock, id});
        QVERIFY(waitUntil([&] { return console().window.currentBoard() == Locks; }));
        QVERIFY(m_recorded->shows(then));
        QVERIFY(waitUntil([&] { return console().detail(Locks).contains(QStringLiteral("zoe")); }));
        QVERIFY(console().detail(Locks).contains(QStringLiteral("lock:gone")));
        m_recorded->travel().goLive();
        console().window.showBoard(AlertsBoard);
    }
    // Another moment, by other means, selects nothing.
    m_recorded->typeTime(RecordedConsole::iso(then));
    QVERIFY(m_recorded->shows(then));
    QCOMPARE(console().window.currentBoard(), int(AlertsBoard));
}

// As `lockkeeper record` does, in the same file.
void TestRecordedBefore::whatAnotherProgramRecordsIsShown()
{
    RecordedConsole other(setupFor(m_server.url(), config), {1280, 800}, {}, m_recorded->path());
    QVERIFY(other.console->waitForScan(1));
    QVERIFY(waitUntil([&] { return other.recorder().status().elsewhere; }));
    QVERIFY(waitUntil([&] { return other.bar().isVisible(); }));
    // Both have read what is there now: so it is recorded, by the first.
    const auto waiting = [](ConsoleWindow& of, const QString& count) {
        of.window.showBoard(Queues);
        if (!waitUntil([&] { return of.rowOf(Queues, QStringLiteral("jobs")) >= 0; }))
            return false;
        of.clickRow(Queues, QStringLiteral("jobs"));
        return waitUntil([&] { return of.figure(Queues, 0) == count; });
    };
    QVERIFY(waiting(console(), QStringLiteral("2")));
    QVERIFY(waiting(*other.console, QStringLiteral("2")));
    const qint64 then = other.nowMs();
    // The next second's: a read of before may come to the file with the one after it.
    QVERIFY(other.recordedUntil(then + 1000));
    m_server.line("RPUSH jobs j3");
    QVERIFY(waiting(console(), QStringLiteral("3")));
    QVERIFY(waiting(*other.console, QStringLiteral("3")));
    other.typeTime(RecordedConsole::iso(then));
    QVERIFY(other.shows(then));
    QVERIFY(waitUntil([&] { return other.console->figure(Queues, 0) == QStringLiteral("2"); }));
    m_server.line("RPOP jobs");
}

// Another program has begun to record and gets no further, as with a disk that is full.
void TestRecordedBefore::whatIsNotThereIsNotAskedForAgain()
{
    SystemClock clock;
    std::unique_ptr<RecordWriter> stuck;
    RecordedConsole other(setupFor(m_server.url(), config), {1280, 800}, [&](const QString& path) {
        record(path, m_startMs - 10 * minute, m_startMs - second, [](qint64) { return 3; });
        stuck = std::make_unique<RecordWriter>(RecordWriter::Setup{path, {}, &clock});
        stuck->begin(recordedDeployment(m_server.url(), nullptr), m_startMs);
    });
    QVERIFY(other.console->waitForScan(1));
    QVERIFY(waitUntil([&] { return other.bar().isVisible(); }));
    other.console->window.showBoard(Queues);
    QVERIFY(waitUntil([&] { return other.console->rowOf(Queues, QStringLiteral("jobs")) >= 0; }));
    other.console->clickRow(Queues, QStringLiteral("jobs"));
    QVERIFY(waitUntil([&] { return other.console->figure(Queues, 0) == QStringLiteral("2"); }));
    const quint64 before = other.history()->askNeighbour(0, true);
    // It is asked within milliseconds, if it is; the session reports once a second.
    QSignalSpy reports(&other.console->session(), &Session::reported);
    QVERIFY(waitUntil([&] { return reports.size() >= 2; }));
    const quint64 asked = other.history()->askNeighbour(0, true) - before;
    QVERIFY2(asked < 50, QByteArray::number(asked).constData());
}

void TestRecordedBefore::pictures_data()
{
    QTest::addColumn<ThemeChoice>("choice");
    QTest::newRow("light") << ThemeChoice::Light;
    QTest::newRow("dark") << ThemeChoice::Dark;
}

void TestRecordedBefore::pictures()
{
    QFETCH(ThemeChoice, choice);
    theme().choose(choice);
    TimeChart* depth = chart(Queues, QStringLiteral("jobs"), QStringLiteral("Depth"));
    QVERIFY(depth);
    TimeAxis* axis = console().page(Queues).findChild<SeriesFeed*>()->axis();
    axis->setCompare(compareSpans[0]);
    axis->setSpan(20 * minute);
    QVERIFY(says(depth, m_startMs - 4 * minute, QStringLiteral("(one day earlier: 9)")));
    QVERIFY(waitForDrawing(console().window));
    shoot(console().window,
          QStringLiteral("compare-%1").arg(QLatin1String(QTest::currentDataTag())));
    axis->setCompare(0);
    theme().choose(ThemeChoice::Light);
}

LK_WIDGET_TEST(TestRecordedBefore);
#include "tst_recordedbefore.moc"
