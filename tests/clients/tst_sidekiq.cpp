// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/queueclient.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Sidekiq itself writes the keys, with its own fetcher and with GitLab's, and reports its counts.
class TestSidekiq : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("ruby");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void countsAsTheLibraryDoes_data() { fetchers(); }
    void countsAsTheLibraryDoes();
    void throughputIsWhatTheLibraryCounts_data() { fetchers(); }
    void throughputIsWhatTheLibraryCounts();
    void tellsJobsOfADeadProcess();
    void schedulesAreNoQueue();
    void theLibraryGoesOnAfterEachAction();
    void whatIsPushedIsTaken();
    void whatIsBuriedAndCleanedIsCounted();

private:
    static void fetchers()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("its own names") << QStringList{QString()};
        QTest::newRow("a namespace, a reliable fetcher")
            << QStringList{u"{acme-7}:mail"_s, u"reliable"_s};
    }
};

void TestSidekiq::countsAsTheLibraryDoes()
{
    QFETCH(const QStringList, arguments);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"ruby/sidekiq.rb"_s, arguments);
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QVERIFY2(queue.found(), queue.text());
    QCOMPARE(queue.layout(), u"sidekiq"_s);
    QCOMPARE(queue.count("enqueued"), counts["enqueued"_L1].toInt());
    QCOMPARE(queue.count("busy"), counts["busy"_L1].toInt());
    QCOMPARE(queue.count("retries"), counts["retries"_L1].toInt());
    QCOMPARE(queue.count("dead"), counts["dead"_L1].toInt());
    const QueueSnapshot other(m_server, counts["other"_L1].toString());
    QCOMPARE(other.count("enqueued"), counts["other_enqueued"_L1].toInt());
    QCOMPARE(queue.count("scheduled") + other.count("scheduled"), counts["scheduled"_L1].toInt());
    QCOMPARE(other.count("retries"), 0);
    const QString process = counts["processes"_L1].toArray().first().toString();
    QCOMPARE(queue.workers(), QStringList{process + u" alive 2"_s});
    QCOMPARE(queue.stuck(), 0);
    QCOMPARE(queue.others(), QByteArrayList());
    QCOMPARE(queue.taken().list("queues").size(), 2);
    QCOMPARE(client.ask("count"), counts);
}

// A process counts with its heartbeat.
void TestSidekiq::throughputIsWhatTheLibraryCounts()
{
    QFETCH(const QStringList, arguments);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"ruby/sidekiq.rb"_s, arguments);
    QVERIFY2(!counts.isEmpty(), client.output());
    const QByteArray name = counts["queue"_L1].toString().toUtf8();
    const auto told = [&] { return takeSnapshot(m_server.url()).named("queues", name); };
    const auto processed = [&] {
        const QJsonObject queue = told();
        return queue["completed_total"_L1].toInt(-1) + queue["failed_total"_L1].toInt(-1);
    };
    QTRY_COMPARE_WITH_TIMEOUT(client.ask("count")["processed"_L1].toInt(), 4, 30'000);
    QCOMPARE(processed(), 4);
    QCOMPARE(told()["failed_total"_L1].toInt(), 3);
    QCOMPARE(told()["totals_of"_L1].toString(), u"all-queues"_s);
    QCOMPARE(told()["waited_ms"_L1]["jobs"_L1].toInt(), 2); // those in progress
    QVERIFY(told()["ran_ms"_L1].isNull());
}

void TestSidekiq::tellsJobsOfADeadProcess()
{
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"ruby/sidekiq.rb"_s, {QString(), u"reliable"_s});
    QVERIFY2(!counts.isEmpty(), client.output());
    QVERIFY(!client.ask("die").isEmpty());
    QVERIFY(!client.ask("forget").isEmpty());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QCOMPARE(queue.count("busy"), 2);
    QCOMPARE(queue.stuck(), 2);
    QVERIFY2(queue.findings().contains("queue-stuck"), queue.text());
    const QString process = counts["processes"_L1].toArray().first().toString();
    QCOMPARE(queue.workers(), QStringList{process + u" dead 0"_s});
}

// sidekiq-cron keeps what it has enqueued in lists and sets of its own.
void TestSidekiq::schedulesAreNoQueue()
{
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"ruby/sidekiq_cron.rb"_s, {u"acme"_s});
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, u"default"_s);
    QCOMPARE(queue.count("enqueued"), counts["enqueued"_L1].toInt());
    QCOMPARE(queue.taken().list("queues").size(), 1);
    QCOMPARE(queue.others(), QByteArrayList());
}

