// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/unit/judgedalerts.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

// When a rule fires and when it is resolved: all by times that are given.
class TestAlertEngine : public QObject
{
    Q_OBJECT

private slots:
    void aMetricFiresOnceItHeldSoLong();
    void itIsClearAsLongBeforeItIsResolved();
    void whatFlapsDoesNotFire();
    void resolveIsAnotherNumber();
    void onlyWhatMatches();
    void growthWithinATime();
    void aLockHeldOverItsUsualTime();
    void whatIsUsualIsKnownFromBefore();
    void whatIsUsualOutlivesTheKey();
    void timeAloneMakesALockFire();
    void aFindingThatIsGoneIsResolved();
    void silencedFindingsAreNone();
    void anOutageCountsForNothing();
    void aClockThatWasSetBackPutsNothingOff();
    void theServerIsLostAlsoInTheDark();
    void tokensKeepTheirCodes();
    void theBuiltInRulesAreInForce();
    void asOfAMoment();
};

void TestAlertEngine::aMetricFiresOnceItHeldSoLong()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 1000\"\nfor = \"2m\"\n"));
    engine.apply(*delta(Handle(1), queue(1000)), start);
    QCOMPARE(engine.nextMs(), 0);
    engine.apply(*delta(Handle(1), queue(1001)), start + second);
    QCOMPARE(by(engine, start + 2 * minute), QByteArrayList());
    QCOMPARE(engine.nextMs(), start + second + 2 * minute);
    QCOMPARE(by(engine, start + second + 2 * minute), QByteArrayList{"+mail:a"});
    QCOMPARE(by(engine, start + 10 * minute), QByteArrayList());
    const AlertPtr alert = engine.open().front();
    QCOMPARE(alert->sinceMs, start + second);
    QCOMPARE(alert->firedMs, start + second + 2 * minute);
    QCOMPARE(alert->rule, QByteArray("queue.ready > 1000"));
    QCOMPARE(alert->text, QStringLiteral("Waiting: 1,001, above 1,000"));
    QCOMPARE(alert->severity, Finding::Severity::Warning);
    QVERIFY(engine.acknowledge(alert->id, QStringLiteral("ann"), start + 11 * minute));
    QVERIFY(!engine.acknowledge(alert->id, QStringLiteral("bob"), start + 12 * minute));
    QCOMPARE(engine.open().front()->acknowledgedBy, QStringLiteral("ann"));
}

void TestAlertEngine::itIsClearAsLongBeforeItIsResolved()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"1m\"\n"));
    engine.apply(*delta(Handle(1), queue(9)), start);
    QCOMPARE(by(engine, start + minute), QByteArrayList{"+mail:a"});
    engine.apply(*delta(Handle(1), queue(2)), start + 2 * minute);
    QCOMPARE(by(engine, start + 2 * minute + 59 * second), QByteArrayList());
    engine.apply(*delta(Handle(1), queue(9)), start + 2 * minute + 59 * second);
    QCOMPARE(by(engine, start + 9 * minute), QByteArrayList()); // it goes on
    engine.apply(*delta(Handle(1), queue(2)), start + 10 * minute);
    QCOMPARE(by(engine, start + 11 * minute), QByteArrayList{"-mail:a"});
    QVERIFY(engine.open().empty());
}

void TestAlertEngine::whatFlapsDoesNotFire()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"1m\"\n"));
    for (int i = 0; i < 100; ++i) {
        engine.apply(*delta(Handle(1), queue(i % 2 ? 1 : 9)), start + i * 40 * second);
        QCOMPARE(by(engine, start + i * 40 * second), QByteArrayList());
    }
}

void TestAlertEngine::resolveIsAnotherNumber()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 1000\"\nresolve = 800\n"));
    engine.apply(*delta(Handle(1), queue(1001)), start);
    QCOMPARE(by(engine, start), QByteArrayList{"+mail:a"});
    engine.apply(*delta(Handle(1), queue(801)), start + second);
    QCOMPARE(by(engine, start + minute), QByteArrayList());
    engine.apply(*delta(Handle(1), queue(800)), start + minute);
    QCOMPARE(by(engine, start + minute), QByteArrayList{"-mail:a"});
    engine.apply(*delta(Handle(1), queue(900)), start + 2 * minute);
    QCOMPARE(by(engine, start + 3 * minute), QByteArrayList());
}

void TestAlertEngine::onlyWhatMatches()
{
    AlertEngine engine("d",
                       settings("[[alert]]\nwhen = \"queue.ready > 1\"\nmatch = \"mail:*\"\n"));
    engine.apply(*delta(Handle(1), queue(9)), start);
    engine.apply(*delta(Handle(2), queue(9, 0, "jobs")), start);
    QCOMPARE(by(engine, start), QByteArrayList{"+mail:a"});
    QCOMPARE(engine.open().front()->rule, QByteArray("queue.ready > 1 @ mail:*"));
}

