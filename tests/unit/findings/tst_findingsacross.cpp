// SPDX-License-Identifier: GPL-3.0-or-later
// Findings that need several states of a snapshot.
#include "backend/findings/findings.h"
#include "tests/support/testprogram.h"

#include <QtTest>

using namespace lk;

namespace {

StatePtr stateOf(Kind kind, std::vector<KeyRole> keys, const QByteArray& name = {},
                 const QByteArray& layout = "l")
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = kind;
    primitive->id = {layout, name.isEmpty() ? keys.front().key : name};
    primitive->confidence = certainFrom;
    primitive->keys = std::move(keys);
    State state = problemState(primitive, 1'795'000'000'000, {});
    state.problem.reset();
    return std::make_shared<State>(std::move(state));
}

Snapshot tokens(const QByteArrayList& names, TokenState::Phase phase = TokenState::Phase::Live)
{
    Snapshot snapshot;
    for (const QByteArray& name : names) {
        auto state = std::make_shared<State>(*stateOf(Kind::Token, {{"token", name}}));
        state->body.get<TokenState>().phase = phase;
        snapshot.states.push_back(state);
    }
    return snapshot;
}

Snapshot of(std::vector<StatePtr> states, ServerMode mode = ServerMode::Standalone)
{
    Snapshot snapshot;
    snapshot.server.mode = mode;
    snapshot.states = std::move(states);
    return snapshot;
}

QByteArrayList codes(const Snapshot& snapshot, const CheckThresholds& t = {})
{
    QByteArrayList all;
    for (const Finding& f : findingsAcross(snapshot, t))
        all << f.code;
    return all;
}

const QByteArray longCode = "0123456789abcdef0123456789abcdef";

} // namespace

class TestFindingsAcross : public QObject
{
    Q_OBJECT

private slots:
    void codesThatAreTooShort();
    void codesInARow();
    void whatWasNotReadIsOneFindingForEachReason();
    void slotsOfResourceAndConsumer();
    void slotsOnACluster();
    void bareTimes();
    void nothingOfNothing() { QVERIFY(findingsAcross({}).empty()); }
};

void TestFindingsAcross::codesThatAreTooShort()
{
    const auto found = findingsAcross(tokens({"code:c17bd6", "code:e6a01f", "reset:" + longCode}));
    QCOMPARE(found.size(), size_t(1)); // one for all of them
    QCOMPARE(found[0].code, QByteArray("token-codes-short"));
    QCOMPARE(found[0].severity, Finding::Severity::Info);
    QCOMPARE(found[0].name, QByteArray("code:*"));
    QVERIFY(found[0].key.startsWith("code:"));
    QVERIFY2(found[0].message.contains(QStringLiteral("24 bits")), qPrintable(found[0].message));
    QVERIFY(!found[0].why.isEmpty() && !found[0].advice.isEmpty());

    QVERIFY(codes(tokens({"code:0123456789"})).contains("token-codes-short")); // ten digits: 34
    QVERIFY(codes(tokens({"code:0123456789abcdef"})).isEmpty());
    QVERIFY(codes(tokens({"code:c17bd6z9"})).isEmpty()); // 8 of 36 are 41.4
    CheckThresholds t;
    t.codeBits = 24;
    QVERIFY(codes(tokens({"code:c17bd6"}), t).isEmpty());
    // Ghosts have the names that strangers made up.
    QVERIFY(codes(tokens({"code:c17bd6"}, TokenState::Phase::NeverIssued)).isEmpty());
}

void TestFindingsAcross::codesInARow()
{
    const auto inARow = [](const QByteArrayList& names) {
        return codes(tokens(names)).contains("token-codes-sequential");
    };
    QVERIFY(inARow({"invite:100234", "invite:100235", "invite:100236", "invite:100238"}));
    QVERIFY(!inARow({"invite:100234", "invite:100235", "invite:100236"})); // too few to tell
    QVERIFY(!inARow({"invite:100234", "invite:482211", "invite:904417", "invite:731550"}));
    // There are ten thousand numbers of four digits: four within sixteen may be chance.
    QVERIFY(!inARow({"invite:1001", "invite:1002", "invite:1003", "invite:1016"}));
    QVERIFY(!inARow({"invite:c17bd6", "invite:c17bd7", "invite:c17bd8", "invite:c17bd9"}));
    QVERIFY(!inARow({"a:100234", "b:100235", "c:100236", "d:100237"})); // nothing in common
}

