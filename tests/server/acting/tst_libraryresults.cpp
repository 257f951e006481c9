// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/takencheck.h"
#include "tests/server/acting.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Jobs of libraries on hand-made keys, found by a snapshot and acted on: key by key what the
/// library's own call leaves.
class TestLibraryResults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_config = {};
    }

    void superFetchReturnsTheBytes_data();
    void superFetchReturnsTheBytes();
    void gitLabCountsTheInterruption();
    void discardReleasesTheUniqueLock();
    void discardDropsTheDeduplicationKey();
    void discardOfTheLastChildMovesTheParent();
    void retryOfAnIgnoredChildIsAwaitedAgain();
    void restoreByPriority_data();
    void restoreByPriority();
    void restoreWithoutARouteIsRefused();
    void aDeclarationOnlyAdds_data();
    void aDeclarationOnlyAdds();
    void abandonedJobIsTriedAgain();
    void dependentsThatAllowItAreQueued();
    void aWorkerWithoutAKeyIsGone();
    void aGhostLetsGoOfItsGroup();
    void anEntryIsAddedAnew();
    void receiptsTellWhoTookIt_data();
    void receiptsTellWhoTookIt();
    void planningSaysWhyNot_data();
    void planningSaysWhyNot();
    void someAreLeftOut();

private:
    PrimitivePtr queue(const QByteArray& name)
    {
        const TakenSnapshot taken = takeSnapshot(m_server.url(), m_config);
        for (const StatePtr& state :
             taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>())
            if (state->kind() == Kind::Queue && state->primitive->name() == name)
                return state->primitive;
        qWarning("no queue %s: %s", name.constData(), taken.text.constData());
        return nullptr;
    }
    Result<Plan> planned(const QByteArray& name, const QByteArray& action, const Values& values)
    {
        const PrimitivePtr target = queue(name);
        Actor actor(m_server.url());
        return target && actor.open() ? actor.plan(target, action, values)
                                      : failure(ErrorCode::NotFound);
    }
    /// "succeeded" or why not.
    QString acted(const QByteArray& name, const QByteArray& action, const Values& values)
    {
        const PrimitivePtr target = queue(name);
        Actor actor(m_server.url());
        if (!target || !actor.open())
            return u"no such queue"_s;
        const Receipt receipt = actor.act(target, action, values);
        return receipt.outcome == Outcome::Succeeded ? u"succeeded"_s : receipt.text;
    }
    void lines(const std::vector<QByteArray>& all)
    {
        const Timed timed(m_server);
        for (const QByteArray& line : all)
            QVERIFY2(!m_server.line(timed(line)).isError(), line.constData());
    }
    QByteArrayList list(const QByteArray& key)
    {
        QByteArrayList all;
        for (const Reply& item : m_server.run({"LRANGE", key, "0", "-1"}).items)
            all << item.text;
        return all;
    }
    qint64 exist(const Command& keys) { return m_server.run(keys).integer; }

    /// A failed child of a queue "child" whose parent waits for it and no other.
    void makeFlow(const QByteArray& extra = {})
    {
        lines({"HSET bull:parent:meta version bullmq:6.7.0 opts.maxLenEvents 10000",
               "HSET bull:child:meta version bullmq:6.7.0 opts.maxLenEvents 10000",
               "HSET bull:parent:p1 name report data {} opts {} timestamp {ms-900}",
               "ZADD bull:parent:waiting-children {ms-900} p1",
               "HSET bull:child:c2 name part data {} opts {} timestamp {ms-900} failedReason boom "
               "finishedOn {ms-500} processedOn {ms-600} parentKey bull:parent:p1",
               "ZADD bull:child:failed {ms-500} c2"});
        if (!extra.isEmpty())
            lines({extra});
    }

    RedisServer m_server;
    Config m_config;
};

