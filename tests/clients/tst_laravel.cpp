// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/queueclient.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Laravel itself writes the keys and reports its own counts.
class TestLaravel : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("php");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void countsAsTheLibraryDoes_data() { prefixRows(u"{acme-7}"_s); }
    void countsAsTheLibraryDoes();
    void tellsAnOverdueJob_data() { prefixRows(u"{acme-7}"_s); }
    void tellsAnOverdueJob();
    void theLibraryGoesOnAfterEachAction_data() { prefixRows(u"{acme-7}"_s); }
    void theLibraryGoesOnAfterEachAction();
    void whatIsPushedIsTaken_data() { prefixRows(u"{acme-7}"_s); }
    void whatIsPushedIsTaken();
};

void TestLaravel::countsAsTheLibraryDoes()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"php/laravel_queue.php"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QVERIFY2(queue.found(), queue.text());
    QCOMPARE(queue.layout(), u"laravel-queue"_s);
    QCOMPARE(queue.count("pending"), counts["ready"_L1].toInt());
    QCOMPARE(queue.count("reserved"), counts["reserved"_L1].toInt());
    QCOMPARE(queue.count("delayed"), counts["delayed"_L1].toInt());
    QCOMPARE(queue.sum("ready") + queue.sum("processing") + queue.sum("delayed"),
             counts["size"_L1].toInt());
    QCOMPARE(queue.stuck(), 0);
    QCOMPARE(queue.others(), QByteArrayList());
    QCOMPARE(queue.taken().list("queues").size(), 1);
    QCOMPARE(client.ask("count"), counts);
}

void TestLaravel::tellsAnOverdueJob()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"php/laravel_queue.php"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    QVERIFY(!client.ask("die").isEmpty());
    QVERIFY(!client.ask("age 100").isEmpty());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QCOMPARE(queue.stuck(), 1);
    QVERIFY2(queue.findings().contains("queue-stuck"), queue.text());
}

void TestLaravel::theLibraryGoesOnAfterEachAction()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"php/laravel_queue.php"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    const QByteArray reserved = before["long"_L1].toString().toUtf8();
    const QString name = before["queue"_L1].toString();
    client.ask("die");
    QVERIFY(actOn(m_server, QueueSnapshot(m_server, name), "queue.requeue", {{"job", reserved}}) !=
            u"succeeded"_s); // its time is not over
    client.ask("age 100");
    const QueueSnapshot queue(m_server, name);
    QCOMPARE(actOn(m_server, queue, "queue.requeue", {{"job", reserved}}), u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.promote", {{"all", "1"}}), u"succeeded"_s);
    const QJsonObject moved = client.ask("count");
    QCOMPARE(moved["reserved"_L1].toInt(), 0);
    QCOMPARE(moved["delayed"_L1].toInt(), 0);
    QCOMPARE(moved["ready"_L1].toInt(), before["size"_L1].toInt());
    QCOMPARE(actOn(m_server, queue, "queue.discard", {{"job", reserved}}), u"succeeded"_s);
    QCOMPARE(client.ask("count")["size"_L1].toInt(), before["size"_L1].toInt() - 1);
    QCOMPARE(client.ask("work")["size"_L1].toInt(), 0);
}

void TestLaravel::whatIsPushedIsTaken()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"php/laravel_queue.php"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    client.ask("die");
    const QueueSnapshot queue(m_server, before["queue"_L1].toString());
    const QByteArray stem = prefix.isEmpty() ? "laravel_database_" : prefix.toUtf8();
    const QByteArray given = R"({"to":[1,null,true]})";
    QCOMPARE(actOn(m_server, queue, "queue.push", {{"name", "ProveJob@prove"}, {"payload", given}}),
             u"succeeded"_s);
    const QJsonObject pushed = client.ask("count");
    QCOMPARE(pushed["ready"_L1].toInt(), before["ready"_L1].toInt() + 1);
    QCOMPARE(QueueSnapshot(m_server, before["queue"_L1].toString()).count("pending"),
             pushed["ready"_L1].toInt());
    QCOMPARE(client.ask("work")["ready"_L1].toInt(-1), 0);
    QCOMPARE(m_server.run({"LINDEX", stem + "proof", "0"}).text, given);
}

LK_TEST(TestLaravel);
#include "tst_laravel.moc"
