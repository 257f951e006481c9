// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/keyedsnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Rate limiters of Python, Ruby and PHP themselves make the keys, and tell what is left.
class TestWebLimiters : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("python");
        LK_NEEDS_CLIENTS("ruby");
        LK_NEEDS_CLIENTS("php");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void limits_data() { prefixRows(u"acme:"_s); }
    void limits();
    void flaskLimiter_data() { prefixRows(u"acme:"_s); }
    void flaskLimiter();
    void rackAttack_data() { prefixRows(u"acme:"_s); }
    void rackAttack();
    void laravel_data() { prefixRows(u"acme:"_s); }
    void laravel();
};

// The limit and its window are in the name.
void TestWebLimiters::limits()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"python/limits_client.py"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    for (const char* name : {"fixed", "elastic", "moving"}) {
        const QJsonObject theirs = counts[QLatin1String(name)].toObject();
        const QJsonObject ours = withKey(taken, "limiters", theirs["key"_L1].toString());
        QVERIFY2(!ours.isEmpty(), taken.text.constData());
        QVERIFY2(ours["layout"_L1].toString().startsWith(u"limits-"), name);
        QCOMPARE(ours["limit"_L1], theirs["limit"_L1]);
        QCOMPARE(ours["window_ms"_L1].toInt(), theirs["window_s"_L1].toInt() * 1000);
        QCOMPARE(ours["remaining"_L1], theirs["remaining"_L1]);
    }
    QCOMPARE(taken.list("limiters").size(), 3);
}

void TestWebLimiters::flaskLimiter()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    QVERIFY2(!client.start(u"python/flask_limits.py"_s, {prefix}).isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject login = withKey(taken, "limiters", u"/192.0.2.1/login/3/1/minute"_s);
    QCOMPARE(login["limit"_L1].toInt(), 3);
    QCOMPARE(login["remaining"_L1].toInt(), 0);
    const QJsonObject search = withKey(taken, "limiters", u"/192.0.2.2/search/200/1/day"_s);
    QCOMPARE(search["limit"_L1].toInt(), 200);
    QCOMPARE(search["occupancy"_L1].toInt(), 1);
    QCOMPARE(taken.list("limiters").size(), 3);
}

// Its period is in the number that stands in the name, the limit is the application's alone.
void TestWebLimiters::rackAttack()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"ruby/rack_attack.rb"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject login = withKey(taken, "limiters", u":logins/ip:192.0.2.1"_s);
    QVERIFY2(!login.isEmpty(), taken.text.constData());
    QCOMPARE(login["layout"_L1].toString(), u"rack-attack"_s);
    QCOMPARE(login["occupancy"_L1].toInt(), 7);
    QCOMPARE(login["window_ms"_L1].toInt(), counts["period_s"_L1].toInt() * 1000);
    QVERIFY(login["limit"_L1].isNull());
    QVERIFY(!withKey(taken, "limiters", u"fail2ban:ban:scan-192.0.2.3"_s).isEmpty());
}

void TestWebLimiters::laravel()
{
    QFETCH(const QString, prefix);
    ClientProcess client(m_server);
    const QJsonObject counts = client.start(u"php/laravel_cache.php"_s, {prefix});
    QVERIFY2(!counts.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject login = withKey(taken, "limiters", u"login:ada|192.0.2.1"_s);
    QVERIFY2(!login.isEmpty(), taken.text.constData());
    QCOMPARE(login["layout"_L1].toString(), u"laravel-rate-limiter"_s);
    QCOMPARE(login["occupancy"_L1], counts["attempts"_L1]);
    const QJsonObject reports = withKey(taken, "limiters", u"reports"_s);
    QCOMPARE(reports["layout"_L1].toString(), u"laravel-throttle"_s);
    QCOMPARE(reports["window_ms"_L1].toInt(), 60'000);
}

LK_TEST(TestWebLimiters);
#include "tst_weblimiters.moc"
