// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/queueclient.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Celery itself writes the keys and reports its own counts.
class TestCelery : public QObject
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

    void countsAsTheLibraryDoes_data() { prefixRows(u"{acme}"_s); }
    void countsAsTheLibraryDoes();
    void tellsThatNoWorkerListens();
    void anOldTaskIsStuckWhereTheTimeoutIsDeclared();
    void theLibraryGoesOnAfterEachAction_data() { prefixRows(u"{acme}"_s); }
    void theLibraryGoesOnAfterEachAction();
    void whatIsPushedIsTaken_data() { prefixRows(u"{acme}"_s); }
    void whatIsPushedIsTaken();
};

void TestCelery::countsAsTheLibraryDoes()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/celery_queue.py"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QVERIFY2(queue.found(), queue.text());
    QCOMPARE(queue.layout(), u"celery"_s);
    QCOMPARE(queue.count("waiting"), counts["ready"_L1].toInt());
    QCOMPARE(queue.count("unacked") + queue.count("eta"), counts["unacked"_L1].toInt());
    QCOMPARE(queue.count("eta"), 1);
    QCOMPARE(queue.workers(), QStringList{u"first@host ? -1"_s});
    QCOMPARE(queue.stuck(), 0);
    const QueueSnapshot other(m_server, counts["other"_L1].toString());
    QCOMPARE(other.count("waiting"), counts["other_ready"_L1].toInt());
    QCOMPARE(other.count("unacked"), 0);
    QCOMPARE(queue.others(), QByteArrayList());
    QCOMPARE(queue.taken().list("queues").size(), 2);
    QCOMPARE(client.ask("count"), counts);
}

// Two are with the worker that died, one of which it had only prefetched; the third is due later.
void TestCelery::tellsThatNoWorkerListens()
{
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/celery_queue.py"_s, {QString()});
    QVERIFY2(!counts.isEmpty(), client.output());
    QVERIFY(!client.ask("die").isEmpty());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QCOMPARE(queue.workers(), QStringList{u"first@host dead -1"_s});
    QCOMPARE(queue.stuck(), 2);
    QVERIFY2(queue.findings().contains("queue-stuck"), queue.text());
}

void TestCelery::anOldTaskIsStuckWhereTheTimeoutIsDeclared()
{
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/celery_queue.py"_s, {QString()});
    QVERIFY2(!counts.isEmpty(), client.output());
    QVERIFY(!client.ask("age 4000").isEmpty());
    QCOMPARE(QueueSnapshot(m_server, u"celery"_s).stuck(), 0);
    const Config config = configOf("[[queue]]\nkey = \"celery\"\nlayout = \"celery\"\n"
                                   "stuck_after = \"1h\"\n");
    QCOMPARE(QueueSnapshot(m_server, u"celery"_s, config).stuck(), 2);
}

void TestCelery::theLibraryGoesOnAfterEachAction()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"python/celery_queue.py"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    const QString name = before["queue"_L1].toString();
    QVERIFY(actOn(m_server, QueueSnapshot(m_server, name), "queue.requeue", {{"all", "1"}}) !=
            u"succeeded"_s); // a worker listens
    client.ask("die");
    const QueueSnapshot queue(m_server, name);
    QCOMPARE(actOn(m_server, queue, "queue.requeue", {{"all", "1"}}), u"succeeded"_s);
    const QJsonObject moved = client.ask("count");
    QCOMPARE(moved["unacked"_L1].toInt(), 1);
    QCOMPARE(moved["ready"_L1].toInt(), before["ready"_L1].toInt() + 2);
    const QJsonObject after = client.ask("work");
    QCOMPARE(after["ready"_L1].toInt(), 0);
    QCOMPARE(after["unacked"_L1].toInt(), 1); // due in an hour
    const QByteArray later = before["eta"_L1].toString().toUtf8();
    QCOMPARE(actOn(m_server, queue, "queue.discard", {{"job", later}, {"state", "eta"}}),
             u"succeeded"_s);
    QCOMPARE(client.ask("count")["unacked"_L1].toInt(), 0);
}

void TestCelery::whatIsPushedIsTaken()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"python/celery_queue.py"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    client.ask("die");
    const QString name = before["queue"_L1].toString();
    const QueueSnapshot queue(m_server, name);
    QCOMPARE(actOn(m_server, queue, "queue.requeue", {{"all", "1"}}), u"succeeded"_s);
    const QByteArray given = R"([1, null, {"a": [true]}])";
    QCOMPARE(
        actOn(m_server, queue, "queue.push", {{"name", "celery_queue.prove"}, {"payload", given}}),
        u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.push",
                   {{"name", "celery_queue.prove"}, {"payload", R"({"who": "Ada"})"}}),
             u"succeeded"_s);
    const QJsonObject pushed = client.ask("count");
    QCOMPARE(pushed["ready"_L1].toInt(), before["ready"_L1].toInt() + 4);
    QCOMPARE(QueueSnapshot(m_server, name).count("waiting"), pushed["ready"_L1].toInt());
    QCOMPARE(client.ask("work")["ready"_L1].toInt(-1), 0);
    const Reply proof = m_server.run({"LRANGE", "proof", "0", "-1"});
    QCOMPARE(proof.items.size(), size_t(2));
    QCOMPARE(proof.items[0].text, "[" + given + ", {}]");
    QCOMPARE(proof.items[1].text, QByteArray(R"([[], {"who": "Ada"}])"));
}

LK_TEST(TestCelery);
#include "tst_celery.moc"
