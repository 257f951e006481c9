// SPDX-License-Identifier: GPL-3.0-or-later
// Each hazard, and what is none.
#include "backend/findings/findings.h"
#include "tests/support/testprogram.h"
#include "tests/unit/findingstates.h"

#include <QtTest>

using namespace lk;
using namespace lk::findingstates;

Q_DECLARE_METATYPE(lk::State)

class TestFindings : public QObject
{
    Q_OBJECT

private slots:
    void codes_data();
    void codes();
    void aProblemHidesTheRest();
    void absentIsNoHazard();
    void everyRuleFiresHere();
    void ofTheServer();
    void ofTheNodesOfACluster();
    void thresholds();
    void severities();
    void worstOf();
    void messagesSayTheNumbers();
};

void TestFindings::codes_data()
{
    using LP = LockState::Phase;
    using TP = TokenState::Phase;
    QTest::addColumn<State>("state");
    QTest::addColumn<QByteArrayList>("codes");
    const auto row = [](const char* title, State state, QByteArrayList codes) {
        QTest::newRow(title) << state << codes;
    };
    row("held", stateOf(Kind::Lock, lock(LP::Held), 1000), {});
    row("immortal", stateOf(Kind::Lock, lock(LP::NoTtl)), {"lock-without-ttl"});
    row("expired", stateOf(Kind::Lock, lock(LP::Expired)), {"lock-expired"});
    row("free", stateOf(Kind::Lock, lock(LP::Free)), {});
    row("live", stateOf(Kind::Token, token(TP::Live), 60'000), {});
    row("live for ever", stateOf(Kind::Token, token(TP::Live)), {"token-without-ttl"});
    row("ghost", stateOf(Kind::Token, token(TP::NeverIssued, 1)), {"ghost-token"});
    row("used once", stateOf(Kind::Token, token(TP::Used, 1), 60'000), {});
    row("used twice", stateOf(Kind::Token, token(TP::Used, 2), 60'000), {"token-used-twice"});
    row("41 days", stateOf(Kind::Token, token(TP::Live), 3'600'000'000), {"token-ttl-too-long"});
    row("30 days", stateOf(Kind::Token, token(TP::Live), 30 * day), {});
    row("declared shorter", stateOf(Kind::Token, token(TP::Live), 2 * day, day),
        {"token-ttl-too-long"});
    row("declared longer", stateOf(Kind::Token, token(TP::Live), 40 * day, 50 * day), {});
    row("counter", stateOf(Kind::Limiter, limiter(Algorithm::FixedWindow, 9, 5), 1000), {});
    row("counter for ever", stateOf(Kind::Limiter, limiter(Algorithm::FixedWindow, 1, 5)),
        {"counter-without-ttl"});
    row("gate for ever", stateOf(Kind::Limiter, limiter(Algorithm::Gate, 1, 1)),
        {"counter-without-ttl"});
    row("window", stateOf(Kind::Limiter, limiter(Algorithm::SlidingLog, 5, 5)), {});
    row("window over", stateOf(Kind::Limiter, limiter(Algorithm::SlidingLog, 6, 5)),
        {"limiter-over-limit"});
    row("window perhaps over", stateOf(Kind::Limiter, limiter(Algorithm::SlidingLog, 6, 5, true)),
        {});
    row("queue", stateOf(Kind::Queue, queue(0)), {});
    row("queue stuck", stateOf(Kind::Queue, queue(2)), {"queue-stuck"});

    row("renewed", renewedLock(2400, 2), {"lock-abandoned"});
    row("renewed in time", renewedLock(2600, 2), {});
    row("never seen renewed", renewedLock(100, 1), {});
    row("one who renews late", renewedLock(1200, 9, "worker-1", 1000), {});
    row("one who was late", renewedLock(900, 9, "worker-1", 1000), {"lock-abandoned"});
    row("a value that all write", renewedLock(100, 2, "1"), {});
    row("a value that tells nobody", renewedLock(100, 2, ""), {});
    row("ends in two days", endingLock(2 * day), {"lock-end-far-off"});
    row("ends today", endingLock(day), {});
    row("ends in two days by its TTL", endingLock(2 * day, true), {});

    row("gate prolonged", gate(2), {"gate-prolonged"});
    row("gate that refused", gate(0), {});
    const auto bareSeconds = [](qint64 limit) { // eleven whole seconds touch a window of ten
        return log([limit](LimiterState& l) {
            l.bareMembers = TimeUnit::Seconds;
            l.limit = limit;
        });
    };
    row("bare seconds", bareSeconds(12), {"window-undercounts"});
    row("bare seconds and room", bareSeconds(11), {}); // a hint, for all that are so
    row("long horizon", horizon(10'001, 1000), {"retry-horizon-too-long"});
    row("capped horizon", horizon(8000, 1000), {});
    row("long windows, long horizon", horizon(60'000, 6000), {});
    row("horizon of unknown window", horizon(60'000, {}), {});
    row("clock ahead", log([](LimiterState& l) { l.newestMs = now + 2001; }), {"clock-skew"});
    row("clock nearly right", log([](LimiterState& l) { l.newestMs = now + 2000; }), {});
    row("idle for ever", log([](LimiterState& l) { l.newestMs = now - day - 1; }, {}),
        {"window-without-ttl"});
    row("idle, with TTL", log([](LimiterState& l) { l.newestMs = now - day - 1; }), {});
    row("idle today", log([](LimiterState& l) { l.newestMs = now - day; }, {}), {});
    row("idle, window unknown",
        log(
            [](LimiterState& l) {
                l.newestMs = now - 90 * day;
                l.windowMs.reset();
            },
            {}),
        {});
    row("consumer over", log([](LimiterState& l) {
            l.consumers = {{"c", "k", 3, 4, {}}};
        }),
        {"limiter-over-limit"});
    row("consumer full", log([](LimiterState& l) { l.consumers = {{"c", "k", 3, 3, {}}}; }), {});
    row("permits missing", permits(-2), {"permits-differ"});
    row("permits too many", permits(1), {"permits-differ"});
    row("permits as they should be", permits(0), {});
    row("permits unknown", permits({}), {});
    row("full for long", full(3, 10'001), {"limiter-saturated"});
    row("full for a window", full(3, 10'000), {});
    row("full at two looks", full(2, 60'000), {});

    row("nothing moves", flow(0, 0.0, 0.0, 3), {"queue-stuck", "queue-without-ready"});
    row("nothing moves, unknown age", flow(0, 0.0, 0.0), {});
    row("something moves", flow(0, 0.5, 0.5, 3), {"queue-stuck"});
    row("not watched", flow(0, {}, {}, 3), {"queue-stuck"});
    row("twice", duplicates(1), {"queue-duplicates"});
    row("once", duplicates(0), {});
    row("unknown", duplicates({}), {});
    row("growing", flow(100, 5.0, 3.0), {"queue-growing"});
    row("short and growing", flow(99, 5.0, 3.0), {});
    row("long and steady", flow(5000, 5.0, 4.9), {});
    row("long, not watched", flow(5000, {}, {}), {});
    const auto workers = [](qint64 waiting, bool known, std::vector<std::optional<bool>> alive) {
        return at(flow(waiting, {}, {}), [&](State& s) {
            auto& queue = s.body.get<QueueState>();
            queue.workersKnown = known;
            for (const std::optional<bool>& lives : alive)
                queue.workers.emplace_back().alive = lives;
        });
    };
    row("no worker", workers(1, true, {}), {"queue-without-workers"});
    row("dead workers", workers(1, true, {false, false}), {"queue-without-workers"});
    row("a silent worker", workers(1, true, {false, {}}), {});
    row("nothing waits", workers(0, true, {}), {});
    row("workers unknown", workers(1, false, {}), {});
    // So many waiting, paused or not, and so many overdue.
    const auto late = [&](qint64 waiting, bool paused, qint64 overdue) {
        return at(workers(waiting, true, {true}), [&](State& s) {
            auto& queue = s.body.get<QueueState>();
            queue.paused = paused;
            queue.due.overdue = overdue;
            queue.due.firstMs = s.asOfMs - 3'600'000;
            queue.due.readMs = s.asOfMs;
        });
    };
    row("paused", late(3, true, 0), {"queue-paused"});
    row("paused, and nothing waits", late(0, true, 0), {"queue-paused"});
    row("due, and not moved", late(3, false, 2), {"jobs-overdue"});
    row("due, for it is paused", late(3, true, 2), {"queue-paused", "jobs-overdue"});
    row("none is overdue", late(3, false, 0), {});
    row("too many wake-ups", events(2, 1003), {"helper-out-of-step"});
    row("some wake-ups", events(2, 1002), {});
    row("events without wake-ups", events(5, 0), {}); // a consumer is taking them
    row("no helper known", events(5, {}), {});
    // So many events, no wake-up, so many a second taken; watched for so long.
    const auto observed = [](qint64 waiting, double out, qint64 forMs) {
        return at(events(waiting, 0), [&](State& s) {
            auto& queue = s.body.get<QueueState>();
            queue.inPerSecond = 0;
            queue.outPerSecond = out;
            s.observed.firstSeenMs = now - forMs;
        });
    };
    row("nobody wakes anybody", observed(5, 0, 9000), {"event-without-wake-up"});
    row("not watched for long", observed(5, 0, 8'999), {});
    row("somebody takes them", observed(5, 0.1, 10'000), {});
    row("nobody waits for events", observed(0, 0, 10'000), {});

    row("rebuild lock for ever", pattern(LockState::Phase::NoTtl), {"lock-without-ttl"});
    row("rebuild lock", pattern(LockState::Phase::Held), {});
    row("no rebuild lock", pattern({}), {});
    const auto rebuilt = [](LockState::Phase phase) {
        return at(pattern(phase), [](State& s) { s.observed.renewals = 1; });
    };
    row("rebuilt anew", rebuilt(LockState::Phase::Held), {"cache-rebuilt-twice"});
    row("given up", rebuilt(LockState::Phase::Free), {});

    row("big", at(stateOf(Kind::Pattern, PatternState()), [](State& s) { s.bytes = 10485761; }),
        {"big-key"});
    row("large", at(stateOf(Kind::Pattern, PatternState()), [](State& s) { s.bytes = 10485760; }),
        {});
    row("wrong type", problem(ErrorCode::WrongType), {"wrong-type"});
    row("undecodable", problem(ErrorCode::Undecodable), {"undecodable"});
    row("denied", problem(ErrorCode::NoPerm), {});
}

void TestFindings::codes()
{
    QFETCH(State, state);
    QByteArrayList found;
    for (const Finding& f : findingsOf(state)) {
        found << f.code;
        QCOMPARE(f.name, QByteArray("name"));
        QVERIFY(f.key == "key" || f.key == "k");
        QVERIFY(!f.message.isEmpty() && !f.why.isEmpty() && !f.advice.isEmpty());
        QVERIFY(!f.message.contains(QLatin1Char('%')));
        const auto& known = knownFindings();
        QVERIFY(std::any_of(known.begin(), known.end(),
                            [&](const KnownFinding& k) { return k.code == f.code; }));
    }
    QTEST(found, "codes");
}

void TestFindings::aProblemHidesTheRest()
{
    State state = stateOf(Kind::Token, token(TokenState::Phase::Live));
    state.problem = Error{ErrorCode::WrongType, QStringLiteral("key must be a hash and is a list")};
    const auto found = findingsOf(state);
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].code, QByteArray("wrong-type"));
    QVERIFY(found[0].message.contains(QStringLiteral("must be a hash")));
    state.problem = Error{ErrorCode::NoPerm, {}};
    QVERIFY(findingsOf(state).empty());
}

void TestFindings::absentIsNoHazard()
{
    State state = stateOf(Kind::Token, token(TokenState::Phase::Gone));
    state.present = false;
    QVERIFY(findingsOf(state).empty());
    state = stateOf(Kind::Limiter, limiter(Algorithm::FixedWindow, 0, 5));
    state.present = false;
    QVERIFY(findingsOf(state).empty());
}

// No other test would notice a rule that no row above triggers.
void TestFindings::everyRuleFiresHere()
{
    QByteArrayList across;
    for (const char* code :
         {"token-codes-short", "token-codes-sequential", "different-slots", "not-readable",
          "may-be-evicted"}) // over several states: tst_findingsacross.cpp
        across << code;
    QFile source(QStringLiteral(QT_TESTCASE_SOURCEDIR "/findings/tst_findings.cpp"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QByteArray text = source.readAll();
    QSet<QByteArray> seen;
    for (const KnownFinding& known : knownFindings()) {
        QVERIFY2(!seen.contains(known.code), known.code.constData());
        seen << known.code;
        if (known.ofRedlock)
            continue; // of no state: tst_redlock.cpp
        QVERIFY2(across.contains(known.code) || text.contains("{\"" + known.code + '"') ||
                     text.contains("\", \"" + known.code),
                 known.code.constData());
    }
}

void TestFindings::ofTheServer()
{
    const auto codes = [](auto change) {
        ServerFacts server;
        server.endpoint = QStringLiteral("10.0.0.2:6379/0");
        server.role = NodeRole::Replica;
        server.master = QStringLiteral("10.0.0.1:6379");
        change(server);
        QByteArrayList all;
        for (const Finding& f : findingsOfServer(server)) {
            all << f.code;
            if (f.name != "10.0.0.2:6379/0" || f.why.isEmpty() || f.advice.isEmpty() ||
                f.message.contains(QLatin1Char('%')))
                all << "incomplete";
        }
        return all;
    };
    QCOMPARE(codes([](ServerFacts& s) { s.masterLink = MasterLink::Up; }), QByteArrayList());
    QCOMPARE(codes([](ServerFacts& s) { s.masterLink = MasterLink::Unknown; }), QByteArrayList());
    for (const MasterLink link : {MasterLink::Down, MasterLink::Syncing, MasterLink::NeverUp})
        QCOMPARE(codes([link](ServerFacts& s) { s.masterLink = link; }),
                 (QByteArrayList{"replica-stale"}));
    for (const DiskError error : {DiskError::Snapshot, DiskError::AppendOnlyFile})
        QCOMPARE(codes([error](ServerFacts& s) { s.diskError = error; }),
                 (QByteArrayList{"cannot-save"}));
    QCOMPARE(codes([](ServerFacts& s) {
                 s.unserved = {1, QStringLiteral("no node serves 5")};
             }),
             (QByteArrayList{"slots-unserved"}));
    QCOMPARE(codes([](ServerFacts& s) {
                 s.openSlots = {1, QStringLiteral("93 from a to b")};
             }),
             (QByteArrayList{"slot-migrating"}));
    ServerFacts lost;
    lost.master = QStringLiteral("10.0.0.1:6379");
    lost.masterLink = MasterLink::Down;
    lost.masterDownMs = 300'000;
    QVERIFY(
        findingsOfServer(lost)[0].message.contains(QStringLiteral("lost 10.0.0.1:6379 5 m ago")));
    ServerFacts silent;
    silent.master = QStringLiteral("10.0.0.1:6379");
    silent.masterLink = MasterLink::Up;
    silent.masterSilentMs = 11'000; // it sends something every ten seconds
    QVERIFY(findingsOfServer(silent).empty());
    silent.masterSilentMs = 26'000;
    QCOMPARE(findingsOfServer(silent).size(), size_t(1));
    QVERIFY(findingsOfServer(silent)[0].message.contains(
        QStringLiteral("last heard from 10.0.0.1:6379 26 s ago")));
}

void TestFindings::ofTheNodesOfACluster()
{
    ServerFacts server;
    server.endpoint = QStringLiteral("10.0.0.1:7001/0");
    server.mode = ServerMode::Cluster;
    for (const char* endpoint : {"10.0.0.1:7001", "10.0.0.1:7002", "10.0.0.1:7003"}) {
        NodeFacts node;
        node.endpoint = QString::fromLatin1(endpoint);
        node.slotCount = 5461;
        node.durability.appendOnly = true;
        node.durability.snapshots = true;
        node.durability.eviction = QStringLiteral("noeviction");
        node.durability.maxMemory = 1'000'000;
        server.nodes.push_back(node);
    }
    const auto found = [](const ServerFacts& of) {
        QByteArrayList all;
        for (const Finding& f : findingsOfServer(of)) {
            all << f.code << f.name;
            if (!f.ofServer || f.why.isEmpty() || f.advice.isEmpty() ||
                f.message.contains(QLatin1Char('%')) ||
                !f.message.contains(QString::fromUtf8(f.name)))
                all << "incomplete";
        }
        return all;
    };
    const auto with = [&](auto change) {
        ServerFacts of = server;
        change(of.nodes[1]);
        return found(of);
    };
    QCOMPARE(found(server), QByteArrayList());
    const QByteArrayList less{"uneven-durability", "10.0.0.1:7002"};
    QCOMPARE(with([](NodeFacts& n) { n.durability.appendOnly = false; }), less);
    QCOMPARE(with([](NodeFacts& n) { n.durability.appendOnly.reset(); }), QByteArrayList());
    QCOMPARE(with([](NodeFacts& n) {
                 n.slotCount = 0;
                 n.durability.appendOnly = false;
             }),
             QByteArrayList()); // it has nothing to lose
    QCOMPARE(with([](NodeFacts& n) { n.durability.diskError = DiskError::AppendOnlyFile; }),
             (QByteArrayList{"cannot-save", "10.0.0.1:7002"}));
    QCOMPARE(with([](NodeFacts& n) { n.memoryBytes = n.durability.maxMemory; }),
             (QByteArrayList{"out-of-memory", "10.0.0.1:7002"}));
    QCOMPARE(with([](NodeFacts& n) { n.memoryBytes = 999'999; }), QByteArrayList());
    const QByteArrayList evicts{"uneven-eviction", "10.0.0.1:7002"};
    QCOMPARE(with([](NodeFacts& n) { n.durability.eviction = QStringLiteral("allkeys-lru"); }),
             evicts);
    QCOMPARE(with([](NodeFacts& n) {
                 n.durability.eviction = QStringLiteral("allkeys-lru");
                 n.durability.maxMemory = 0; // nothing is evicted
             }),
             QByteArrayList());
    // One that is on another node than the one that answers for all.
    ServerFacts entry = server;
    entry.diskError = DiskError::Snapshot;
    QCOMPARE(found(entry), QByteArrayList());
    for (NodeFacts& node : entry.nodes) {
        node.durability.appendOnly = false;
        node.durability.snapshots = node.endpoint != QStringLiteral("10.0.0.1:7002");
    }
    QCOMPARE(found(entry), less);
}

void TestFindings::thresholds()
{
    const auto codes = [](const State& s, const CheckThresholds& t) {
        QByteArrayList all;
        for (const Finding& f : findingsOf(s, t))
            all << f.code;
        return all;
    };
    CheckThresholds t;
    t.tokenTtlMs = 2 * day;
    t.lockLeaseMs = 3 * day;
    t.retryHorizonMs = 70'000;
    t.clockSkewMs = 5000;
    t.bigKeyBytes = 99;
    const State token3 = stateOf(Kind::Token, token(TokenState::Phase::Live), 3 * day);
    QCOMPARE(codes(token3, t), QByteArrayList{"token-ttl-too-long"});
    QVERIFY(codes(token3, {}).isEmpty());
    // A declaration for the primitive itself takes precedence.
    QVERIFY(
        codes(stateOf(Kind::Token, token(TokenState::Phase::Live), 3 * day, 4 * day), t).isEmpty());
    QVERIFY(codes(endingLock(2 * day), t).isEmpty());
    QVERIFY(codes(horizon(60'000, 1000), t).isEmpty());
    QCOMPARE(codes(horizon(70'001, {}), t), QByteArrayList{"retry-horizon-too-long"});
    QVERIFY(codes(log([](LimiterState& l) { l.newestMs = now + 4000; }), t).isEmpty());
    QCOMPARE(codes(at(stateOf(Kind::Pattern, PatternState()), [](State& s) { s.bytes = 100; }), t),
             QByteArrayList{"big-key"});
}

void TestFindings::severities()
{
    using Severity = Finding::Severity;
    const auto severity = [](const State& s) { return findingsOf(s).front().severity; };
    QCOMPARE(severity(permits(-5)), Severity::Error); // none is left of five
    QCOMPARE(severity(permits(-4)), Severity::Warning);
    QCOMPARE(severity(permits(4)), Severity::Info);
    QCOMPARE(severityId(Severity::Error), QByteArray("error"));
    QCOMPARE(severityId(Severity::Warning), QByteArray("warning"));
    QCOMPARE(severityId(Severity::Info), QByteArray("info"));
}

void TestFindings::worstOf()
{
    using Severity = Finding::Severity;
    QVERIFY(!worst({}));
    const auto of = [](Severity severity) { return Finding{"x", severity, {}, {}, {}}; };
    QCOMPARE(worst({of(Severity::Info), of(Severity::Error), of(Severity::Warning)}),
             Severity::Error);
    QCOMPARE(worst({of(Severity::Info)}), Severity::Info);
}

void TestFindings::messagesSayTheNumbers()
{
    const auto message = [](const State& s) { return findingsOf(s).front().message; };
    const QString tooLong =
        message(stateOf(Kind::Token, token(TokenState::Phase::Live), 3'600'000'000));
    QVERIFY2(tooLong.contains(QStringLiteral("41 d 16 h")), qPrintable(tooLong));
    const QString over = message(stateOf(Kind::Limiter, limiter(Algorithm::SlidingLog, 6, 5)));
    QVERIFY2(over.contains(QStringLiteral("6 of 5")), qPrintable(over));
}

LK_TEST(TestFindings);
#include "tst_findings.moc"