void TestAlertEngine::growthWithinATime()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.dead > 2 in 10m\"\n"));
    engine.apply(*delta(Handle(1), queue(0, 50)), start); // they were there before
    engine.apply(*delta(Handle(1), queue(0, 52)), start + minute);
    QCOMPARE(by(engine, start + minute), QByteArrayList());
    engine.apply(*delta(Handle(1), queue(0, 53)), start + 2 * minute);
    QCOMPARE(by(engine, start + 2 * minute), QByteArrayList{"+mail:a"});
    QVERIFY(engine.nextMs() > start + 2 * minute);
    // The rise leaves the span by time alone, a thirty-second of it late at most.
    QCOMPARE(by(engine, start + 10 * minute), QByteArrayList());
    QCOMPARE(by(engine, start + 12 * minute + 20 * second), QByteArrayList{"-mail:a"});
    // Jobs that were discarded and come again count as growth.
    engine.apply(*delta(Handle(1), queue(0, 0)), start + 20 * minute);
    engine.apply(*delta(Handle(1), queue(0, 3)), start + 21 * minute);
    QCOMPARE(by(engine, start + 21 * minute), QByteArrayList{"+mail:a"});
}

void TestAlertEngine::aLockHeldOverItsUsualTime()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"lock.held_ratio > 3\"\n"));
    qint64 now = start;
    for (int i = 0; i < 4; ++i) {
        engine.apply(*delta(Handle(1), heldLock(now, now)), now);
        now += 10 * second;
        engine.apply(*delta(Handle(1), freeLock(now)), now);
        now += second;
    }
    engine.apply(*delta(Handle(1), heldLock(now, now)), now);
    QCOMPARE(by(engine, now + 29 * second), QByteArrayList());
    QCOMPARE(by(engine, now + 31 * second), QByteArrayList{"+l"});
    engine.apply(*delta(Handle(1), freeLock(now + 40 * second)), now + 40 * second);
    QCOMPARE(by(engine, now + 40 * second), QByteArrayList{"-l"});
    // That it took so long once is usual from now on.
    now += 50 * second;
    engine.apply(*delta(Handle(1), heldLock(now, now)), now);
    QCOMPARE(by(engine, now + 60 * second), QByteArrayList());
}

// A program that is started again uses the recorded holds, whether it reads them before the lock or
// after it. The last eight count, and those seen here are the last.
void TestAlertEngine::whatIsUsualIsKnownFromBefore()
{
    const std::vector<PastHolds> recorded{
        {{"set-nx-px", "l"}, {900'000, 10'000, 10'000, 10'000, 10'000, 8000, 8000, 8000, 8000}},
        {{"set-nx-px", "other"}, {1000, 1000, 1000, 1000}}};
    for (const bool before : {true, false}) {
        AlertEngine engine("d", settings("[[alert]]\nwhen = \"lock.held_ratio > 3\"\n"));
        if (before)
            engine.restoreHolds(recorded);
        engine.apply(*delta(Handle(1), heldLock(start, start)), start);
        QCOMPARE(by(engine, start + second), QByteArrayList());
        if (!before) {
            engine.restoreHolds(recorded);
            engine.apply(*delta(Handle(1), heldLock(start, start)), start);
        }
        QCOMPARE(by(engine, start + 29 * second), QByteArrayList());
        QCOMPARE(by(engine, start + 31 * second), QByteArrayList{"+l"});
        engine.apply(*delta(Handle(1), freeLock(start + minute)), start + minute);
        QCOMPARE(by(engine, start + minute), QByteArrayList{"-l"});
        engine.apply(*delta(Handle(1), heldLock(start + minute, start + minute)), start + minute);
        QCOMPARE(by(engine, start + 2 * minute), QByteArrayList()); // a minute is usual now
    }
    // Three are too few to say what is usual.
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"lock.held_ratio > 3\"\n"));
    engine.restoreHolds({{{"set-nx-px", "l"}, {1000, 1000, 1000}}});
    engine.apply(*delta(Handle(1), heldLock(start, start)), start);
    QCOMPARE(by(engine, start + 9 * minute), QByteArrayList());
}

