// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclrules.h"
#include "backend/redis/topology/sentinelwatch.h"
#include "backend/text/errortext.h"
#include "tests/support/faultserver.h"
#include "tests/support/redissentinel.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"

using namespace lk;
using namespace lk::test;

using Address = ServerUrl::Address;

namespace {

constexpr int patienceMs = 60'000;

/// A watch, and what it told in order.
struct Watching
{
    explicit Watching(const ServerUrl& url)
        : watch(url)
    {
        QObject::connect(&watch, &SentinelWatch::masterFound, &watch,
                         [this](const Address& address) { found.push_back(address); });
        QObject::connect(&watch, &SentinelWatch::failed, &watch,
                         [this](const Error& error) { errors.push_back(error); });
        watch.open();
    }

    bool waitFor(const Address& address) const
    {
        return QTest::qWaitFor([&] { return !found.empty() && found.back() == address; },
                               patienceMs);
    }
    bool waitForError() const
    {
        return QTest::qWaitFor([&] { return !errors.empty(); }, patienceMs);
    }

    SentinelWatch watch;
    std::vector<Address> found;
    std::vector<Error> errors;
};

QByteArray bulk(const QByteArray& text)
{
    return '$' + QByteArray::number(text.size()) + "\r\n" + text + "\r\n";
}

QByteArray array(std::initializer_list<QByteArray> items)
{
    QByteArray bytes = '*' + QByteArray::number(qsizetype(items.size())) + "\r\n";
    for (const QByteArray& item : items)
        bytes += bulk(item);
    return bytes;
}

/// A Sentinel that says what a test wants, to show what real ones say for a moment only.
struct ScriptedSentinel
{
    explicit ScriptedSentinel(quint16 masterPort, int configEpoch)
        : port(masterPort)
        , epoch(configEpoch)
    {
        server.answerBy("SENTINEL", [this](const Command& command) { return answer(command); });
        server.answer("SUBSCRIBE", "-NOPERM no channels\r\n");
    }

    QByteArray answer(const Command& command) const
    {
        const QByteArray what = command.args()[1].toUpper();
        if (what == "GET-MASTER-ADDR-BY-NAME")
            return array({"10.0.0.5", QByteArray::number(port)});
        if (what == "MASTER")
            return array({"ip", "10.0.0.5", "config-epoch", QByteArray::number(epoch)});
        return what == "SENTINELS" ? QByteArray("*0\r\n") : bulk("id-" + QByteArray::number(epoch));
    }
    Address address() const { return {QStringLiteral("127.0.0.1"), server.url().port}; }
    void goAway()
    {
        server.stopListening();
        server.closeAll();
    }

    FaultServer server;
    quint16 port;
    int epoch;
};

Address master(quint16 port)
{
    return {QStringLiteral("10.0.0.5"), port};
}

ServerUrl group(std::initializer_list<const ScriptedSentinel*> sentinels)
{
    ServerUrl url;
    url.deployment = ServerUrl::Deployment::Sentinel;
    url.masterName = QStringLiteral("mymaster");
    for (const ScriptedSentinel* each : sentinels)
        url.others.push_back(each->address());
    url.port = url.others.front().port;
    url.others.erase(url.others.begin());
    return url;
}

} // namespace

class TestSentinelWatch : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_group.start()); }
    void learnsOfTheOtherSentinels();
    void aFailoverIsNoticedByItself();
    void aDeadMasterIsReplaced();
    void aDeadSentinelIsNoHindrance();
    void aSilentSentinelIsNoHindrance();
    void anUnknownNameIsSaid();
    void asksAgainWhenAsked();
    void logsInAtTheSentinels_data();
    void logsInAtTheSentinels();
    void aUserWhoMayDoNoMoreThanThat();
    void whatIsNoSentinelIsSaid();
    void nobodyThereIsSaidAndComesBack();
    void theNewestConfigurationCounts_data();
    void theNewestConfigurationCounts();
    void oneThatLagsBehindIsNotBelievedLater();
    void mostOfThemAreBelieved();
    void asksThoseThatTellNothing();
    void oneByTwoNamesIsOne();

private:
    RedisSentinel m_group;
};

void TestSentinelWatch::learnsOfTheOtherSentinels()
{
    Watching one(m_group.url(1));
    QVERIFY(one.waitFor(m_group.masterAddress()));
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.subscribed(), RedisSentinel::size, patienceMs);
    QCOMPARE(int(one.found.size()), 1); // that more say the same is no news
    QVERIFY(one.errors.empty());
}

void TestSentinelWatch::aFailoverIsNoticedByItself()
{
    Watching one(m_group.url());
    QVERIFY(one.waitFor(m_group.masterAddress()));
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.subscribed(), RedisSentinel::size, patienceMs);
    QVERIFY(m_group.failover());
    QVERIFY(one.waitFor(m_group.masterAddress()));
    QCOMPARE(int(one.found.size()), 2);
}

