// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/queueclient.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Sidekiq itself makes the keys, with its own fetcher and with GitLab's, and tells what it counts.
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
    QCOMPARE(actOn(m_server, queue, "queue.remove", {{"all", "1"}, {"state", "retries"}}),
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

QTEST_GUILESS_MAIN(TestSidekiq)
#include "tst_sidekiq.moc"