void TestSidekiq::theLibraryGoesOnAfterEachAction()
{
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"ruby/sidekiq.rb"_s, {QString(), u"reliable"_s});
    QVERIFY2(!before.isEmpty(), client.output());
    QVERIFY(actOn(m_server, QueueSnapshot(m_server, u"default"_s), "queue.requeue",
                  {{"all", "1"}}) != u"succeeded"_s); // its process has a heartbeat
    client.ask("die");
    client.ask("forget");
    const QueueSnapshot queue(m_server, u"default"_s);
    QCOMPARE(actOn(m_server, queue, "queue.requeue", {{"all", "1"}}), u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.retry",
                   {{"job", before["failed_jid"_L1].toString().toUtf8()}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.retry",
                   {{"job", before["dead_jid"_L1].toString().toUtf8()}, {"state", "dead"}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.discard", {{"all", "1"}, {"state", "retries"}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.promote", {{"all", "1"}}), u"succeeded"_s);
    const QJsonObject moved = client.ask("count");
    QCOMPARE(moved["working"_L1].toInt(), 0);
    QCOMPARE(moved["retries"_L1].toInt(), 0);
    QCOMPARE(moved["dead"_L1].toInt(), 0);
    QCOMPARE(moved["scheduled"_L1].toInt(), 1); // of the other queue
    QCOMPARE(moved["enqueued"_L1].toInt(), before["enqueued"_L1].toInt() + 5);
    const QJsonObject after = client.ask("work");
    QCOMPARE(after["enqueued"_L1].toInt(), 0);
    QCOMPARE(after["retries"_L1].toInt(), 0);
    QCOMPARE(after["dead"_L1].toInt(), 0);
    const int others = before["other_enqueued"_L1].toInt();
    QCOMPARE(after["processed"_L1].toInt() - before["processed"_L1].toInt(),
             before["enqueued"_L1].toInt() + 5 + others);
}

void TestSidekiq::whatIsPushedIsTaken()
{
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"ruby/sidekiq.rb"_s, {QString()});
    QVERIFY2(!before.isEmpty(), client.output());
    client.ask("die");
    client.ask("forget");
    const QueueSnapshot queue(m_server, u"default"_s);
    const QByteArray given = R"([1,null,{"a":[true]}])";
    QCOMPARE(actOn(m_server, queue, "queue.push", {{"name", "ProveJob"}, {"payload", given}}),
             u"succeeded"_s);
    QCOMPARE(client.ask("count")["enqueued"_L1].toInt(), before["enqueued"_L1].toInt() + 1);
    QCOMPARE(client.ask("work")["enqueued"_L1].toInt(-1), 0);
    QCOMPARE(m_server.run({"LRANGE", "proof", "0", "-1"}).items.size(), size_t(1));
    QCOMPARE(m_server.run({"LINDEX", "proof", "0"}).text, given);
}

void TestSidekiq::whatIsBuriedAndCleanedIsCounted()
{
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"ruby/sidekiq.rb"_s, {QString()});
    QVERIFY2(!before.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, u"default"_s);
    QCOMPARE(actOn(m_server, queue, "queue.dead-letter",
                   {{"job", before["failed_jid"_L1].toString().toUtf8()}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, queue, "queue.dead-letter", {{"all", "1"}, {"state", "scheduled"}}),
             u"succeeded"_s);
    const QJsonObject buried = client.ask("count");
    QCOMPARE(buried["retries"_L1].toInt(), before["retries"_L1].toInt() - 1);
    QCOMPARE(buried["scheduled"_L1].toInt(), 1); // of the other queue
    QCOMPARE(buried["dead"_L1].toInt(), before["dead"_L1].toInt() + 2);
    QCOMPARE(QueueSnapshot(m_server, u"default"_s).count("dead"), buried["dead"_L1].toInt());
    // A job that was killed by hand can be retried, as on Sidekiq's own page.
    QCOMPARE(actOn(m_server, QueueSnapshot(m_server, u"default"_s), "queue.retry",
                   {{"job", before["failed_jid"_L1].toString().toUtf8()}, {"state", "dead"}}),
             u"succeeded"_s);
    QCOMPARE(actOn(m_server, QueueSnapshot(m_server, u"default"_s), "queue.discard-old",
                   {{"older-than", "1ms"}}),
             u"succeeded"_s);
    const QJsonObject cleaned = client.ask("count");
    QCOMPARE(cleaned["dead"_L1].toInt(-1), 0);
    QCOMPARE(cleaned["enqueued"_L1].toInt(), before["enqueued"_L1].toInt() + 1);
}

LK_TEST(TestSidekiq);
#include "tst_sidekiq.moc"
