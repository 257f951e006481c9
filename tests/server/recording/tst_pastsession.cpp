// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/recordreader.h"
#include "backend/history/recordwriter.h"
#include "backend/session/deploymentkey.h"
#include "backend/session/playback/playback.h"
#include "backend/session/playback/recordedhistory.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>

using namespace lk;
using namespace lk::test;

namespace {

constexpr int patienceMs = 60'000; // of a machine that is busy with other work

constexpr auto config = R"(
[[lock]]
key = "lock:*"
layout = "set-nx-px"
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
[[limiter]]
key = "api:*"
layout = "rolling-window"
limit = 5
window = "1h"
)";

} // namespace

/// A session whose states come from a recording: those of a moment, of the next, and as it plays.
class TestPastSession : public QObject
{
    Q_OBJECT

private:
    SystemClock m_clock;
    RedisServer m_server;
    QTemporaryDir m_folder;
    QThread m_writing;
    QThread m_reading;
    RecordWriter* m_writer = nullptr;
    RecordReader* m_reader = nullptr;
    std::unique_ptr<LiveSession> m_live;
    std::unique_ptr<SessionRecorder> m_recorder;
    qint64 m_firstMs = 0; ///< worker-a has the lock, two jobs wait, the passing lock is there
    qint64 m_laterMs = 0; ///< worker-b has it, five jobs wait, the passing lock is gone

    SessionHistory& history() { return *(*m_live)->history(); }
    bool recordedUntil(qint64 tMs)
    {
        return QTest::qWaitFor([&] { return history().lastMs() >= tMs; }, patienceMs);
    }
    struct Past
    {
        Past(TestPastSession& test, qint64 tMs, const CheckSettings& check = {})
        {
            Session& live = **test.m_live;
            Session::Setup setup = live.setup();
            setup.config.check = check;
            setup.ioThread = test.history().thread();
            playback = test.history().makePlayback(tMs, live.states().all());
            // Told in its own thread, taken in this one.
            QObject::connect(playback, &Playback::shown, &context,
                             [this](qint64 shownMs, qint64 blindMs) {
                                 shown.push_back({shownMs, blindMs});
                             });
            QObject::connect(playback, &Playback::ended, &context, [this] { ++ended; });
            session = std::make_unique<Session>(std::move(setup), playback, live);
            session->start();
        }
        bool isAt(qint64 tMs)
        {
            return QTest::qWaitFor([&] { return !shown.empty() && session->serverNowMs() == tMs; },
                                   patienceMs);
        }
        void seek(qint64 tMs)
        {
            QMetaObject::invokeMethod(playback, [p = playback, tMs] { p->seek(tMs); });
        }
        StatePtr state(const QByteArray& name) const
        {
            for (const auto& [handle, kept] : session->states().all()) {
                const StatePtr state = kept.state();
                if (state->primitive->id.name == name)
                    return state;
            }
            return nullptr;
        }
        QByteArray owner() const
        {
            const StatePtr lock = state("lock:report");
            return lock ? lock->as<LockState>()->owner : QByteArray();
        }
        std::optional<qint64> ready() const
        {
            const StatePtr queue = state("jobs");
            return queue ? queue->as<QueueState>()->ready : std::nullopt;
        }
        Playback* playback;
        QObject context;
        std::vector<std::pair<qint64, qint64>> shown; ///< the moment, and since when it is blind
        int ended = 0;
        std::unique_ptr<Session> session;
    };

    /// Since when the lock without a TTL is one; 0: it is not found.
    static qint64 findingSince(const Session& session)
    {
        if (session.findings().latest()) {
            for (const LiveFindingPtr& live : session.findings().latest()->rows) {
                if (live->finding.code == "lock-without-ttl")
                    return live->sinceMs;
            }
        }
        return 0;
    }
    // A primitive that is gone is still shown for a while, as gone.
    static bool isThere(const StatePtr& state) { return state && state->present; }

private slots:
    void initTestCase();
    void cleanupTestCase();
    void statesAreAsOfThen();
    void theSamePrimitivesHaveTheSameHandles();
    void anotherMomentIsTheDifference();
    void theLiveOneGoesOn();
    void nothingCanBeDone();
    void boardsAndFindingsAreOfThen();
    void findingsAreThoseThatWereRecorded();
    void itPlaysUntilThePresent();
    void numbersReachBack();
    void holdsAndLifeAreTold();
    void eventsHaveNeighbours();
    void whereNobodyRecordedItSaysSo();
};