// A lock that is taken once a night has no key in between.
void TestAlertEngine::whatIsUsualOutlivesTheKey()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"lock.held_ratio > 3\"\n"));
    qint64 now = start;
    for (int i = 1; i <= 4; ++i) {
        engine.apply(*delta(Handle(i), heldLock(now, now)), now);
        engine.apply(*delta(Handle(i), freeLock(now + 10 * second)), now + 10 * second);
        engine.apply(*goneDelta(Handle(i)), now + minute);
        now += 24 * 60 * minute;
    }
    engine.apply(*delta(Handle(7), heldLock(now, now)), now);
    QCOMPARE(by(engine, now + 29 * second), QByteArrayList());
    QCOMPARE(by(engine, now + 31 * second), QByteArrayList{"+l"});
}

void TestAlertEngine::timeAloneMakesALockFire()
{
    AlertEngine engine(
        "d", settings("[[alert]]\nwhen = \"lock.held > 5m\"\nfor = \"1m\"\nmatch = \"l\"\n"));
    engine.apply(*delta(Handle(1), heldLock(start, start)), start);
    QCOMPARE(by(engine, start + 5 * minute + 30 * second), QByteArrayList());
    QCOMPARE(by(engine, start + 6 * minute + second), QByteArrayList{"+l"});
    // Without a read for a year: it counts from the first moment.
    AlertEngine late("d", settings("[[alert]]\nwhen = \"lock.held > 5m\"\nfor = \"1m\"\n"));
    late.apply(*delta(Handle(1), heldLock(start, start)), start);
    QCOMPARE(by(late, start + 365LL * 24 * 60 * minute), QByteArrayList{"+l"});
}

void TestAlertEngine::aFindingThatIsGoneIsResolved()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue-stuck\"\nfor = \"10s\"\n"
                                     "severity = \"error\"\n"));
    engine.setFindings(findings({"a", "b"}), start);
    QCOMPARE(by(engine, start + 10 * second), (QByteArrayList{"+a", "+b"}));
    QCOMPARE(engine.open().front()->severity, Finding::Severity::Error);
    QCOMPARE(engine.open().front()->text, QStringLiteral("stuck"));
    engine.setFindings(findings({"b"}), start + 20 * second);
    QCOMPARE(by(engine, start + 30 * second), QByteArrayList{"-a"});
    engine.setFindings(findings({"b"}, "queue-growing"), start + 40 * second);
    QCOMPARE(by(engine, start + 50 * second), QByteArrayList{"-b"});
}

void TestAlertEngine::silencedFindingsAreNone()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue-stuck\"\n"));
    LiveFindings all = findings({"a"});
    auto silenced = std::make_shared<LiveFinding>(*all.rows.front());
    silenced->finding.silenced = true;
    all.rows = {silenced};
    engine.setFindings(all, start);
    QCOMPARE(by(engine, start + minute), QByteArrayList());
}

void TestAlertEngine::anOutageCountsForNothing()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"2m\"\n"));
    engine.apply(*delta(Handle(1), queue(9)), start);
    engine.setBlind(true, start + minute);
    QCOMPARE(by(engine, start + 60 * minute), QByteArrayList());
    engine.setBlind(false, start + 61 * minute);
    QCOMPARE(by(engine, start + 61 * minute + 59 * second), QByteArrayList());
    QCOMPARE(by(engine, start + 62 * minute), QByteArrayList{"+mail:a"});
}

// A condition holds for two minutes, whatever the clock shows meanwhile.
void TestAlertEngine::aClockThatWasSetBackPutsNothingOff()
{
    constexpr qint64 hour = 60 * minute;
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"queue.ready > 5\"\nfor = \"2m\"\n"
                                     "[[alert]]\nwhen = \"queue.dead > 2 in 10m\"\n"));
    engine.apply(*delta(Handle(1), queue(9, 0)), start);
    QCOMPARE(by(engine, start + minute), QByteArrayList());
    QCOMPARE(by(engine, start + minute - 2 * second), QByteArrayList()); // no more than it differs
    engine.apply(*delta(Handle(1), queue(9, 3)), start + minute);
    QCOMPARE(by(engine, start + minute), QByteArrayList{"+mail:a"}); // of the second rule
    // An hour earlier, and a minute later.
    QCOMPARE(by(engine, start + minute - hour), QByteArrayList());
    QCOMPARE(by(engine, start + 2 * minute - hour), QByteArrayList{"+mail:a"});
    engine.apply(*delta(Handle(1), queue(1, 3)), start + 3 * minute - hour);
    QCOMPARE(by(engine, start + 5 * minute - hour - second), QByteArrayList());
    QCOMPARE(by(engine, start + 5 * minute - hour), QByteArrayList{"-mail:a"});
    // Growth ten minutes ago is no longer part of these ten minutes.
    QCOMPARE(by(engine, start + 10 * minute - hour), QByteArrayList());
    QCOMPARE(by(engine, start + 12 * minute - hour), QByteArrayList{"-mail:a"});
    QVERIFY(engine.open().empty());
}

