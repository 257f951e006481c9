// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/queueclient.h"
#include "tests/server/jobdetails.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// RQ itself writes the keys and reports its own counts.
class TestRq : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("python");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void countsAsTheLibraryDoes_data() { prefixRows(u"acme-7/jobs:"_s); }
    void countsAsTheLibraryDoes();
    void tellsTimesAndDependencies_data() { prefixRows(u"acme-7/jobs:"_s); }
    void tellsTimesAndDependencies();
    void tellsADeadWorkersJob_data() { prefixRows(u"acme-7/jobs:"_s); }
    void tellsADeadWorkersJob();
    void theLibraryGoesOnAfterEachAction_data() { prefixRows(u"acme-7/jobs:"_s); }
    void theLibraryGoesOnAfterEachAction();
    void whatIsPushedIsTaken_data() { prefixRows(u"acme-7/jobs:"_s); }
    void whatIsPushedIsTaken();
    void whatIsBuriedAndCleanedIsCounted_data() { prefixRows(u"acme-7/jobs:"_s); }
    void whatIsBuriedAndCleanedIsCounted();
    void suspendedWorkersTakeNothing();
};

void TestRq::countsAsTheLibraryDoes()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/rq_queue.py"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QVERIFY2(queue.found(), queue.text());
    QCOMPARE(queue.layout(), u"rq"_s);
    for (const char* state :
         {"queued", "started", "scheduled", "deferred", "failed", "finished", "canceled"})
        QVERIFY2(queue.count(state) == counts[QLatin1String(state)].toInt(), state);
    QCOMPARE(queue.workers(), QStringList{u"worker-one alive 1"_s});
    QCOMPARE(queue.stuck(), 0);
    QCOMPARE(queue.others(), QByteArrayList());
    QCOMPARE(queue.taken().list("queues").size(), 1);
    // rq:clean_registries:<queue> never has the prefix, so it cannot be matched to its queue.
    const int unknown = prefix.isEmpty() ? 0 : 1;
    QCOMPARE(queue.taken().scan()["keys_matched"_L1].toInt(),
             queue.taken().scan()["keys_scanned"_L1].toInt() - unknown);
    QCOMPARE(client.ask("count"), counts);
}

void TestRq::tellsTimesAndDependencies()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/rq_queue.py"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    const QJsonObject told = queue.taken().named("queues", counts["queue"_L1].toString().toUtf8());
    const QJsonArray ran = counts["ran_ms"_L1].toArray(); // two jobs, with microseconds
    QCOMPARE(told["ran_ms"_L1]["jobs"_L1].toInt(), int(ran.size()));
    QVERIFY(std::abs(told["ran_ms"_L1]["p50"_L1].toDouble() - ran[0].toDouble()) <= 1);
    QVERIFY(std::abs(told["ran_ms"_L1]["p99"_L1].toDouble() - ran[1].toDouble()) <= 1);
    QCOMPARE(told["waited_ms"_L1]["jobs"_L1].toInt(), int(ran.size()) + 1); // and who is at it
    const PrimitivePtr primitive = queue.primitive();
    QVERIFY(primitive);
    const QString job = counts["long"_L1].toString();
    const QString after = counts["after_long"_L1].toString();
    const QString key = QString::fromUtf8(primitive->id.name);
    QCOMPARE(linksOf(detailOf(m_server, primitive, {}, job.toUtf8())),
             QStringList{u"needed-by %1 %2 deferred"_s.arg(key, after)});
    QCOMPARE(linksOf(detailOf(m_server, primitive, {}, after.toUtf8())),
             QStringList{u"waits-for %1 %2 started"_s.arg(key, job)});
}

void TestRq::tellsADeadWorkersJob()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/rq_queue.py"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    QVERIFY(!client.ask("die").isEmpty());
    QVERIFY(!client.ask("age " + counts["long"_L1].toString().toUtf8()).isEmpty());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QCOMPARE(queue.stuck(), 1);
    QVERIFY2(queue.findings().contains("queue-stuck"), queue.text());
}