namespace {

QByteArray sidekiqJob(const QByteArray& queue, const QByteArray& jid, const QByteArray& more = {})
{
    return R"({"retry":true,"queue":")" + queue + R"(","class":"Send","args":[1],"jid":")" + jid +
           R"(","created_at":1600000000.5,"enqueued_at":1600000000.75)" + more + "}";
}

const QByteArray jid1 = "c24fcfd38c37f02893d50001";
const QByteArray jid2 = "c24fcfd38c37f02893d50002";
const QByteArray separator = "\x06\x16";

QByteArray celeryMessage(const QByteArray& id, const QByteArray& priority,
                         const QByteArray& exchange, const QByteArray& routingKey)
{
    return R"({"body":"W10=","content-encoding":"utf-8","content-type":"application/json",)"
           R"("headers":{"lang":"py","task":"app.bulk","id":")" +
           id + R"(","eta":null,"retries":0},"properties":{"correlation_id":")" + id +
           R"(","delivery_mode":2,"delivery_info":{"exchange":")" + exchange +
           R"(","routing_key":")" + routingKey + R"("},"priority":)" + priority +
           R"(,"body_encoding":"base64","delivery_tag":"t)" + id + R"("}})";
}

const QByteArray taskId = "11111111-0000-4000-8000-000000000003";

} // namespace

void TestLibraryResults::superFetchReturnsTheBytes_data()
{
    QTest::addColumn<QByteArray>("list");
    QTest::newRow("the present form") << QByteArray("queue:sq|app_1:7:ddddeeeeffff|mailers_high");
    QTest::newRow("the former form") << QByteArray("queue:sq_app_1:7:ddddeeeeffff_mailers_high");
}

void TestLibraryResults::superFetchReturnsTheBytes()
{
    QFETCH(const QByteArray, list);
    const QByteArray job = sidekiqJob("mailers_high", jid1, R"(,"bid":"kPk5kXmieamgqw")");
    m_server.run({"SADD", "queues", "mailers_high"});
    m_server.run({"LPUSH", list, job});
    m_server.run({"LPUSH", "queue:mailers_high", sidekiqJob("mailers_high", jid2)});
    m_server.run({"HSET", "app_1:7:ddddeeeeffff", "info", "{}", "busy", "1", "beat", "1"});
    m_server.run({"EXPIRE", "app_1:7:ddddeeeeffff", "60"});
    const Everything before = everything(m_server);
    QCOMPARE(acted("mailers_high", "queue.requeue", {{"all", ""}}),
             u"not planned: The worker of each of these jobs is alive"_s);
    QVERIFY(everything(m_server) == before);
    m_server.run({"DEL", "app_1:7:ddddeeeeffff"});
    const Result<Plan> plan = planned("mailers_high", "queue.requeue", {{"all", ""}});
    QVERIFY(plan);
    QVERIFY2(plan->consequence.contains(u"byte by byte"_s) &&
                 plan->consequence.contains(u"kPk5kXmieamgqw"_s) &&
                 plan->consequence.contains(u"a job runs twice"_s) &&
                 plan->consequence.contains(u"oldest was enqueued"_s),
             qPrintable(plan->consequence));
    QCOMPARE(acted("mailers_high", "queue.requeue", {{"all", ""}}), u"succeeded"_s);
    QCOMPARE(this->list("queue:mailers_high"),
             (QByteArrayList{job, sidekiqJob("mailers_high", jid2)}));
    QCOMPARE(exist({"EXISTS", list}), 0);
}

void TestLibraryResults::gitLabCountsTheInterruption()
{
    m_server.run({"SADD", "queues", "default"});
    m_server.run(
        {"LPUSH", "working:queue:default:app-1:7:ddddeeeeffff", sidekiqJob("default", jid1)});
    const Result<Plan> plan = planned("default", "queue.requeue", {{"all", ""}});
    QVERIFY(plan);
    QVERIFY2(plan->consequence.contains(u"interrupted_count"_s), qPrintable(plan->consequence));
    QCOMPARE(acted("default", "queue.requeue", {{"all", ""}}), u"succeeded"_s);
    QVERIFY(list("queue:default").value(0).contains(R"("interrupted_count":1)"));
}

