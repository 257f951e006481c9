// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "backend/text/columns/column.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int locks = 40;

MonitorLimits packingSoon()
{
    MonitorLimits limits;
    limits.packFrom = 10;
    return limits;
}

} // namespace

/// A session with more primitives than are kept whole: all that is asked of it stays the same.
class TestManyStates : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();
    void whatHasAttentionIsWhole();
    void changesAreSeenAndTold();
    void boardsSortFilterAndGroup();
    void exclusiveHoldersLast();
    void areReadOnce();

private:
    static bool isPacked(LiveSession& live, const QByteArray& name)
    {
        return live->states().kept(live.handle(name)).isPacked();
    }

    RedisServer m_server;
};

void TestManyStates::init()
{
    m_server.flush();
    for (int i = 0; i < locks; ++i) {
        const QByteArray n = QByteArray::number(100 + i);
        m_server.run(
            {"SET", "lock:" + n, "worker-" + n, "PX", QByteArray::number(600'000 + 1000 * i)});
    }
    const qint64 now = m_server.line("TIME").items[0].text.toLongLong() * 1000;
    Command marks{"ZADD", "rl:api"};
    for (int i = 0; i < 5; ++i)
        marks << QByteArray::number(now - i) << QByteArray::number(now - i);
    m_server.run(marks);
}

void TestManyStates::whatHasAttentionIsWhole()
{
    LiveSession live(m_server.url(), {}, {}, {}, packingSoon());
    QTRY_COMPARE(live.size(), locks + 1);
    QVERIFY(isPacked(live, "rl:api"));
    QVERIFY(isPacked(live, "lock:107"));
    QCOMPARE(live.owner("lock:107"), QByteArray("worker-107"));
    QVERIFY(live.state("rl:api")->as<LimiterState>()->occupancy == 5);
    QVERIFY(live.state("rl:api")->as<LimiterState>()->accepted.empty());
    live->polling().setAttention({}, live.handle("rl:api"));
    QTRY_COMPARE(live.state("rl:api")->as<LimiterState>()->accepted.size(), size_t(5));
    QVERIFY(!isPacked(live, "rl:api"));
    QVERIFY(isPacked(live, "lock:107"));
}

void TestManyStates::changesAreSeenAndTold()
{
    LiveSession live(m_server.url(), {}, {}, {}, packingSoon());
    QTRY_COMPARE(live.size(), locks + 1);
    QTRY_VERIFY(live.feed().mode == FeedStatus::Mode::Tracking);
    m_server.run({"SET", "lock:120", "another", "PX", "600000"});
    QTRY_COMPARE(live.owner("lock:120"), QByteArray("another"));
    m_server.run({"SET", "lock:121", "worker-121"}); // no TTL
    const Handle stuck = live.handle("lock:121");
    QTRY_VERIFY(!live->findings().of(stuck).empty());
    m_server.run({"DEL", "lock:122"});
    QTRY_COMPARE(live.state("lock:122")->as<LockState>()->phase, LockState::Phase::Free);
}

void TestManyStates::boardsSortFilterAndGroup()
{
    LiveSession live(m_server.url(), {}, {}, {}, packingSoon());
    BoardRows rows;
    connect(&live->board(), &SessionBoard::sorted, this,
            [&rows](const BoardRows& sorted) { rows = sorted; });
    QTRY_COMPARE(live.size(), locks + 1);
    const auto columnsOfLocks = columns(Kind::Lock);
    const auto ttl = std::ranges::find_if(columnsOfLocks, [](const Column& column) {
        return qstrcmp(column.id, "ttl") == 0 || qstrcmp(column.id, "lease") == 0;
    });
    QVERIFY(ttl != columnsOfLocks.end());
    BoardQuery query;
    query.kind = Kind::Lock;
    query.column = int(ttl - columnsOfLocks.begin());
    query.descending = true;
    live->board().setQuery(query);
    QTRY_COMPARE(qsizetype(rows.all ? rows.all->size() : 0), qsizetype(locks));
    QCOMPARE(live->states().at(rows.all->front())->primitive->id.name, QByteArray("lock:139"));
    QCOMPARE(live->states().at(rows.all->back())->primitive->id.name, QByteArray("lock:100"));
    query.filter = u"worker-131"_s; // an owner
    live->board().setQuery(query);
    QTRY_COMPARE(qsizetype(rows.all->size()), qsizetype(1));
    QCOMPARE(live->states().at(rows.all->front())->primitive->id.name, QByteArray("lock:131"));
    query.filter.clear();
    query.grouping = BoardGrouping::Owner;
    live->board().setQuery(query);
    QTRY_COMPARE(rows.groups->size(), size_t(locks));
}

// Ages of what is packed go on from read to read.
void TestManyStates::exclusiveHoldersLast()
{
    LiveSession live(m_server.url(), {}, {}, {}, packingSoon());
    QTRY_COMPARE(live.size(), locks + 1);
    const qint64 sinceMs = live.state("lock:110")->observed.sinceMs;
    QVERIFY(sinceMs > 0);
    const qint64 readMs = live.state("lock:110")->asOfMs;
    m_server.run({"PEXPIRE", "lock:110", "900000"}); // renewed
    QTRY_VERIFY_WITH_TIMEOUT(live.state("lock:110")->asOfMs > readMs, 20'000);
    QTRY_COMPARE(live.state("lock:110")->observed.renewals, 1);
    QCOMPARE(live.state("lock:110")->observed.sinceMs, sinceMs);
    QVERIFY(isPacked(live, "lock:110"));
}

// States read before the feed was on are read once more: the first ones of a scan, not all of them.
void TestManyStates::areReadOnce()
{
    constexpr int many = 40'000;
    m_server.flush();
    m_server.run({"EVAL",
                  "for i = 1, tonumber(ARGV[1]) do "
                  "redis.call('SET', 'lock:' .. i, 'worker-' .. i, 'PX', 600000) end",
                  "0", QByteArray::number(many)});
    m_server.line("CONFIG RESETSTAT");
    MonitorLimits limits = packingSoon();
    limits.scanCommandsPerSecond = 0;
    LiveSession live(m_server.url(), {}, {}, {}, limits);
    QTRY_COMPARE_WITH_TIMEOUT(live.size(), many, 60'000);
    QTRY_VERIFY(live.feed().mode == FeedStatus::Mode::Tracking);
    const auto reads = [this] { return commandCalls(m_server).value("pttl"); };
    qint64 before = 0;
    do { // a second pass over what is older takes up to half a minute
        before = reads();
        QVERIFY(live.seconds(2));
    } while (reads() - before > many / 100);
    QVERIFY(before >= many);
    QVERIFY2(before < many * 3 / 2, qPrintable(QString::number(before)));
}

LK_TEST(TestManyStates);
#include "tst_manystates.moc"
