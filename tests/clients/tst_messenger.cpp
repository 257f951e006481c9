// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/queueclient.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Symfony's Messenger itself makes the stream and its group, and reports its own counts.
class TestMessenger : public QObject
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

    void countsAsTheLibraryDoes_data() { prefixRows(u"{acme-7}:"_s); }
    void countsAsTheLibraryDoes();
    void tellsAMessageThatNobodyAcknowledges();
    void theLibraryGoesOnAfterEachAction_data() { prefixRows(u"{acme-7}:"_s); }
    void theLibraryGoesOnAfterEachAction();
};

void TestMessenger::countsAsTheLibraryDoes()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"php/messenger.php"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const QueueSnapshot queue(m_server, counts["queue"_L1].toString());
    QVERIFY2(queue.found(), queue.text());
    QCOMPARE(queue.layout(), u"stream-group"_s);
    QCOMPARE(queue.count("waiting"), counts["waiting"_L1].toInt());
    QCOMPARE(queue.count("pending"), counts["pending"_L1].toInt());
    QCOMPARE(queue.count("delayed"), counts["delayed"_L1].toInt());
    QCOMPARE(queue.workers(), QStringList{u"first alive 1"_s});
    QCOMPARE(queue.stuck(), 0);
    QCOMPARE(queue.others(), QByteArrayList());
    QCOMPARE(queue.taken().list("queues").size(), 1);
    QCOMPARE(client.ask("count"), counts);
}

void TestMessenger::tellsAMessageThatNobodyAcknowledges()
{
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"php/messenger.php"_s, {QString()}).isEmpty(), client.output());
    QVERIFY(!client.ask("die").isEmpty());
    const Config config = configOf("[[queue]]\nkey = \"messages\"\nlayout = \"stream-group\"\n"
                                   "stuck_after = \"100ms\"\n");
    QTRY_COMPARE(QueueSnapshot(m_server, u"messages"_s, config).stuck(), 1);
}

void TestMessenger::theLibraryGoesOnAfterEachAction()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject before = client.start(u"php/messenger.php"_s, {prefix});
    QVERIFY2(!before.isEmpty(), client.output());
    const QString name = before["queue"_L1].toString();
    client.ask("die");
    client.ask("work"); // a second consumer handles what waited
    QCOMPARE(client.ask("count")["pending"_L1].toInt(), 1);
    const Config config = configOf("[[queue]]\nkey = \"" + name.toUtf8() +
                                   "\"\nlayout = \"stream-group\"\nstuck_after = \"1s\"\n");
    QTRY_COMPARE(QueueSnapshot(m_server, name, config).stuck(), 1);
    const QueueSnapshot queue(m_server, name, config);
    QCOMPARE(actOn(m_server, queue, "queue.requeue", {{"all", "1"}}), u"succeeded"_s);
    QCOMPARE(client.ask("work")["pending"_L1].toInt(), 0);
}

LK_TEST(TestMessenger);
#include "tst_messenger.moc"