void TestLibraryResults::discardReleasesTheUniqueLock()
{
    m_server.run({"SADD", "queues", "default"});
    const auto job = [](const QByteArray& jid, const QByteArray& digest) {
        return sidekiqJob("default", jid, R"(,"lock_digest":")" + digest + "\"");
    };
    m_server.run({"ZADD", "retry", "5", job(jid1, "uniquejobs:a"), "6", job(jid2, "uniquejobs:b")});
    for (const auto& [digest, holder] : {std::pair{"uniquejobs:a", jid1}, {"uniquejobs:b", jid1}}) {
        m_server.run({"SET", digest, holder});
        m_server.run({"HSET", QByteArray(digest) + ":LOCKED", holder, "1600000000.5"});
        m_server.run({"LPUSH", QByteArray(digest) + ":QUEUED", "1"});
        m_server.run({"ZADD", "uniquejobs:digests", "5", digest});
    }
    QCOMPARE(acted("default", "queue.discard", {{"all", ""}, {"state", "retries"}}),
             u"succeeded"_s);
    QCOMPARE(exist({"EXISTS", "uniquejobs:a", "uniquejobs:a:LOCKED", "uniquejobs:a:QUEUED"}), 0);
    // Another job has that one.
    QCOMPARE(exist({"EXISTS", "uniquejobs:b", "uniquejobs:b:LOCKED", "uniquejobs:b:QUEUED"}), 3);
    QCOMPARE(exist({"ZCARD", "uniquejobs:digests"}), 1);
}

void TestLibraryResults::discardDropsTheDeduplicationKey()
{
    lines({"HSET bull:sync:meta version bullmq:6.2.0 opts.maxLenEvents 10000",
           "XADD bull:sync:events * event added jobId 9",
           "HSET bull:sync:9 name sync data {} opts {} timestamp {ms-5} delay 3600000 priority 0 "
           "deid b@example.org",
           "ZADD bull:sync:delayed 7168000000000000 9", "SET bull:sync:de:b@example.org 9",
           "HSET bull:sync:dn:b@example.org name sync data {}"});
    const Everything before = everything(m_server);
    const PrimitivePtr target = queue("sync");
    Actor actor(m_server.url());
    QVERIFY(target && actor.open());
    const Receipt receipt =
        actor.act(target, "queue.discard", {{"job", "9"}, {"state", "delayed"}});
    QCOMPARE(receipt.outcome, Outcome::Succeeded);
    QCOMPARE(exist({"EXISTS", "bull:sync:9", "bull:sync:delayed", "bull:sync:de:b@example.org",
                    "bull:sync:dn:b@example.org"}),
             0);
    QCOMPARE(actor.undo(receipt.id).outcome, Outcome::Succeeded);
    QVERIFY(everything(m_server) == before);
}

void TestLibraryResults::discardOfTheLastChildMovesTheParent()
{
    makeFlow("SADD bull:parent:p1:dependencies bull:child:c2");
    QCOMPARE(acted("child", "queue.discard", {{"job", "c2"}}), u"succeeded"_s);
    QCOMPARE(list("bull:parent:wait"), QByteArrayList{"p1"});
    QCOMPARE(exist({"EXISTS", "bull:parent:waiting-children", "bull:parent:p1:dependencies",
                    "bull:child:c2"}),
             0);
    QCOMPARE(exist({"EXISTS", "bull:parent:marker", "bull:parent:events"}), 2);
}