void TestFindingsAcross::slotsOfResourceAndConsumer()
{
    const auto resource = [](const QByteArray& key, const QByteArray& consumer) {
        return of({stateOf(Kind::Limiter, {{"resource", key}, {"consumer:1", consumer}})});
    };
    const auto found = findingsAcross(resource("z:rl:resource:12", "z:rl:resource:12:consumer:1"));
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].code, QByteArray("different-slots"));
    QCOMPARE(found[0].severity, Finding::Severity::Info);
    QCOMPARE(found[0].key, QByteArray("z:rl:resource:12:consumer:1"));
    QVERIFY(codes(resource("z:rl:resource:12{12}", "z:rl:resource:12{12}:consumer:1")).isEmpty());
    // A list beside a list is used together, too, but only a cluster minds.
    QVERIFY(
        codes(of({stateOf(Kind::Queue, {{"ready", "jobs"}, {"processing", "jobs:p"}})})).isEmpty());
}

void TestFindingsAcross::slotsOnACluster()
{
    const auto queue = [](const QByteArray& ready, const QByteArray& processing) {
        return of({stateOf(Kind::Queue, {{"ready", ready}, {"processing", processing}})},
                  ServerMode::Cluster);
    };
    const auto found = findingsAcross(queue("jobs", "jobs:p"));
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].severity, Finding::Severity::Error);
    QVERIFY(codes(queue("{jobs}", "{jobs}:p")).isEmpty());
}

// One for all whose names begin alike: there may be one for each user.
void TestFindingsAcross::bareTimes()
{
    const auto limiter = [](const QByteArray& name, std::optional<TimeUnit> bare) {
        auto state = std::make_shared<State>(*stateOf(Kind::Limiter, {{"window", name}}));
        auto primitive = std::make_shared<Primitive>(*state->primitive);
        primitive->id.name = name;
        state->primitive = primitive;
        LimiterState body;
        body.bareMembers = bare;
        state->body = body;
        return state;
    };
    const auto found = findingsAcross(
        of({limiter("api:1", TimeUnit::Milliseconds), limiter("api:2", TimeUnit::Milliseconds),
            limiter("api:3", {}), limiter("api:4", TimeUnit::Microseconds),
            limiter("login", TimeUnit::Seconds)}));
    QCOMPARE(found.size(), size_t(2));
    QCOMPARE(found[0].name, QByteArray("login"));
    QCOMPARE(found[0].key, QByteArray("login"));
    QCOMPARE(found[1].name, QByteArray("api:*"));
    QCOMPARE(found[1].key, QByteArray("api:2"));
    QVERIFY(found[1].message.contains(QStringLiteral("2")));
    for (const Finding& f : found) {
        QCOMPARE(f.code, QByteArray("window-undercounts"));
        QCOMPARE(f.severity, Finding::Severity::Info);
    }
}

void TestFindingsAcross::whatWasNotReadIsOneFindingForEachReason()
{
    Snapshot snapshot;
    const auto unread = [](const QByteArray& name, const Error& error) {
        auto state = std::make_shared<State>(*stateOf(Kind::Queue, {{"ready", name}}));
        state->problem = error;
        return state;
    };
    for (const char* name : {"a", "b", "c"})
        snapshot.states.push_back(
            unread(name, {ErrorCode::NoPerm,
                          QString::fromLatin1(name) +
                              QStringLiteral(": no permissions to run the 'lrange' command")}));
    snapshot.states.push_back(unread("d", {ErrorCode::ReplyTooLarge, {}}));
    snapshot.states.push_back(
        unread("e", {ErrorCode::Undecodable, {}}));     // has a finding of its own
    QVERIFY(!codes(snapshot).contains("not-readable")); // a look says first what it missed
    Missing keys;
    keys.cause = Missing::Cause::KeyPatterns;
    keys.permission = "~*";
    keys.keys = 5;
    snapshot.scan.missing = missingOf(snapshot.states, std::vector{keys});
    QCOMPARE(snapshot.scan.missing.size(), 3U);
    QCOMPARE(codes(snapshot).count("not-readable"), 3);
    for (const Finding& finding : findingsAcross(snapshot)) {
        QCOMPARE(finding.severity, Finding::Severity::Warning);
        QVERIFY(!finding.message.isEmpty() && !finding.key.isEmpty());
    }
}

LK_TEST(TestFindingsAcross);
#include "tst_findingsacross.moc"
