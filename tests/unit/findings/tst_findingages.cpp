// SPDX-License-Identifier: GPL-3.0-or-later
// How long findings are open where the past is shown: as long as they were then, by the recording.
#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"
#include "tests/unit/madestates.h"

#include <QSignalSpy>
#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = 1'700'000'000'000;

DeltaPtr deltaOf(const State& state, qint64 atMs)
{
    auto delta = std::make_shared<Delta>();
    delta->atMs = atMs;
    delta->changes.push_back({Handle(0, 1), std::make_shared<State>(state)});
    return delta;
}

} // namespace

class TestFindingAges : public QObject
{
    Q_OBJECT

private slots:
    void theyAreAsOldAsTheyWereThen();
    void liveOnesAreAsOldAsTheyWereSeen();
    void thoseOfBeforeGoOn();
    void aTokenIsFoundWithoutItsCode();
    void thoseOfGroupsAreThereAsTheyWereRecorded();
};

void TestFindingAges::theyAreAsOldAsTheyWereThen()
{
    const State lock = lockState("alice", {}, t0); // without a TTL
    const std::vector<Finding> found = findingsOf(lock, {});
    QVERIFY(!found.empty());
    const QByteArray identity = findingIdentity(found.front(), Kind::Lock);
    FindingTracker tracker;
    LiveFindingsPtr findings;
    connect(&tracker, &FindingTracker::reported, this,
            [&](const LiveFindingsPtr& now) { findings = now; });
    const auto sinceMs = [&] {
        for (int i = 0; i < 3; ++i)
            tracker.everySecond();
        for (const LiveFindingPtr& live : findings->rows) {
            if (live->finding.code == found.front().code)
                return live->sinceMs;
        }
        return qint64(-1);
    };
    tracker.setRecorded({t0, {{identity, t0 - 60'000}}});
    tracker.apply(deltaOf(lock, t0));
    QCOMPARE(sinceMs(), t0 - 60'000);
    // At another moment it was another one, or is not known to have been open.
    tracker.setRecorded({t0 - 3'600'000, {{identity, t0 - 7'200'000}}});
    tracker.apply(deltaOf(lock, t0 - 3'600'000));
    QCOMPARE(sinceMs(), t0 - 7'200'000);
    tracker.setRecorded({t0 - 1'800'000, {}});
    QCOMPARE(sinceMs(), 0);
}

void TestFindingAges::liveOnesAreAsOldAsTheyWereSeen()
{
    FindingTracker tracker;
    LiveFindingsPtr findings;
    connect(&tracker, &FindingTracker::reported, this,
            [&](const LiveFindingsPtr& now) { findings = now; });
    tracker.apply(deltaOf(lockState("alice", {}, t0), t0));
    for (int i = 0; i < 3; ++i)
        tracker.everySecond();
    QVERIFY(findings && !findings->rows.empty());
    QCOMPARE(findings->rows.front()->sinceMs, t0);
}

// Once: one that comes back later is another.
void TestFindingAges::thoseOfBeforeGoOn()
{
    const State lock = lockState("alice", {}, t0);
    const std::vector<Finding> found = findingsOf(lock, {});
    const QHash<QByteArray, qint64> before{
        {findingIdentity(found.front(), Kind::Lock), t0 - 60'000}};
    for (const bool late : {false, true}) {
        FindingTracker tracker;
        LiveFindingsPtr findings;
        connect(&tracker, &FindingTracker::reported, this,
                [&](const LiveFindingsPtr& now) { findings = now; });
        const auto sinceMs = [&](qint64 atMs, const State& state) {
            tracker.apply(deltaOf(state, atMs));
            for (int i = 0; i < 4; ++i)
                tracker.everySecond();
            for (const LiveFindingPtr& live : findings->rows) {
                if (live->finding.code == found.front().code)
                    return live->sinceMs;
            }
            return qint64(-1);
        };
        if (late) // it is there already when the recording has answered
            QCOMPARE(sinceMs(t0, lock), t0);
        tracker.goOn(before);
        QCOMPARE(sinceMs(t0 + 10'000, lock), t0 - 60'000);
        QCOMPARE(sinceMs(t0 + 20'000, lockState("alice", 60'000, t0 + 20'000)), -1);
        QCOMPARE(sinceMs(t0 + 30'000, lockState("bob", {}, t0 + 30'000)), t0 + 30'000);
    }
    // What is found after a long time is not what was open then.
    FindingTracker tracker;
    LiveFindingsPtr findings;
    connect(&tracker, &FindingTracker::reported, this,
            [&](const LiveFindingsPtr& now) { findings = now; });
    tracker.goOn(before);
    State other = lockState("carol", {}, t0);
    other.primitive = madePrimitive(Kind::Lock, "set-nx-px", "other");
    auto delta = std::make_shared<Delta>();
    delta->atMs = t0;
    delta->changes.push_back({Handle(1, 1), std::make_shared<State>(other)});
    tracker.apply(delta);
    tracker.apply(deltaOf(lock, t0 + 600'000));
    for (int i = 0; i < 4; ++i)
        tracker.everySecond();
    for (const LiveFindingPtr& live : findings->rows) {
        if (live->handle == Handle(0, 1))
            QCOMPARE(live->sinceMs, t0 + 600'000);
    }
}

void TestFindingAges::aTokenIsFoundWithoutItsCode()
{
    const QByteArray name = "code:c17bd6a2f09e4d7790ab33e1c2d4f5a6";
    Finding finding;
    finding.code = "token-used-twice";
    finding.name = finding.key = name;
    const QByteArray identity = findingIdentity(finding, Kind::Token);
    QVERIFY(!identity.contains("c17bd6a2f09e4d7790ab33e1c2d4f5a6"));
    // As the recording has it.
    Finding recorded = finding;
    recorded.name = recorded.key = identity.split('\0').value(1);
    QCOMPARE(findingIdentity(recorded, Kind::Token), identity);
    QVERIFY(findingIdentity(finding, Kind::Lock) != identity);
}

// No recorded state shows them again.
void TestFindingAges::thoseOfGroupsAreThereAsTheyWereRecorded()
{
    Finding split;
    split.code = "redlock-split";
    split.name = split.key = "lock:a";
    split.kind = Kind::Lock;
    const QByteArray identity = findingIdentity(split, Kind::Lock);
    FindingTracker tracker;
    LiveFindingsPtr findings;
    connect(&tracker, &FindingTracker::reported, this,
            [&](const LiveFindingsPtr& now) { findings = now; });
    tracker.setRecorded({t0, {{identity, t0 - 60'000}}, {split}});
    tracker.apply(deltaOf(lockState("alice", 1000, t0), t0));
    QVERIFY(findings);
    QCOMPARE(findings->rows.size(), size_t(1));
    QCOMPARE(findings->rows[0]->finding.code, QByteArray("redlock-split"));
    QCOMPARE(findings->rows[0]->sinceMs, t0 - 60'000);
    // A moment at which it was not open yet.
    tracker.setRecorded({t0 - 3'600'000, {}, {}});
    tracker.apply(deltaOf(lockState("alice", 1000, t0 - 3'600'000), t0 - 3'600'000));
    QCOMPARE(findings->rows.size(), size_t(0));
}

QTEST_GUILESS_MAIN(TestFindingAges)
#include "tst_findingages.moc"