void TestPastSession::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
    m_server.lines({"SET lock:report worker-a PX 600000", "SET lock:passing p PX 600000",
                    "RPUSH jobs j1 j2", "SET lock:orphan nobody"});
    // A member that is its time and nothing else: of that only the finding is recorded as such.
    for (const qint64 ago : {1000, 2000}) {
        const QByteArray mark = QByteArray::number(m_clock.nowMs() - ago);
        m_server.run({"ZADD", "api:rate", mark, mark});
    }
    const QString path = m_folder.filePath(QStringLiteral("history.db"));
    m_writer = new RecordWriter({path, {}, &m_clock});
    m_reader = new RecordReader(path);
    m_writing.start();
    m_reading.start();
    m_writer->moveToThread(&m_writing);
    m_reader->moveToThread(&m_reading);
    QMetaObject::invokeMethod(m_writer, &RecordWriter::start);
    m_live = std::make_unique<LiveSession>(
        m_server.url(), parseConfig(config, QStringLiteral("test.toml")).value());
    m_recorder = std::make_unique<SessionRecorder>(**m_live, *m_writer, QString());
    keepHistory(**m_live, *m_recorder, *m_reader, path);
    QTRY_VERIFY_WITH_TIMEOUT((*m_live)->history(), patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_live->owner("lock:report"), QByteArray("worker-a"), patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_live->ready("jobs"), std::optional<qint64>(2), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(findingSince(**m_live) > 0, patienceMs);
    const auto isFound = [this](const char* code) {
        return (*m_live)->findings().latest()->byCode.contains(code);
    };
    QTRY_VERIFY_WITH_TIMEOUT(isFound("window-undercounts"), patienceMs);
    QVERIFY(recordedUntil((*m_live)->serverNowMs() + 1000));
    m_firstMs = (*m_live)->serverNowMs();
    m_server.lines(
        {"SET lock:report worker-b PX 600000", "DEL lock:passing", "RPUSH jobs j3 j4 j5"});
    (*m_live)->polling().rescan();
    QTRY_COMPARE_WITH_TIMEOUT(m_live->owner("lock:report"), QByteArray("worker-b"), patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(m_live->ready("jobs"), std::optional<qint64>(5), patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!isThere(m_live->state("lock:passing")), patienceMs);
    QVERIFY(recordedUntil((*m_live)->serverNowMs() + 1000));
    m_laterMs = (*m_live)->serverNowMs();
}

void TestPastSession::cleanupTestCase()
{
    m_recorder.reset();
    m_live.reset();
    QMetaObject::invokeMethod(m_writer, &RecordWriter::stop);
    m_writer->deleteLater();
    m_reader->deleteLater();
    endThread(m_writing);
    endThread(m_reading);
}

void TestPastSession::statesAreAsOfThen()
{
    Past past(*this, m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    QTRY_COMPARE_WITH_TIMEOUT(past.owner(), QByteArray("worker-a"), patienceMs);
    QCOMPARE(past.ready(), std::optional<qint64>(2));
    QVERIFY(past.state("lock:passing"));
    // The rest of a lease is the rest at that moment.
    const StatePtr lock = past.state("lock:report");
    QCOMPARE(lock->asOfMs, m_firstMs);
    QVERIFY(*lock->as<LockState>()->leaseMs < 600'000);
}

void TestPastSession::theSamePrimitivesHaveTheSameHandles()
{
    Past past(*this, m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    const Handle live = m_live->handle("lock:report");
    QVERIFY(live != noHandle);
    QTRY_VERIFY_WITH_TIMEOUT(past.session->states().at(live), patienceMs);
    QCOMPARE(past.session->states().at(live)->primitive->id.name, QByteArray("lock:report"));
    // Primitives that exist only in the past never become primitives of the live session.
    for (const auto& [handle, kept] : past.session->states().all()) {
        const StatePtr state = kept.state();
        if (const StatePtr now = (*m_live)->states().at(handle))
            QCOMPARE(now->primitive->id.name, state->primitive->id.name);
        else
            QVERIFY(handle.generation >= Playback::pastGeneration);
    }
}

void TestPastSession::anotherMomentIsTheDifference()
{
    Past past(*this, m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    past.seek(m_laterMs);
    QVERIFY(past.isAt(m_laterMs));
    QTRY_COMPARE_WITH_TIMEOUT(past.owner(), QByteArray("worker-b"), patienceMs);
    QCOMPARE(past.ready(), std::optional<qint64>(5));
    QVERIFY(!isThere(past.state("lock:passing")));
    past.seek(m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    QTRY_COMPARE_WITH_TIMEOUT(past.owner(), QByteArray("worker-a"), patienceMs);
    QVERIFY(past.state("lock:passing"));
}

void TestPastSession::theLiveOneGoesOn()
{
    Past past(*this, m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    m_server.line("SET lock:new somebody PX 600000");
    (*m_live)->polling().rescan();
    QTRY_COMPARE_WITH_TIMEOUT(m_live->owner("lock:new"), QByteArray("somebody"), patienceMs);
    QVERIFY(!past.state("lock:new"));
    QCOMPARE(past.session->live(), &**m_live);
    QVERIFY(past.session->isPast() && !(*m_live)->isPast());
}

void TestPastSession::nothingCanBeDone()
{
    Past past(*this, m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    QVERIFY(!past.session->acting().canAct());
    QVERIFY(past.session->acting().limits().refusal());
    past.session->acting().enableWriteMode(60'000);
    past.session->polling().rescan();
    QVERIFY(!past.session->acting().isWriteModeOn());
    QVERIFY(!past.session->isLive());
}

void TestPastSession::boardsAndFindingsAreOfThen()
{
    Past past(*this, m_firstMs);
    QSignalSpy sorted(&past.session->board(), &SessionBoard::sorted);
    BoardQuery query;
    query.kind = Kind::Lock;
    query.serial = 1;
    past.session->board().setQuery(query);
    QVERIFY(past.isAt(m_firstMs));
    QTRY_VERIFY_WITH_TIMEOUT(!sorted.isEmpty() && sorted.last()[0].value<BoardRows>().total == 3,
                             patienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(past.session->board().summary() &&
                                 past.session->board().summary()->kinds[size_t(Kind::Lock)].total ==
                                     3,
                             patienceMs);
    // It was open for as long as it had been by then.
    QTRY_COMPARE_WITH_TIMEOUT(findingSince(*past.session), findingSince(**m_live), patienceMs);
}

// As "lockkeeper snapshot --at" prints them, whatever is found or silenced today.
void TestPastSession::findingsAreThoseThatWereRecorded()
{
    RecordQueries queries(m_folder.filePath(QStringLiteral("history.db")));
    QVERIFY(queries.open());
    const QByteArray key = recordedDeployment(m_server.url(), nullptr).key;
    const auto line = [](const Finding& finding, qint64 sinceMs) {
        return finding.code + ' ' + finding.name + ' ' + finding.message.toUtf8() + ' ' +
               QByteArray::number(sinceMs);
    };
    QByteArrayList recorded;
    for (const RecordedFinding& open : queries.momentAt(key, m_firstMs).findings)
        recorded << line(open.finding, open.sinceMs);
    std::sort(recorded.begin(), recorded.end());
    QVERIFY(recorded.join('\n').contains("window-undercounts api:rate "));
    QVERIFY(recorded.join('\n').contains("lock-without-ttl lock:orphan "));
    CheckSettings today;
    today.silence = {"lock-without-ttl", "window-undercounts"};
    today.thresholds.lockLeaseMs = 1; // every lock is held for too long
    for (const CheckSettings& check : {CheckSettings(), today}) {
        Past past(*this, m_firstMs, check);
        QVERIFY(past.isAt(m_firstMs));
        const auto shown = [&] {
            QByteArrayList all;
            if (past.session->findings().latest()) {
                for (const LiveFindingPtr& live : past.session->findings().latest()->rows)
                    all << line(live->finding, live->sinceMs);
            }
            std::sort(all.begin(), all.end());
            return all;
        };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), recorded, patienceMs);
        QCOMPARE(past.session->findings().latest()->silenced, 0);
        for (const LiveFindingPtr& live : past.session->findings().latest()->rows)
            QVERIFY2(!live->finding.why.isEmpty(), live->finding.code.constData());
        // The row of its board has its mark.
        const Handle orphan = m_live->handle("lock:orphan");
        QVERIFY(past.session->findings().latest()->worstOf(orphan) == Finding::Severity::Error);
        QCOMPARE(past.session->findings().of(orphan).size(), 1U);
    }
}

void TestPastSession::itPlaysUntilThePresent()
{
    Past past(*this, m_firstMs);
    QVERIFY(past.isAt(m_firstMs));
    QMetaObject::invokeMethod(past.playback,
                              [p = past.playback, until = m_laterMs] { p->play(3, until); });
    QTRY_COMPARE_WITH_TIMEOUT(past.ended, 1, patienceMs);
    QVERIFY(past.shown.size() > 1);
    qint64 last = 0;
    for (const auto& [tMs, blindMs] : past.shown) {
        QVERIFY(tMs >= last); // it only goes forward
        last = tMs;
    }
}

void TestPastSession::numbersReachBack()
{
    QSignalSpy read(&history(), &SessionHistory::seriesRead);
    const quint64 ticket =
        history().askSeries({"reliable-list", "jobs"}, "ready", m_firstMs - 60'000, m_laterMs, 200);
    QTRY_VERIFY_WITH_TIMEOUT(!read.isEmpty() && read.last()[0].toULongLong() == ticket, patienceMs);
    const auto points = read.last()[1].value<std::vector<SeriesPoint>>();
    std::optional<double> first;
    double last = 0;
    for (const SeriesPoint& point : points) {
        if (point.tMs <= m_firstMs && !std::isnan(point.value))
            first = point.value;
        if (!std::isnan(point.value))
            last = point.value;
    }
    QCOMPARE(first, std::optional<double>(2));
    QCOMPARE(last, 5.0);
}

void TestPastSession::holdsAndLifeAreTold()
{
    QSignalSpy held(&history(), &SessionHistory::holdsRead);
    const PrimitiveId id{"set-nx-px", "lock:report"};
    quint64 ticket = history().askHolds(id, m_firstMs - 60'000, m_laterMs);
    QTRY_VERIFY_WITH_TIMEOUT(!held.isEmpty() && held.last()[0].toULongLong() == ticket, patienceMs);
    const auto holds = held.last()[1].value<std::vector<Hold>>();
    QCOMPARE(holds.size(), 2U);
    QCOMPARE(holds[0].owner, QByteArray("worker-a"));
    QVERIFY(!holds[0].open);
    QCOMPARE(holds[1].owner, QByteArray("worker-b"));
    QVERIFY(holds[0].toMs >= m_firstMs && holds[1].fromMs <= m_laterMs);
    QSignalSpy told(&history(), &SessionHistory::lifeRead);
    ticket = history().askLife(*m_live->state("lock:report")->primitive, 0, m_laterMs);
    QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty() && told.last()[0].toULongLong() == ticket, patienceMs);
    const auto life = told.last()[1].value<Timeline>();
    QVERIFY(std::ranges::any_of(life, [](const TimelineEntry& line) {
        return line.text.contains(QStringLiteral("held by worker-a for"));
    }));
}

void TestPastSession::eventsHaveNeighbours()
{
    RecordedEvent failover;
    failover.type = EventType::Failover;
    failover.tMs = m_firstMs + 500;
    failover.who = QStringLiteral("10.0.0.2:6379");
    m_recorder->addEvent(failover);
    QVERIFY(recordedUntil((*m_live)->serverNowMs() + 1000));
    QSignalSpy read(&history(), &SessionHistory::neighbourRead);
    const auto neighbour = [&](qint64 tMs, bool after) {
        read.clear();
        history().askNeighbour(tMs, after);
        return QTest::qWaitFor([&] { return !read.isEmpty(); }, patienceMs)
                   ? read.last()[1].value<std::vector<TimeMark>>()
                   : std::vector<TimeMark>();
    };
    auto next = neighbour(m_firstMs, true);
    while (!next.empty() && next[0].tMs < m_firstMs + 500) // as of a finding
        next = neighbour(next[0].tMs, true);
    QCOMPARE(next.size(), 1U);
    QCOMPARE(next[0].tMs, m_firstMs + 500);
    QCOMPARE(next[0].sort, TimeMark::Sort::Server);
    QCOMPARE(neighbour(m_firstMs + 501, false).at(0).tMs, m_firstMs + 500);
    QSignalSpy marks(&history(), &SessionHistory::marksRead);
    history().askMarks({"reliable-list", "jobs"}, m_firstMs, m_laterMs, 50);
    QTRY_VERIFY_WITH_TIMEOUT(!marks.isEmpty(), patienceMs);
    const auto found = marks.last()[1].value<std::vector<TimeMark>>();
    QVERIFY(std::ranges::any_of(found, [&](const TimeMark& mark) { // it concerns each primitive
        return mark.tMs == m_firstMs + 500;
    }));
}

void TestPastSession::whereNobodyRecordedItSaysSo()
{
    (*m_live)->polling().setPaused(true);
    const qint64 endMs = (*m_live)->serverNowMs();
    QTRY_VERIFY_WITH_TIMEOUT((*m_live)->serverNowMs() > endMs + 2500, patienceMs);
    const qint64 blindMs = (*m_live)->serverNowMs() - 100;
    RecordQueries queries(m_folder.filePath(QStringLiteral("history.db")));
    QVERIFY(queries.open());
    const QByteArray key = recordedDeployment(m_server.url(), nullptr).key;
    QTRY_VERIFY_WITH_TIMEOUT(queries.momentAt(key, blindMs).blind, patienceMs); // it is written
    Past past(*this, blindMs);
    QVERIFY(past.isAt(blindMs));
    const qint64 sinceMs = past.shown.back().second;
    QVERIFY(sinceMs > 0 && sinceMs < blindMs);
    QTRY_COMPARE_WITH_TIMEOUT(past.owner(), QByteArray("worker-b"),
                              patienceMs); // the last that was known
    (*m_live)->polling().setPaused(false);
}

LK_TEST(TestPastSession);
#include "tst_pastsession.moc"