void TestLibraryResults::retryOfAnIgnoredChildIsAwaitedAgain()
{
    makeFlow("HSET bull:parent:p1:failed bull:child:c2 boom");
    QCOMPARE(acted("child", "queue.retry", {{"job", "c2"}}), u"succeeded"_s);
    QCOMPARE(exist({"SISMEMBER", "bull:parent:p1:dependencies", "bull:child:c2"}), 1);
    QCOMPARE(exist({"EXISTS", "bull:parent:p1:failed"}), 0);
    QCOMPARE(list("bull:child:wait"), QByteArrayList{"c2"});
}

void TestLibraryResults::restoreByPriority_data()
{
    QTest::addColumn<QByteArray>("prefix");
    QTest::addColumn<QByteArray>("exchange");
    QTest::addColumn<QByteArray>("priority");
    QTest::addColumn<QByteArrayList>("expected");
    const QByteArray nine = separator + "9";
    QTest::newRow("the unnamed exchange")
        << QByteArray() << QByteArray() << QByteArray("9") << QByteArrayList{"celery" + nine};
    QTest::newRow("no priority") << QByteArray() << QByteArray() << QByteArray("0")
                                 << QByteArrayList{"celery"};
    QTest::newRow("between two steps") << QByteArray() << QByteArray() << QByteArray("5")
                                       << QByteArrayList{"celery" + separator + "3"};
    QTest::newRow("an exchange with two queues")
        << QByteArray() << QByteArray("celery") << QByteArray("9")
        << QByteArrayList{"celery" + nine, "audit" + nine};
    QTest::newRow("a prefix") << QByteArray("acme:") << QByteArray("celery") << QByteArray("9")
                              << QByteArrayList{"acme:celery" + nine, "acme:audit" + nine};
    QTest::newRow("a pattern") << QByteArray() << QByteArray("topics") << QByteArray("0")
                               << QByteArrayList{"celery"};
}

void TestLibraryResults::restoreByPriority()
{
    QFETCH(const QByteArray, prefix);
    QFETCH(const QByteArray, exchange);
    QFETCH(const QByteArray, priority);
    QFETCH(const QByteArrayList, expected);
    const auto bind = [&](const QByteArray& name, const QByteArray& key, const QByteArray& pattern,
                          const QByteArray& queue) {
        m_server.run({"SADD", prefix + "_kombu.binding." + name,
                      key + separator + pattern + separator + queue});
    };
    bind("celery", "celery", {}, "celery");
    bind("celery", "celery", {}, "audit");
    bind("topics", "*", R"(^.*?[^\.]$)", "celery");
    bind("topics", "celery.#", R"(^celery\..*?$)", "audit");
    m_server.run(
        {"SADD", prefix + "_kombu.binding.celery", "other" + separator + separator + "other"});
    m_server.run({"SADD", prefix + "_kombu.binding.celery.pidbox",
                  separator + separator + "a@host.celery.pidbox"});
    const QByteArray message = celeryMessage(taskId, priority, exchange, "celery");
    m_server.run({"HSET", prefix + "unacked", taskId,
                  "[" + message + ", \"" + exchange + "\", \"celery\"]"});
    m_server.run({"HSET", prefix + "unacked", "t" + taskId,
                  "[" + message + ", \"" + exchange + "\", \"celery\"]"});
    m_server.run({"ZADD", prefix + "unacked_index", "1600000000", "t" + taskId});
    QCOMPARE(acted("celery", "queue.requeue", {{"all", ""}}), u"succeeded"_s);
    for (const char* name : {"celery", "audit", "other"}) {
        for (const char* number : {"", "3", "6", "9"}) {
            const QByteArray step = *number ? separator + number : QByteArray();
            const QByteArray key = prefix + name + step;
            QCOMPARE(exist({"LLEN", key}), expected.contains(key) ? 1 : 0);
        }
    }
    QCOMPARE(exist({"EXISTS", prefix + "unacked_index"}), 0);
}

