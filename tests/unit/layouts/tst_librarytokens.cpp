// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens of libraries, and what is no token that can be used once: sessions, guards, records.
#include "backend/core/redactedname.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

using Fields = std::vector<std::pair<QByteArray, QByteArray>>;

constexpr qint64 now = 1795223350117; // 2026-11-21T01:09:10.117Z
const QByteArray code = QByteArrayLiteral("9c1185a5c5e9fc54612808977ee8f548b2258d31");
const QByteArray authJsKey = "user:token:bob@example.org:" + code;

QByteArray authJsValue(const QByteArray& expires)
{
    return R"({"identifier":"bob@example.org","expires":")" + expires + R"(","token":")" + code +
           R"("})";
}

} // namespace

class TestLibraryTokens : public QObject
{
    Q_OBJECT

private slots:
    void authJsTokensEndByTheirValue_data();
    void authJsTokensEndByTheirValue();
    void theCodeStaysOut();
    void noToken_data();
    void noToken();
    void theCodeIsTheValue_data();
    void theCodeIsTheValue();
    void attemptsBelongToTheirCode();
    void hashesThatAreNoTokens_data();
    void hashesThatAreNoTokens();
};

void TestLibraryTokens::authJsTokensEndByTheirValue_data()
{
    QTest::addColumn<QByteArray>("expires");
    QTest::addColumn<qint64>("left");
    QTest::addColumn<int>("health");
    QTest::newRow("ahead") << QByteArray("2026-11-21T01:10:10.117Z") << qint64(60'000)
                           << int(Health::Ok);
    QTest::newRow("past") << QByteArray("2026-11-20T01:10:10.117Z") << qint64(0)
                          << int(Health::Warning);
    QTest::newRow("no time") << QByteArray("soon") << qint64(-1) << int(Health::Ok);
}

void TestLibraryTokens::authJsTokensEndByTheirValue()
{
    QFETCH(QByteArray, expires);
    QFETCH(qint64, left);
    FakeKeys keys;
    for (const QByteArray& prefix : {QByteArray(), QByteArray("acme:")}) {
        keys.string(prefix + authJsKey, authJsValue(expires));
        const auto found = keys.classify(prefix + authJsKey);
        QVERIFY(found);
        QCOMPARE(found->primitive.id.layout, QByteArray("authjs-token"));
        QVERIFY(found->primitive.confidence >= 0.9);
        const auto state = keys.read(found->primitive);
        QVERIFY(state && state->present);
        QCOMPARE(state->as<TokenState>()->phase, TokenState::Phase::Live);
        QCOMPARE(state->ttlMs, left < 0 ? std::nullopt : std::optional(left));
        QTEST(int(state->health), "health");
        QCOMPARE(state->revisitAtMs, left > 0 ? now + left + 1 : 0);
    }
}

void TestLibraryTokens::theCodeStaysOut()
{
    FakeKeys keys;
    keys.string(authJsKey, authJsValue("2026-11-21T01:10:10.117Z"));
    const auto state = keys.read(keys.classify(authJsKey)->primitive, Depth::Detail);
    QVERIFY(state);
    for (const Fact& fact : state->facts)
        QVERIFY(!fact.value.contains(QString::fromLatin1(code)));
}

void TestLibraryTokens::noToken_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("ttl");
    const auto row = [](const char* title, const QByteArray& key, const QByteArray& value,
                        qint64 ttl) { QTest::newRow(title) << key << value << ttl; };
    row("connect-redis", "sess:h7Jk2mQx81bZ",
        R"({"cookie":{"originalMaxAge":86400000,"httpOnly":true,"path":"/"},"user":7})",
        86'400'000);
    row("Spring's marker", "spring:session:sessions:expires:62556984-2963-4021-a640-1f556ae9948d",
        "", 1'800'000);
    row("Django", ":1:django.contrib.sessions.cache0an3dks7000xcj201lsq8wz9f4e2r1ty",
        QByteArray("\x80\x04\x95\x20", 4), 1'209'600'000);
    row("Flask-Session", "session:0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c",
        QByteArray("\x80\x04\x95\x20", 4), 2'678'400'000);
    row("Laravel", "shop_database_shop_cache_:p5XWtYlOHhbNnqYzAbCdp5XWtYlOHhbNnqYzAbCd",
        R"(s:21:"a:1:{s:3:"key";i:1;}";)", 7'200'000);
    row("a used nonce", "nonce:8f3a9b2c1d", "1", 60'000);
    row("a used token id", "used:jti:8f3a9b2c1d4e5f60", "1", 60'000);
    row("a revoked one", "jwt:blacklist:8f3a9b2c1d4e5f60", "1", 60'000);
    row("Powertools, under way", "checkout#1ab51d398abfa77a6a4d0f4d5d0aa6c5",
        R"({"status":"INPROGRESS","expiration":1795226950,"in_progress_expiration":1795223380117})",
        3'600'000);
    row("Powertools, done", "checkout#0ab51d398abfa77a6a4d0f4d5d0aa6c5",
        R"({"status":"COMPLETED","expiration":1795226950,"data":"{}"})", 3'600'000);
    row("attempts beside a code", "otp:42:attempts", "2", 60'000);
    row("a user's JSON", "user:token:settings", R"({"theme":"dark"})", -1);
}

void TestLibraryTokens::noToken()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(qint64, ttl);
    FakeKeys keys;
    keys.string(key, value, ttl);
    const auto found = keys.classify(key);
    const bool claimed =
        found && found->primitive.kind == Kind::Token && found->primitive.confidence >= 0.5;
    QVERIFY2(!claimed, found ? found->primitive.id.layout.constData() : "");
}

// They belong to the code where there is one; alone they limit somebody.
// The name ends in whose code it is: nothing of it is secret. Where the name may be the code as
// well as the value, both are.
void TestLibraryTokens::theCodeIsTheValue_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("open");
    const auto row = [](const char* key, const char* value, bool open) {
        QTest::addRow("%s %s", key, value) << QByteArray(key) << QByteArray(value) << open;
    };
    row("otp:8123", "482913", true);
    row("acme:otp:7", "4829", true);
    row("otp:bob@example.org", "482913", true);
    row("otp:+49301234567", "482913", true);
    row("2fa:alice", "X7K2P9", true);
    row("otp:4915112345678", "482913", true);
    row("otp:482913", "8123", false);
    row("otp:482913", "912348", false);
    row("otp:AB12CD", "8123", false);
    row("pwreset:9c1d5b7a20e4f86b3d19aabbccddeeff", "8123", false);
    row("csrf:alice", "9c1d5b7a20e4f86b3d19aabbccddeeff", false);
}

void TestLibraryTokens::theCodeIsTheValue()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, value);
    QFETCH(bool, open);
    FakeKeys keys;
    keys.string(key, value, 60'000);
    const auto found = keys.classify(key);
    QVERIFY(found && found->primitive.kind == Kind::Token);
    QVERIFY(found->primitive.certainty() != Certainty::Possible);
    QCOMPARE(found->primitive.openName, open);
    QCOMPARE(shownName(found->primitive) == QString::fromLatin1(key), open);
    const auto state = keys.read(found->primitive, Depth::Detail);
    QVERIFY(state && !state->facts.size());
}

void TestLibraryTokens::attemptsBelongToTheirCode()
{
    FakeKeys keys;
    keys.string("otp:+49301234567", "482913", 60'000);
    keys.string("otp:+49301234567:attempts", "2", 60'000);
    const auto found = keys.classify("otp:+49301234567:attempts");
    QVERIFY(found);
    QCOMPARE(found->primitive.kind, Kind::Token);
    QCOMPARE(found->primitive.id.name, QByteArray("otp:+49301234567"));
    QCOMPARE(found->primitive.key("attempts"), QByteArray("otp:+49301234567:attempts"));
    for (const Depth depth : {Depth::Summary, Depth::Detail}) {
        const auto state = keys.read(found->primitive, depth);
        QVERIFY(state && state->present);
        QCOMPARE(state->facts.size(), 1U);
        QCOMPARE(state->facts[0].value, QStringLiteral("2"));
        QCOMPARE(state->as<TokenState>()->bytes.has_value(), depth == Depth::Detail);
    }
    const auto own = keys.classify("otp:+49301234567");
    QVERIFY(own);
    QCOMPARE(own->primitive.id, found->primitive.id);
    keys.string("login:7:attempts", "2", 60'000);
    keys.string("login:7", "bob", 60'000);
    QCOMPARE(keys.classify("login:7:attempts")->primitive.kind, Kind::Limiter);
}

void TestLibraryTokens::hashesThatAreNoTokens_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<Fields>("fields");
    QTest::newRow("Spring Session")
        << QByteArray("spring:session:sessions:62556984-2963-4021-a640-1f556ae9948d")
        << Fields{{"creationTime", "1795223340000"},
                  {"lastAccessedTime", "1795223350000"},
                  {"maxInactiveInterval", "1800"}};
    QTest::newRow(".NET session") << QByteArray("app:0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c")
                                  << Fields{{"absexp", "-1"},
                                            {"sldexp", "12000000000"},
                                            {"data", "x"}};
}

void TestLibraryTokens::hashesThatAreNoTokens()
{
    QFETCH(QByteArray, key);
    QFETCH(Fields, fields);
    FakeKeys keys;
    keys.hash(key, fields, 60'000);
    const auto found = keys.classify(key);
    QVERIFY(!found || found->primitive.kind != Kind::Token);
}

LK_TEST(TestLibraryTokens);
#include "tst_librarytokens.moc"