void TestAlertEngine::theServerIsLostAlsoInTheDark()
{
    AlertEngine engine("d",
                       settings("[[alert]]\nwhen = \"server.lost_nodes > 0\"\nfor = \"15s\"\n"));
    engine.setBlind(true, start);
    engine.setServer({1, {}, {}}, start);
    QCOMPARE(by(engine, start + 14 * second), QByteArrayList());
    QCOMPARE(by(engine, start + 15 * second), QByteArrayList{"+d"});
    QVERIFY(!engine.open().front()->kind);
    engine.setServer({0, {}, {}}, start + 20 * second);
    QCOMPARE(by(engine, start + 35 * second), QByteArrayList{"-d"});
}

void TestAlertEngine::tokensKeepTheirCodes()
{
    AlertEngine engine("d", settings("[[alert]]\nwhen = \"token-used-twice\"\n"
                                     "[[alert]]\nwhen = \"token.ttl < 10s\"\n"));
    LiveFindings all = findings({"reset:S3CRETS3CRETS3CRETS3CRET"}, "token-used-twice");
    auto live = std::make_shared<LiveFinding>(*all.rows.front());
    live->finding.kind = Kind::Token;
    all.rows = {live};
    engine.setFindings(all, start);
    State token = tokenState(TokenState::Phase::Live, 5000, start);
    token.primitive = madePrimitive(Kind::Token, "string-token", "reset:S3CRETS3CRETS3CRETS3CRET");
    engine.apply(*delta(Handle(1), token), start);
    QCOMPARE(by(engine, start).size(), 2);
    for (const AlertPtr& alert : engine.open()) {
        for (const QByteArray& text : {alert->name, alert->primitive.name, alert->rule}) {
            QVERIFY2(!text.contains("S3CRETS3"), text.constData());
        }
    }
}

void TestAlertEngine::theBuiltInRulesAreInForce()
{
    const AlertSettings defaults;
    QCOMPARE(rulesInForce(defaults).size(), builtInRules().size());
    // Each says what it would say in a file.
    for (const AlertRule& rule : builtInRules()) {
        const auto parsed = parseCondition(rule.when);
        QVERIFY2(parsed.has_value(), rule.when.constData());
        QVERIFY2(*parsed == rule.condition, rule.when.constData());
    }
    const Result<Config> own =
        parseConfig("[[alert]]\nwhen = \"queue-stuck\"\nmatch = \"mail:*\"\n[[alert]]\n"
                    "when = \"limiter-saturated\"\noff = true\n",
                    QStringLiteral("t.toml"));
    QVERIFY(own.has_value());
    const std::vector<AlertRule> rules = rulesInForce(own->alerts);
    QCOMPARE(rules.size(), builtInRules().size() - 1);
    QCOMPARE(rules.front().id(), QByteArray("queue-stuck @ mail:*"));
}

void TestAlertEngine::asOfAMoment()
{
    Alerts all;
    const auto add = [&](const QByteArray& id, qint64 firedMs, qint64 seenMs, qint64 resolvedMs) {
        Alert alert;
        alert.id = id;
        alert.firedMs = firedMs;
        alert.acknowledgedMs = seenMs;
        alert.acknowledgedBy = seenMs > 0 ? QStringLiteral("ann") : QString();
        alert.resolvedMs = resolvedMs;
        (alert.isOpen() ? all.open : all.past).push_back(std::make_shared<Alert>(alert));
    };
    add("open", 500, 700, 0);
    add("later", 900, 0, 0);
    add("over", 100, 0, 300);
    add("resolved later", 200, 0, 800);
    all.silences.push_back({1, {}, {}, 0, 650, QStringLiteral("ann"), {}});
    const Alerts then = alertsAsOf(all, 600, 600);
    QCOMPARE(then.open.size(), size_t(2));
    QCOMPARE(then.open[0]->id, QByteArray("open"));
    QCOMPARE(then.open[0]->acknowledgedMs, 0);
    QVERIFY(then.open[0]->acknowledgedBy.isEmpty());
    QCOMPARE(then.open[1]->id, QByteArray("resolved later"));
    QVERIFY(then.open[1]->isOpen());
    QCOMPARE(then.past.size(), size_t(1));
    QCOMPARE(then.past[0]->id, QByteArray("over"));
    QVERIFY(then.silences.empty());
    QCOMPARE(then.unattended(600).count, 2);
    const Alerts soon = alertsAsOf(all, 700, 700);
    QCOMPARE(soon.open[0]->acknowledgedBy, QStringLiteral("ann"));
    QCOMPARE(soon.silences.size(), size_t(1));
}

LK_TEST(TestAlertEngine);
#include "tst_alertengine.moc"