void TestSentinelWatch::aDeadMasterIsReplaced()
{
    Watching one(m_group.url());
    QVERIFY(one.waitFor(m_group.masterAddress()));
    const int before = m_group.masterIndex();
    m_group.killMaster();
    QVERIFY(m_group.waitForOtherMaster(before));
    QVERIFY(one.waitFor(m_group.masterAddress()));
    QVERIFY(m_group.startKilled());
}

void TestSentinelWatch::aDeadSentinelIsNoHindrance()
{
    m_group.sentinel(0).stop();
    Watching one(m_group.url());
    QVERIFY(one.waitFor(m_group.masterAddress()));
    QVERIFY(one.errors.empty());
    QVERIFY(m_group.sentinel(0).startAgain());
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.subscribed(), RedisSentinel::size, patienceMs);
}

// It takes the connection and says nothing: the others are not waited for long because of it.
void TestSentinelWatch::aSilentSentinelIsNoHindrance()
{
    const Address known = m_group.masterAddress();
    m_group.sentinel(0).freeze();
    Watching one(m_group.url());
    const bool found = one.waitFor(known);
    const int answering = one.watch.answering();
    m_group.sentinel(0).thaw();
    QVERIFY(found);
    QCOMPARE(answering, RedisSentinel::size - 1);
}

void TestSentinelWatch::anUnknownNameIsSaid()
{
    ServerUrl url = m_group.url();
    url.masterName = QStringLiteral("other");
    Watching one(url);
    QVERIFY(one.waitForError());
    QVERIFY(one.found.empty());
    QCOMPARE(one.errors.front().code, ErrorCode::NotFound);
    const QString text = errorText(one.errors.front());
    QVERIFY2(text.contains(QStringLiteral("the master other (")), qPrintable(text));
    for (int i = 0; i < RedisSentinel::size; ++i) {
        const QString each = m_group.sentinel(i).address().text();
        QVERIFY2(text.contains(each + QStringLiteral(": no master of that name")),
                 qPrintable(text));
    }
}

void TestSentinelWatch::asksAgainWhenAsked()
{
    Watching one(m_group.url());
    QVERIFY(one.waitFor(m_group.masterAddress()));
    const size_t before = one.found.size();
    one.watch.ask();
    one.watch.ask(); // one answer for both
    QTRY_COMPARE_WITH_TIMEOUT(one.found.size(), before + 1, patienceMs);
    one.watch.close();
    one.watch.ask();
    one.watch.open();
    QTRY_COMPARE_WITH_TIMEOUT(one.found.size(), before + 2, patienceMs);
}

void TestSentinelWatch::logsInAtTheSentinels_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::newRow("with a password") << QByteArray();
    QTest::newRow("with a user of their own, the default one being off") << QByteArray("guard");
}

void TestSentinelWatch::logsInAtTheSentinels()
{
    QFETCH(QByteArray, user);
    RedisSentinel closed;
    closed.setSentinelUser(user);
    closed.setSentinelPassword("s3cret");
    closed.setPassword("of-the-servers");
    QVERIFY(closed.start());
    Watching right(closed.url());
    QVERIFY(right.waitFor(closed.masterAddress()));
    QTRY_COMPARE_WITH_TIMEOUT(right.watch.subscribed(), RedisSentinel::size, patienceMs);

    ServerUrl url = closed.url(2);
    url.sentinelPassword = QStringLiteral("wr0ng");
    Watching wrong(url);
    QVERIFY(wrong.waitForError());
    QCOMPARE(wrong.errors.front().code, ErrorCode::SentinelWrongPass);
    const QString text = errorText(wrong.errors.front());
    for (int i = 0; i < 2; ++i) {
        const QString each = closed.sentinel(i).address().text();
        QVERIFY2(text.contains(each), qPrintable(text));
    }
    for (const char* secret : {"s3cret", "wr0ng", "of-the-servers"})
        QVERIFY2(!text.contains(QLatin1String(secret)), qPrintable(text));

    // Without a password, the error is that the Sentinels need one. It is not that they do not know
    // the group, nor that another one is down.
    url.sentinelUser.clear();
    url.sentinelPassword.clear();
    closed.sentinel(1).stop();
    Watching none(url);
    QVERIFY(none.waitForError());
    const Error said = none.errors.front();
    QCOMPARE(said.code, ErrorCode::SentinelNoAuth);
    QCOMPARE(said.detail, closed.sentinel(0).address().text());
    QVERIFY(errorAdvice(said).contains(QLatin1String("sentinel_password")));
}