void TestLibraryResults::restoreWithoutARouteIsRefused()
{
    m_server.run({"SADD", "_kombu.binding.celery", "celery" + separator + separator + "celery"});
    m_server.run(
        {"SADD", "_kombu.binding.celery.pidbox", separator + separator + "a@host.celery.pidbox"});
    const QByteArray message = celeryMessage(taskId, "0", "gone", "celery");
    m_server.run({"HSET", "unacked", taskId, "[" + message + ", \"gone\", \"celery\"]"});
    m_server.run({"HSET", "unacked", "t" + taskId, "[" + message + ", \"gone\", \"celery\"]"});
    m_server.run({"ZADD", "unacked_index", "1600000000", "t" + taskId});
    const Everything before = everything(m_server);
    const QString text = acted("celery", "queue.requeue", {{"all", ""}});
    QVERIFY2(text.contains(u"routes celery to no queue"_s), qPrintable(text));
    QVERIFY(everything(m_server) == before);
}

void TestLibraryResults::aDeclarationOnlyAdds_data()
{
    QTest::addColumn<bool>("waiting");
    QTest::newRow("an empty list") << false;
    QTest::newRow("a list with messages") << true;
}

// With a prefix: the queue's name, its unacknowledged tasks and its lists stay Kombu's.
void TestLibraryResults::aDeclarationOnlyAdds()
{
    QFETCH(const bool, waiting);
    const Result<Config> config = parseConfig("[[queue]]\nkey = \"acme:beta\"\nlayout = \"celery\""
                                              "\nstuck_after = \"1h\"\n",
                                              u"c.toml"_s);
    QVERIFY(config);
    m_config = *config;
    m_server.run({"SADD", "acme:_kombu.binding.beta", "beta" + separator + separator + "beta"});
    m_server.run({"SADD", "acme:_kombu.binding.celery.pidbox",
                  separator + separator + "a@host.celery.pidbox"});
    const QByteArray message = celeryMessage(taskId, "0", "", "beta");
    m_server.run({"HSET", "acme:unacked", "t" + taskId, "[" + message + ", \"\", \"beta\"]"});
    m_server.run({"ZADD", "acme:unacked_index", "1600000000", "t" + taskId});
    if (waiting)
        m_server.run({"LPUSH", "acme:beta", celeryMessage("9" + taskId.mid(1), "0", "", "beta")});
    const TakenSnapshot taken = takeSnapshot(m_server.url(), m_config);
    const QJsonObject queue = taken.named("queues", "beta");
    QVERIFY2(!queue.isEmpty(), taken.text.constData());
    QCOMPARE(queue["processing"_L1].toInt(-1), 1);
    QCOMPARE(queue["ready"_L1].toInt(-1), waiting ? 1 : 0);
    QCOMPARE(queue["stuck"_L1].toInt(-1), 1);
    QCOMPARE(taken.list("queues").size(), 1);
    QCOMPARE(acted("beta", "queue.requeue", {{"all", ""}}), u"succeeded"_s);
    QCOMPARE(exist({"LLEN", "acme:beta"}), waiting ? 2 : 1);
}

void TestLibraryResults::abandonedJobIsTriedAgain()
{
    lines({"SADD rq:queues rq:queue:default",
           "HSET rq:job:X1 created_at 2026-01-01T00:00:00.000000Z origin default status started "
           "timeout 180 description app.export data x retries_left 2 retry_intervals [60,600]",
           "ZADD rq:wip:default {s-600} X1:5d1c0e7a4b0f4c53a1",
           "ZADD rq:executions:X1 {s-600} 5d1c0e7a4b0f4c53a1"});
    QCOMPARE(acted("default", "queue.dead-letter", {{"job", "X1"}}), u"succeeded"_s);
    QCOMPARE(m_server.line("HGET rq:job:X1 status").text, QByteArray("scheduled"));
    QCOMPARE(m_server.line("HGET rq:job:X1 retries_left").text, QByteArray("1"));
    QCOMPARE(exist({"ZCARD", "rq:scheduled:default"}), 1);
    QCOMPARE(exist({"EXISTS", "rq:failed:default", "rq:wip:default", "rq:executions:X1"}), 0);
}