void TestRq::theLibraryGoesOnAfterEachAction()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"python/rq_queue.py"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    const QByteArray stuck = before["long"_L1].toString().toUtf8();
    const QJsonArray failed = before["failed_ids"_L1].toArray();
    const QString name = before["queue"_L1].toString();
    QVERIFY(actOn(m_server, QueueSnapshot(m_server, name), "queue.requeue", {{"job", stuck}}) !=
            u"succeeded"_s); // its worker is alive
    client.ask("die");
    client.ask("age " + stuck);
    const QueueSnapshot queue(m_server, name);
    QCOMPARE(actOn(m_server, queue, "queue.requeue", {{"job", stuck}}), u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.retry", {{"job", failed[0].toString().toUtf8()}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.discard", {{"job", failed[1].toString().toUtf8()}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.promote", {{"all", "1"}}), u"succeeded"_s);
    const QJsonObject moved = client.ask("count");
    QCOMPARE(moved["started"_L1].toInt(), 0);
    QCOMPARE(moved["failed"_L1].toInt(), 0);
    QCOMPARE(moved["scheduled"_L1].toInt(), 0);
    QCOMPARE(moved["queued"_L1].toInt(), before["queued"_L1].toInt() + 4);
    // The job that depends on the long one, a promoted greeting and all waiting jobs succeed. The
    // job that failed for a reason fails again, and one is scheduled to be retried in an hour.
    const QJsonObject after = client.ask("work");
    QCOMPARE(after["long_status"_L1].toString(), u"finished"_s);
    QCOMPARE(after["queued"_L1].toInt(), 0);
    QCOMPARE(after["deferred"_L1].toInt(), 0);
    QCOMPARE(after["failed"_L1].toInt(), 1);
    QCOMPARE(after["scheduled"_L1].toInt(), 1);
}

// Python reads the pickle that the console writes, in all of JSON's types.
void TestRq::whatIsPushedIsTaken()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"python/rq_queue.py"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    client.ask("die");
    const QueueSnapshot queue(m_server, before["queue"_L1].toString());
    const QByteArray given =
        R"(["\u00e9", 1, -5000000000, 2.5, null, true, false, [], {"a": [1]}])";
    QCOMPARE(actOn(m_server, queue, "queue.push", {{"name", "rq_queue.prove"}, {"payload", given}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.push",
                   {{"name", "rq_queue.prove"}, {"payload", R"({"who": "Ada"})"}}),
             u"succeeded"_s);
    const QJsonObject pushed = client.ask("count");
    QCOMPARE(pushed["queued"_L1].toInt(), before["queued"_L1].toInt() + 2);
    QCOMPARE(QueueSnapshot(m_server, before["queue"_L1].toString()).count("queued"),
             pushed["queued"_L1].toInt());
    QCOMPARE(client.ask("work")["queued"_L1].toInt(-1), 0);
    const Reply proof = m_server.run({"LRANGE", "proof", "0", "-1"});
    QCOMPARE(proof.items.size(), size_t(2));
    QCOMPARE(proof.items[0].text, "[" + given + ", {}]");
    QCOMPARE(proof.items[1].text, QByteArray(R"([[], {"who": "Ada"}])"));
}

void TestRq::whatIsBuriedAndCleanedIsCounted()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"python/rq_queue.py"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    const QByteArray stuck = before["long"_L1].toString().toUtf8();
    const QString name = before["queue"_L1].toString();
    QVERIFY(actOn(m_server, QueueSnapshot(m_server, name), "queue.dead-letter", {{"job", stuck}}) !=
            u"succeeded"_s); // its worker is alive
    client.ask("die");
    client.ask("age " + stuck);
    const QueueSnapshot queue(m_server, name);
    QCOMPARE(actOn(m_server, queue, "queue.dead-letter", {{"job", stuck}}), u"succeeded"_s);
    const QJsonObject buried = client.ask("count");
    QCOMPARE(buried["long_status"_L1].toString(), u"failed"_s);
    QCOMPARE(buried["started"_L1].toInt(), 0);
    QCOMPARE(buried["failed"_L1].toInt(), before["failed"_L1].toInt() + 1);
    QCOMPARE(actOn(m_server, queue, "queue.discard-old", {{"older-than", "1ms"}}), u"succeeded"_s);
    QCOMPARE(
        actOn(m_server, queue, "queue.discard-old", {{"older-than", "1ms"}, {"state", "failed"}}),
        u"succeeded"_s);
    const QJsonObject cleaned = client.ask("count");
    QCOMPARE(cleaned["finished"_L1].toInt(-1), 0);
    QCOMPARE(cleaned["failed"_L1].toInt(-1), 0);
    QCOMPARE(cleaned["queued"_L1].toInt(), before["queued"_L1].toInt());
}

void TestRq::suspendedWorkersTakeNothing()
{
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"python/rq_queue.py"_s, {QString()});
    QVERIFY2(!before.isEmpty(), client.output());
    QCOMPARE(before["suspended"_L1].toBool(true), false);
    const QString name = before["queue"_L1].toString();
    QCOMPARE(actOn(m_server, QueueSnapshot(m_server, name), "queue.pause", {}), u"succeeded"_s);
    QVERIFY(client.ask("count")["suspended"_L1].toBool());
    QCOMPARE(client.ask("work")["queued"_L1].toInt(), before["queued"_L1].toInt());
    QCOMPARE(actOn(m_server, QueueSnapshot(m_server, name), "queue.resume", {}), u"succeeded"_s);
    QCOMPARE(client.ask("work")["queued"_L1].toInt(-1), 0);
}

LK_TEST(TestRq);
#include "tst_rq.moc"
