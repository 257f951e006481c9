// SPDX-License-Identifier: GPL-3.0-or-later
// Each hazard, and what is none.
#include "backend/findings/findings.h"

#include <QtTest>

using namespace lk;

namespace {

constexpr qint64 day = 24LL * 3600 * 1000;

State stateOf(Kind kind, decltype(State::body) body, std::optional<qint64> ttlMs = {},
              std::optional<qint64> maxTtlMs = {})
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = kind;
    primitive->id = {"layout", "name"};
    primitive->keys = {{"role", "key"}};
    if (maxTtlMs) {
        auto declaration = std::make_shared<Declaration>();
        declaration->maxTtlMs = maxTtlMs;
        primitive->declaration = declaration;
    }
    State state;
    state.primitive = primitive;
    state.body = std::move(body);
    state.ttlMs = ttlMs;
    return state;
}

LockState lock(LockState::Phase phase)
{
    LockState l;
    l.phase = phase;
    return l;
}

TokenState token(TokenState::Phase phase, qint64 uses = 0)
{
    TokenState t;
    t.phase = phase;
    t.uses = uses;
    return t;
}

LimiterState limiter(Algorithm algorithm, qint64 used, qint64 limit, bool upperBound = false)
{
    LimiterState l;
    l.algorithm = algorithm;
    l.occupancy = used;
    l.limit = limit;
    l.occupancyIsUpperBound = upperBound;
    return l;
}

QueueState queue(qint64 stuck)
{
    QueueState q;
    q.stuck = stuck;
    return q;
}

} // namespace

Q_DECLARE_METATYPE(lk::State)

class TestFindings : public QObject
{
    Q_OBJECT

private slots:
    void codes_data();
    void codes();
    void aProblemHidesTheRest();
    void absentIsNoHazard();
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
    row("immortal", stateOf(Kind::Lock, lock(LP::Immortal)), {"lock-without-ttl"});
    row("expired", stateOf(Kind::Lock, lock(LP::Expired)), {"lock-expired"});
    row("free", stateOf(Kind::Lock, lock(LP::Free)), {});
    row("live", stateOf(Kind::Token, token(TP::Live), 60'000), {});
    row("live for ever", stateOf(Kind::Token, token(TP::Live)), {"token-without-ttl"});
    row("ghost", stateOf(Kind::Token, token(TP::Ghost, 1)), {"ghost-token"});
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
}

void TestFindings::codes()
{
    QFETCH(State, state);
    QByteArrayList found;
    for (const Finding& f : findingsOf(state)) {
        found << f.code;
        QCOMPARE(f.name, QByteArray("name"));
        QCOMPARE(f.key, QByteArray("key"));
        QVERIFY(!f.message.isEmpty());
    }
    QTEST(found, "codes");
}

void TestFindings::aProblemHidesTheRest()
{
    State state = stateOf(Kind::Token, token(TokenState::Phase::Live));
    state.problem =
        Error{ErrorCode::WrongType, QStringLiteral("key should be a hash and is a list")};
    const auto found = findingsOf(state);
    QCOMPARE(found.size(), size_t(1));
    QCOMPARE(found[0].code, QByteArray("wrong-type"));
    QVERIFY(found[0].message.contains(QStringLiteral("should be a hash")));
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

QTEST_APPLESS_MAIN(TestFindings)
#include "tst_findings.moc"
