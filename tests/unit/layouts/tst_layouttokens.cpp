// SPDX-License-Identifier: GPL-3.0-or-later
// One-time tokens: strings that are there while unused, and hashes with a use count.
#include "tests/support/testprogram.h"
#include "tests/unit/fakekeys.h"

#include <QtTest>

using namespace lk;

namespace {

using Known = std::optional<qint64>;
using Phase = TokenState::Phase;
using Fields = std::vector<std::pair<QByteArray, QByteArray>>;

TokenState tokenOf(const Result<State>& state)
{
    return state && state->as<TokenState>() ? *state->as<TokenState>() : TokenState();
}

Primitive token(const QByteArray& layout)
{
    return {Kind::Token,      ProvenBy::Itself, false, 1, {layout, "k"},
            {{"token", "k"}}, nullptr,          {},    {}};
}

} // namespace
Q_DECLARE_METATYPE(Fields)

class TestLayoutTokens : public QObject
{
    Q_OBJECT

private slots:
    void presentIsLive();
    void thePayloadIsNeverRead();
    void withoutTtlItIsWatched();
    void goneTokens();
    void useCounts_data();
    void useCounts();
};

void TestLayoutTokens::presentIsLive()
{
    FakeKeys keys;
    keys.string("k", R"({"act_id": "1234"})", 599'000);
    const auto row = keys.read(token("string-token"));
    QCOMPARE(tokenOf(row).phase, Phase::Live);
    QCOMPARE(tokenOf(row).uses, Known(0));
    QVERIFY(!tokenOf(row).bytes);
    QCOMPARE(row->ttlMs, Known(599'000));
    QCOMPARE(row->health, Health::Ok);
    QCOMPARE(tokenOf(keys.read(token("string-token"), Depth::Detail)).bytes, Known(18));
}

void TestLayoutTokens::thePayloadIsNeverRead()
{
    for (const Depth depth : {Depth::Summary, Depth::Detail}) {
        const ReadContext context{0, depth, false, nullptr};
        for (const Command& c : firstCommands("string-token", token("string-token"), context))
            QVERIFY(c.args()[0] == "PTTL" || c.args()[0] == "STRLEN");
        // Reads only those fields of a hash that count uses, never HGETALL.
        for (const Command& c : firstCommands("hash-token", token("hash-token"), context))
            QVERIFY(c.args()[0] != "HGETALL" && c.args()[0] != "HVALS");
    }
}

void TestLayoutTokens::withoutTtlItIsWatched()
{
    FakeKeys keys;
    keys.string("k", "42");
    QCOMPARE(keys.read(token("string-token"))->health, Health::Warning);
    keys.hash("k", {{"data", "x"}, {"used_by", "0"}});
    QCOMPARE(keys.read(token("hash-token"))->health, Health::Warning);
}

void TestLayoutTokens::goneTokens()
{
    FakeKeys keys;
    for (const char* layout : {"string-token", "hash-token"}) {
        const auto state = keys.read(token(layout));
        QVERIFY(state && !state->present);
        QCOMPARE(tokenOf(state).phase, Phase::Gone);
        QCOMPARE(state->health, Health::Idle);
    }
}

void TestLayoutTokens::useCounts_data()
{
    QTest::addColumn<Fields>("fields");
    QTest::addColumn<int>("phase");
    QTest::addColumn<qint64>("uses"); // -1: unknown
    QTest::addColumn<int>("health");
    const auto row = [](const char* title, Fields fields, Phase phase, qint64 uses, Health health) {
        QTest::newRow(title) << fields << int(phase) << uses << int(health);
    };
    row("unused", {{"data", "x"}, {"used_by", "0"}}, Phase::Live, 0, Health::Ok);
    row("used", {{"data", "x"}, {"used_by", "1"}}, Phase::Used, 1, Health::Idle);
    row("used twice", {{"data", "x"}, {"used_by", "2"}}, Phase::Used, 2, Health::Warning);
    row("only the count", {{"used_by", "1"}}, Phase::NeverIssued, 1, Health::Error);
    row("only the count, unused", {{"used_by", "0"}}, Phase::Live, 0, Health::Ok);
    row("who used it", {{"data", "x"}, {"used_by", "alice"}}, Phase::Used, -1, Health::Idle);
    row("when", {{"data", "x"}, {"used_at", "1795223350"}}, Phase::Used, -1, Health::Idle);
    row("never", {{"data", "x"}, {"used_at", ""}}, Phase::Live, 0, Health::Ok);
    row("a flag", {{"data", "x"}, {"consumed", "true"}}, Phase::Used, -1, Health::Idle);
    row("a flag that is not up", {{"data", "x"}, {"consumed", "false"}}, Phase::Live, 0,
        Health::Ok);
    row("below zero", {{"data", "x"}, {"used_by", "-5"}}, Phase::Live, 0, Health::Ok);
    row("too large", {{"data", "x"}, {"used_by", "99999999999999999999"}}, Phase::Used, -1,
        Health::Idle);
}

void TestLayoutTokens::useCounts()
{
    QFETCH(Fields, fields);
    FakeKeys keys;
    keys.hash("k", fields, 60'000);
    const auto state = keys.read(token("hash-token"));
    QTEST(int(tokenOf(state).phase), "phase");
    QFETCH(qint64, uses);
    QCOMPARE(tokenOf(state).uses, uses < 0 ? Known() : Known(uses));
    QTEST(int(state->health), "health");
}

LK_TEST(TestLayoutTokens);
#include "tst_layouttokens.moc"