void TestLibraryResults::dependentsThatAllowItAreQueued()
{
    lines({"SADD rq:queues rq:queue:default",
           "HSET rq:job:X1 created_at 2026-01-01T00:00:00.000000Z origin default status started "
           "timeout 180 description app.export data x",
           "ZADD rq:wip:default {s-600} X1:5d1c0e7a4b0f4c53a1",
           "SADD rq:job:X1:dependents X2 rq:job:X3",
           "HSET rq:job:X2 created_at 2026-01-01T00:00:00.000000Z origin mail status deferred "
           "data x description y allow_dependency_failures 1",
           "HSET rq:job:X3 created_at 2026-01-01T00:00:00.000000Z origin default status deferred "
           "data x description y allow_dependency_failures 0",
           "SADD rq:job::X2:dependencies X1", "SADD rq:job::X3:dependencies X1",
           "ZADD rq:deferred:mail {s-900} X2", "ZADD rq:deferred:default {s-900} X3"});
    QCOMPARE(acted("default", "queue.dead-letter", {{"job", "X1"}}), u"succeeded"_s);
    QCOMPARE(list("rq:queue:mail"), QByteArrayList{"X2"});
    QCOMPARE(m_server.line("HGET rq:job:X2 status").text, QByteArray("queued"));
    QCOMPARE(exist({"EXISTS", "rq:deferred:mail"}), 0);
    QCOMPARE(exist({"SISMEMBER", "rq:queues", "rq:queue:mail"}), 1);
    QCOMPARE(m_server.line("HGET rq:job:X3 status").text, QByteArray("deferred"));
    QCOMPARE(exist({"ZCARD", "rq:deferred:default"}), 1);
    QCOMPARE(exist({"ZCARD", "rq:failed:default"}), 1);
}

// The job is trusted for another hour, but the missing key shows that its worker is gone.
void TestLibraryResults::aWorkerWithoutAKeyIsGone()
{
    lines({"SADD rq:queues rq:queue:default", "SADD rq:workers rq:worker:w1",
           "SADD rq:workers:default rq:worker:w1",
           "HSET rq:worker:w1 birth 2026-01-01T00:00:00.000000Z state busy last_heartbeat "
           "2026-01-01T00:00:00.000000Z queues default",
           "HSET rq:job:X1 created_at 2026-01-01T00:00:00.000000Z origin default status started "
           "timeout 180 description app.export data x worker_name w1",
           "ZADD rq:wip:default {s+3600} X1:5d1c0e7a4b0f4c53a1"});
    const QString alive = u"not planned: The worker of each of these jobs is alive"_s;
    QCOMPARE(acted("default", "queue.requeue", {{"job", "X1"}}), alive);
    m_server.line("DEL rq:worker:w1");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.named("queues", "default")["stuck"_L1].toInt(), 1);
    QCOMPARE(acted("default", "queue.requeue", {{"job", "X1"}}), u"succeeded"_s);
    QCOMPARE(list("rq:queue:default"), QByteArrayList{"X1"});
}

