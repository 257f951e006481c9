// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/autorequeue/autorequeue.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionacting.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A processing list reveals a queue, but not reliably the list from which its workers take. A list
/// that was neither detected nor declared is never written to.
class TestPhantomQueue : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void madeUpFromAName();
    void seenAndEmpty();
    void declaredAndNeverSeen();
    void anUnseenDeadList();

private:
    std::unique_ptr<LiveSession> open(const Config& config = {});
    PlanSet planned(LiveSession& live, const QByteArray& queue, const QByteArray& action,
                    const std::map<QByteArray, QByteArray>& values);

    RedisServer m_server;
    std::unique_ptr<QTemporaryDir> m_folder;
};

std::unique_ptr<LiveSession> TestPhantomQueue::open(const Config& config)
{
    return std::make_unique<LiveSession>(
        m_server.url(), config, QString(),
        ActionFiles{m_folder->filePath(u"journal.jsonl"_s), m_folder->filePath(u"undo"_s)});
}

PlanSet TestPhantomQueue::planned(LiveSession& live, const QByteArray& queue,
                                  const QByteArray& action,
                                  const std::map<QByteArray, QByteArray>& values)
{
    QSignalSpy spy(&live->acting(), &SessionActing::planned);
    ActionRequest request;
    request.values = values;
    live->acting().planAction(action, {{live.state(queue)->primitive}}, request);
    if (!QTest::qWaitFor([&] { return spy.size() == 1; }, 10'000))
        return {};
    return spy[0][0].value<PlanSet>();
}

void TestPhantomQueue::madeUpFromAName()
{
    m_server.lines({"RPUSH jobs a", "RPUSH processing_queue j1 j2"});
    const auto live = open();
    QTRY_VERIFY_WITH_TIMEOUT(live->state("queue"), 10'000);
    const StatePtr state = live->state("queue");
    for (const char* id : {"queue.requeue", "queue.push"}) {
        const Action* action = findAction(*findLayout("reliable-list"), id);
        QVERIFY2(action->unavailable(*state).contains(u"[[queue]] key = \"queue\""_s), id);
    }
    QVERIFY(
        AutoRequeue::unavailable(*state->primitive).contains(u"declare"_s, Qt::CaseInsensitive));
    const PlanSet requeue = planned(*live, "queue", "queue.requeue", {{"all", ""}});
    QVERIFY(requeue.plans.empty());
    QCOMPARE(requeue.refused.size(), size_t(1));
    QCOMPARE(requeue.refused[0].second.code, ErrorCode::NotPossible);
    QVERIFY(requeue.refused[0].second.detail.contains(u"processing = \"processing_queue\""_s));
    const PlanSet push = planned(*live, "queue", "queue.push", {{"payload", "x"}});
    QVERIFY(push.plans.empty() && push.refused.size() == 1);
    // Actions that write to no other list still work.
    QCOMPARE(planned(*live, "queue", "queue.discard", {{"index", "1"}}).plans.size(), size_t(1));
    QCOMPARE(m_server.line("EXISTS queue").integer, 0);
}

void TestPhantomQueue::seenAndEmpty()
{
    m_server.lines({"RPUSH jobs a", "RPUSH jobs:processing j1"});
    const auto live = open();
    QTRY_COMPARE_WITH_TIMEOUT(live->ready("jobs").value_or(0), 1, 10'000);
    m_server.line("LPOP jobs");
    QTRY_COMPARE_WITH_TIMEOUT(live->ready("jobs").value_or(-1), 0, 10'000);
    const PlanSet set = planned(*live, "jobs", "queue.requeue", {{"all", ""}});
    QCOMPARE(set.plans.size(), size_t(1));
    QCOMPARE(set.plans[0].keys, (std::vector<QByteArray>{"jobs:processing", "jobs"}));
    QVERIFY(AutoRequeue::unavailable(*live->state("jobs")->primitive).isEmpty());
}

void TestPhantomQueue::declaredAndNeverSeen()
{
    m_server.line("RPUSH processing_queue j1");
    const auto config = parseConfig("[[queue]]\nkey = \"work\"\nlayout = \"reliable-list\"\n"
                                    "processing = \"processing_queue\"\n",
                                    u"c.toml"_s);
    QVERIFY(config);
    const auto live = open(*config);
    QTRY_VERIFY_WITH_TIMEOUT(live->state("work"), 10'000);
    const PlanSet set = planned(*live, "work", "queue.requeue", {{"all", ""}});
    QCOMPARE(set.plans.size(), size_t(1));
    QCOMPARE(set.plans[0].keys, (std::vector<QByteArray>{"processing_queue", "work"}));
}

// Bury without a detected dead list: the failed job would be where no user looks.
void TestPhantomQueue::anUnseenDeadList()
{
    m_server.lines({"RPUSH jobs a", "RPUSH jobs:processing j1"});
    {
        const auto live = open();
        QTRY_COMPARE_WITH_TIMEOUT(live->ready("jobs").value_or(0), 1, 10'000);
        const PlanSet set = planned(*live, "jobs", "queue.dead-letter", {{"all", ""}});
        QVERIFY(set.plans.empty() && set.refused.size() == 1);
        QVERIFY(set.refused[0].second.detail.contains(u"dead = \"jobs:dead\""_s));
    }
    m_server.line("RPUSH jobs:dead old");
    const auto live = open();
    QTRY_VERIFY_WITH_TIMEOUT(
        live->state("jobs") && live->state("jobs")->primitive->keys.size() == 3, 10'000);
    QCOMPARE(planned(*live, "jobs", "queue.dead-letter", {{"all", ""}}).plans.size(), size_t(1));
}

LK_TEST(TestPhantomQueue);
#include "tst_phantomqueue.moc"
