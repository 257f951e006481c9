// SPDX-License-Identifier: GPL-3.0-or-later
// How long findings are open: since they were seen, or as long as an earlier recording says.
#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"
#include "tests/support/testprogram.h"
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
    void liveOnesAreAsOldAsTheyWereSeen();
    void thoseOfBeforeGoOn();
    void aTokenIsFoundWithoutItsCode();
};

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
    // A finding after a long time is not the one that was open then.
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

LK_TEST(TestFindingAges);
#include "tst_findingages.moc"