void TestLibraryResults::aGhostLetsGoOfItsGroup()
{
    lines({"HSET groupmq:orders:job:a1 id a1 groupId acme data {} attempts 1 maxAttempts 3 seq 1 "
           "timestamp {ms-900} orderMs {ms-900} score 7 status processing",
           "HSET groupmq:orders:job:a2 id a2 groupId acme data {} attempts 0 maxAttempts 3 seq 2 "
           "timestamp {ms-800} orderMs {ms-800} score 8 status waiting",
           "LPUSH groupmq:orders:g:acme:active a1", "ZADD groupmq:orders:g:acme 8 a2",
           "ZADD groupmq:orders:ready 8 acme", "SADD groupmq:orders:groups acme"});
    QCOMPARE(acted("orders", "queue.requeue", {{"all", ""}}),
             u"not planned: There are no such jobs"_s);
    const QString other = acted("orders", "queue.requeue", {{"job", "a2"}});
    QVERIFY2(other.contains(u"No worker has job a2"_s), qPrintable(other));
    QCOMPARE(acted("orders", "queue.requeue", {{"job", "a1"}}), u"succeeded"_s);
    QCOMPARE(exist({"EXISTS", "groupmq:orders:g:acme:active"}), 0);
    QCOMPARE(m_server.line("ZSCORE groupmq:orders:g:acme a1").text, QByteArray("7"));
    QCOMPARE(m_server.line("HGET groupmq:orders:job:a1 status").text, QByteArray("waiting"));
    QCOMPARE(m_server.line("HGET groupmq:orders:job:a1 stalledCount").text, QByteArray("1"));
}

void TestLibraryResults::anEntryIsAddedAnew()
{
    lines({"XADD jobs 1-1 f v1", "XADD jobs 1-2 f v2", "XADD jobs 1-3 f v3",
           "XGROUP CREATE jobs g 0", "XREADGROUP GROUP g dead COUNT 2 STREAMS jobs >",
           "XREADGROUP GROUP g alive COUNT 1 STREAMS jobs >",
           "XCLAIM jobs g dead 0 1-1 IDLE 7200000 JUSTID", "XDEL jobs 1-3",
           "XCLAIM jobs g alive 0 1-3 IDLE 7200000 JUSTID"});
    const QString fresh = acted("jobs", "queue.requeue", {{"job", "1-2"}});
    QVERIFY2(fresh.contains(u"stuck_after"_s), qPrintable(fresh));
    QCOMPARE(acted("jobs", "queue.requeue", {{"older-than", "1h"}}), u"succeeded"_s);
    // The next that asks for new entries has it.
    const Reply taken = m_server.line("XREADGROUP GROUP g alive COUNT 9 STREAMS jobs >");
    QCOMPARE(taken.items.size(), size_t(1));
    const std::vector<Reply>& entries = taken.items[0].items[1].items;
    QCOMPARE(entries.size(), size_t(1));
    QCOMPARE(entries[0].items[1].items[1].text, QByteArray("v1"));
    QCOMPARE(exist({"XLEN", "jobs"}), 2);
}

void TestLibraryResults::receiptsTellWhoTookIt_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<QString>("text");
    const QByteArray worker = "SADD rq:workers:default rq:worker:w1 | HSET rq:worker:w1 birth "
                              "2026-01-01T00:00:00.000000Z state idle last_heartbeat "
                              "2026-01-01T00:00:00.000000Z queues default";
    QTest::newRow("no worker") << QByteArray("PING") << QByteArray("PING")
                               << u"^not taken: no worker listens$"_s;
    QTest::newRow("suspended") << worker << QByteArray("SET rq:suspended 1")
                               << u"^not taken: the queue is paused$"_s;
    QTest::newRow("in progress")
        << worker
        << QByteArray("LPOP rq:queue:default | HSET rq:job:X1 status started worker_name w1 | "
                      "ZADD rq:wip:default {s+90} X1:5d1c0e7a4b0f4c53a1")
        << u"^taken by w1 after .*s$"_s;
    QTest::newRow("done") << worker << QByteArray("LPOP rq:queue:default")
                          << u"^taken after .*s$"_s;
}

