// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a name: the subject, parts that look generated, and the position of a word.
#include "backend/libraries/detect/namehints.h"
#include "backend/libraries/families/limiters/limiternames.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

class TestNameHints : public QObject
{
    Q_OBJECT

private slots:
    void randomText_data();
    void randomText();
    void identities_data();
    void identities();
    void typedCodes();
    void whereAWordStands();
    void limiterWords();
};

void TestNameHints::randomText_data()
{
    QTest::addColumn<bool>("random");
    for (const char* text :
         {"c17bd6", "9c1d5b7a20e4f86b3d19", "62556984-2963-4021-a640-1f556ae9948d", "X7pQ2rLm",
          "0an3dks7000xcj201ls", "X7pQ2rLm81kTz0aQwE5r", "wE5r-X7pQ2rLm_81kTz0aQ0z"})
        QTest::newRow(text) << true;
    for (const char* text : {"", "42", "4915112345678", "facade", "alice", "summer-sale-2024",
                             "2026-11-22", "SUMMER24", "v1.2.3", "user17", "iphone15promax256",
                             "8f3a", "bob@example.org", "build-8812-linux-amd64-x"})
        QTest::newRow(text) << false;
}

void TestNameHints::randomText()
{
    QFETCH(bool, random);
    QCOMPARE(isRandomText(QByteArrayView(QTest::currentDataTag())), random);
}

void TestNameHints::identities_data()
{
    QTest::addColumn<bool>("identity");
    for (const char* part : {"42", "10.0.0.7", "bob@example.org", "+4915112345678", "9c1d5b7a20",
                             "{17}", "62556984-2963-4021-a640-1f556ae9948d"})
        QTest::newRow(part) << true;
    for (const char* part : {"", "bob", "usd", "v2", "2026-11-22", "1.2.3", "front-door", "@"})
        QTest::newRow(part) << false;
}

void TestNameHints::identities()
{
    QFETCH(bool, identity);
    QCOMPARE(isIdentity(QByteArrayView(QTest::currentDataTag())), identity);
    const QByteArray name = QByteArray("a:") + QTest::currentDataTag() + ":b";
    QCOMPARE(namesIdentity(name), identity);
}

void TestNameHints::typedCodes()
{
    for (const char* code : {"482913", "0042", "K7Q2P9"})
        QVERIFY2(isTypedCode(code), code);
    for (const char* text : {"", "17", "pending", "123456789", "OPEN", "1.50", "12 34"})
        QVERIFY2(!isTypedCode(text), text);
}

void TestNameHints::whereAWordStands()
{
    for (const char* name : {"lock:order:42", "order:42:lock", "job-lock:7", "sync_lock", "lock",
                             "orders:lock:8f3a9b21"})
        QVERIFY2(leadsOrEnds(name, words<"lock">), name);
    for (const char* name : {"orders:lock:all", "clock:a", "a:locksmith", "", ":"})
        QVERIFY2(!leadsOrEnds(name, words<"lock">), name);
    QVERIFY(hasPart("tenant:lock:a", words<"lock">));
    QVERIFY(!hasPart("tenant:lock:a", words<"lock">, true));
    QVERIFY(hasPart("lock.foo", words<"lock">, true));
    QVERIFY(!hasPart("job-lock:a", words<"lock">));
    QCOMPARE(tailOf("code:c17bd6"), QByteArrayView("c17bd6"));
    QCOMPARE(tailOf("otp-c17bd6"), QByteArrayView("c17bd6"));
}

void TestNameHints::limiterWords()
{
    for (const char* name :
         {"api:ratelimit:a", "api:rate_limit:a", "rateLimit:a", "rl:a", "throttle"})
        QCOMPARE(limiterHint(name), LimiterHint::Strong);
    for (const char* name : {"rate:usd", "credit:limit", "quota:a", "api:requests"})
        QCOMPARE(limiterHint(name), LimiterHint::Weak);
    for (const char* name :
         {"rates:usd", "karate", "limitless", "corporate:hq", "requests", "girl:17"})
        QCOMPARE(limiterHint(name), LimiterHint::None);
    QVERIFY(measuresOtherwise("exchange:rate:17"));
    QVERIFY(measuresOtherwise("hits:2026-11-22"));
    QVERIFY(!measuresOtherwise("rate:10.0.0.7"));
    QVERIFY(isEventLogName("requests:recent:api"));
    QVERIFY(!isEventLogName("api:rate"));
}

LK_TEST(TestNameHints);
#include "tst_namehints.moc"