// As "lockkeeper acl --sentinel" prints it.
void TestSentinelWatch::aUserWhoMayDoNoMoreThanThat()
{
    RedisSentinel closed;
    closed.setSentinelUser("guard");
    closed.setSentinelPassword("s3cret");
    QVERIFY(closed.start());
    for (int i = 0; i < RedisSentinel::size; ++i) {
        for (const QByteArray& line : sentinelAclLines())
            QCOMPARE(closed.sentinel(i).run(parseCommand(line)).text, QByteArray("OK"));
    }
    ServerUrl url = closed.url();
    url.sentinelUser = QStringLiteral("lockkeeper");
    url.sentinelPassword = QStringLiteral("PASSWORD");
    Watching one(url);
    QVERIFY(one.waitFor(closed.masterAddress()));
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.subscribed(), RedisSentinel::size, patienceMs);
    for (int i = 0; i < RedisSentinel::size; ++i)
        QCOMPARE(closed.sentinel(i).run({"ACL", "LOG"}).items.size(), size_t(0)); // nothing denied
}

void TestSentinelWatch::whatIsNoSentinelIsSaid()
{
    ServerUrl url = m_group.url(1);
    url.port = m_group.server(0).port();
    Watching one(url);
    QVERIFY(one.waitForError());
    const QString text = errorText(one.errors.front());
    QVERIFY2(text.contains(QStringLiteral(": not a Sentinel")), qPrintable(text));
}

void TestSentinelWatch::nobodyThereIsSaidAndComesBack()
{
    SentinelProcess& only = m_group.sentinel(2);
    ServerUrl url = m_group.url(1);
    url.port = only.port();
    only.stop();
    Watching one(url);
    QVERIFY(one.waitForError());
    QCOMPARE(one.errors.front().code, ErrorCode::Network);
    const QString text = errorText(one.errors.front());
    QVERIFY2(text.contains(QStringLiteral("Connection refused by ") + only.address().text()),
             qPrintable(text));
    QVERIFY(only.startAgain());
    QVERIFY(one.waitFor(m_group.masterAddress()));
}

void TestSentinelWatch::theNewestConfigurationCounts_data()
{
    QTest::addColumn<bool>("staleFirst");
    QTest::newRow("stale first") << true;
    QTest::newRow("stale last") << false;
}

void TestSentinelWatch::theNewestConfigurationCounts()
{
    QFETCH(bool, staleFirst);
    const ScriptedSentinel newest(2, 7);
    const ScriptedSentinel stale(1, 6);
    const ScriptedSentinel alsoStale(1, 6); // that most say so makes it no truer
    Watching one(staleFirst ? group({&stale, &alsoStale, &newest})
                            : group({&newest, &stale, &alsoStale}));
    QVERIFY(one.waitFor(master(2)));
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.answering(), 3, 20'000);
    QCOMPARE(int(one.found.size()), 1);
}

void TestSentinelWatch::oneThatLagsBehindIsNotBelievedLater()
{
    ScriptedSentinel newest(2, 7);
    ScriptedSentinel another(2, 7);
    ScriptedSentinel stale(1, 6);
    Watching one(group({&newest, &another, &stale}));
    QVERIFY(one.waitFor(master(2)));
    newest.goAway();
    another.goAway();
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.answering(), 1, 20'000);
    one.watch.ask();
    QTRY_COMPARE_WITH_TIMEOUT(int(one.found.size()), 2, patienceMs);
    QCOMPARE(one.found.back(), master(2));
    stale.epoch = 8; // what it has heard of meanwhile is newer
    stale.port = 3;
    QVERIFY(one.waitFor(master(3)));
}

// After SENTINEL REMOVE and MONITOR all of them count from 0 again.
void TestSentinelWatch::mostOfThemAreBelieved()
{
    ScriptedSentinel first(2, 7);
    ScriptedSentinel second(2, 7);
    ScriptedSentinel third(2, 7);
    Watching one(group({&first, &second, &third}));
    QVERIFY(one.waitFor(master(2)));
    for (ScriptedSentinel* each : {&first, &second}) {
        each->epoch = 0;
        each->port = 3;
    }
    third.goAway();
    QVERIFY(one.waitFor(master(3)));
}

void TestSentinelWatch::asksThoseThatTellNothing()
{
    ScriptedSentinel only(1, 1);
    Watching one(group({&only}));
    QVERIFY(one.waitFor(master(1)));
    QCOMPARE(one.watch.subscribed(), 0);
    only.port = 2;
    only.epoch = 2;
    QVERIFY(one.waitFor(master(2)));
    QCOMPARE(only.server.receivedCount("SUBSCRIBE"), 2); // of the two channels, and not again
}

// A Sentinel of the URL that others call by another address.
void TestSentinelWatch::oneByTwoNamesIsOne()
{
    ServerUrl url = m_group.url();
    url.host = QStringLiteral("localhost");
    Watching one(url);
    QVERIFY(one.waitFor(m_group.masterAddress()));
    QTRY_COMPARE_WITH_TIMEOUT(one.watch.subscribed(), RedisSentinel::size, patienceMs);
    one.watch.ask();
    QTRY_COMPARE_WITH_TIMEOUT(int(one.found.size()), 2, patienceMs);
    QCOMPARE(one.watch.answering(), RedisSentinel::size);
}

LK_TEST(TestSentinelWatch);
#include "tst_sentinelwatch.moc"