void TestLibraryResults::receiptsTellWhoTookIt()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, after);
    QFETCH(const QString, text);
    const auto run = [&](const QByteArray& all) {
        for (const QByteArray& line : all.split('|'))
            lines({line.trimmed()});
    };
    lines({"SADD rq:queues rq:queue:default",
           "HSET rq:job:X1 created_at 2026-01-01T00:00:00.000000Z origin default status failed "
           "timeout 180 description app.export data x",
           "ZADD rq:failed:default {s+600} X1"});
    run(before);
    const PrimitivePtr target = queue("default");
    Actor actor(m_server.url());
    QVERIFY(target && actor.open());
    const Result<Plan> plan = actor.plan(target, "queue.retry", {{"job", "X1"}});
    QVERIFY(plan);
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Succeeded);
    QVERIFY(TakenCheck::applies(*plan, receipt));
    run(after);
    const SystemClock clock;
    Connection reading(m_server.url());
    QVERIFY(openAndWait(reading));
    TakenCheck check(reading, *plan, receipt, target, clock, nullptr);
    std::optional<OutcomeSeen> seen;
    connect(&check, &TakenCheck::finished, this, [&](const OutcomeSeen& s) { seen = s; });
    check.start();
    QVERIFY(awaited([&] { return seen.has_value(); }));
    QVERIFY(seen->read);
    QVERIFY2(QRegularExpression(text).match(seen->text).hasMatch(), qPrintable(seen->text));
}

void TestLibraryResults::planningSaysWhyNot_data()
{
    QTest::addColumn<QByteArray>("setup");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<QString>("why");
    QTest::newRow("a failure of a child")
        << QByteArray("RPUSH bull:q:active 1 | HSET bull:q:1 name x data {} parentKey bull:p:1")
        << QByteArray("queue.dead-letter") << QByteArray("active") << u"has a parent"_s;
    QTest::newRow("a failure of a scheduler's job")
        << QByteArray("RPUSH bull:q:active 1 | HSET bull:q:1 name x data {} rjk nightly")
        << QByteArray("queue.dead-letter") << QByteArray("active") << u"scheduler nightly"_s;
    QTest::newRow("a failure of one with a deduplication key")
        << QByteArray("RPUSH bull:q:active 1 | HSET bull:q:1 name x data {} deid d1")
        << QByteArray("queue.dead-letter") << QByteArray("active") << u"deduplication key d1"_s;
    QTest::newRow("a removal of a parent")
        << QByteArray("ZADD bull:q:failed 5 1 | HSET bull:q:1 name x data {} | "
                      "SADD bull:q:1:dependencies bull:q:2")
        << QByteArray("queue.discard") << QByteArray("failed") << u"waits for its children"_s;
}

void TestLibraryResults::planningSaysWhyNot()
{
    QFETCH(const QByteArray, setup);
    QFETCH(const QByteArray, action);
    QFETCH(const QByteArray, state);
    QFETCH(const QString, why);
    lines({"HSET bull:q:meta version bullmq:5.81.5 opts.maxLenEvents 10000",
           "XADD bull:q:events * event added jobId 1"});
    for (const QByteArray& line : setup.split('|'))
        lines({line.trimmed()});
    std::map<QByteArray, QByteArray> values{{"all", ""}};
    if (action == "queue.discard") // others take jobs of one state alone
        values["state"] = state;
    const Result<Plan> plan = planned("q", action, values);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotPossible);
    QVERIFY2(plan.error().detail.contains(why), qPrintable(plan.error().detail));
}

void TestLibraryResults::someAreLeftOut()
{
    lines({"HSET bull:q:meta version bullmq:5.81.5 opts.maxLenEvents 10000",
           "XADD bull:q:events * event added jobId 1", "ZADD bull:q:failed 5 1 6 2",
           "HSET bull:q:1 name x data {}", "HSET bull:q:2 name x data {}",
           "SADD bull:q:1:dependencies bull:q:3"});
    const Result<Plan> plan = planned("q", "queue.discard", {{"all", ""}, {"state", "failed"}});
    QVERIFY(plan);
    QCOMPARE(plan->objects, 1);
    QVERIFY2(plan->consequence.contains(u"1 job"_s) &&
                 plan->consequence.contains(u"waits for its children"_s),
             qPrintable(plan->consequence));
}

LK_TEST(TestLibraryResults);
#include "tst_libraryresults.moc"
