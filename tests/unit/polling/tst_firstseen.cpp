// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/derived/firstseen.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

#include <numeric>

using namespace lk;
using namespace lk::test;

namespace {

State applied(FirstSeen& seen, State state)
{
    seen.apply(state);
    return state;
}

const QueueState& queueOf(const State& state)
{
    return *state.as<QueueState>();
}

qint64 ageOf(const State& state, quint64 fingerprint)
{
    for (const QueueJob& item : queueOf(state).items) {
        if (item.fingerprint == fingerprint)
            return state.asOfMs - item.firstSeenMs.value_or(-1);
    }
    return -1;
}

// A look that shows only part of what is in processing.
State truncated(const std::vector<quint64>& items, qint64 processing, qint64 atMs)
{
    State state = queueState(items, atMs);
    auto& queue = state.body.get<QueueState>();
    queue.processing = processing;
    queue.itemsTruncated = true;
    return state;
}

} // namespace

class TestFirstSeen : public QObject
{
    Q_OBJECT

private slots:
    void itemsAge();
    void itemsThatComeBackStartAnew();
    void stuckItemsAreToldAndSorted();
    void theNextStuckItemIsLookedFor();
    void theLibrarysOwnStartIsWhatCounts();
    void whatTheLibraryTellsStands();
    void agesSurviveARestart();
    void restoringAfterTheFirstLookMakesOlder();
    void aClockSetBackMakesNobodyOlder();
    void unseenItemsKeepTheirAge();
    void whatLeftUnseenDoesNotPileUp();
    void veryLongListsAreBounded();
    void changedIsToldOnce();
    void queuesAreApart();
    void whatWasNotSeenAgainDoesNotGetStuck();
    void forgets();
    void leavesOthersAlone();
};

void TestFirstSeen::itemsAge()
{
    FirstSeen seen;
    State state = applied(seen, queueState({1, 2}, 1000));
    QCOMPARE(queueOf(state).oldestProcessingMs, std::optional<qint64>(0));
    state = applied(seen, queueState({1, 2, 3}, 5000));
    QCOMPARE(ageOf(state, 1), 4000);
    QCOMPARE(ageOf(state, 3), 0);
    QCOMPARE(queueOf(state).oldestProcessingMs, std::optional<qint64>(4000));
    state = applied(seen, queueState({3}, 6000));
    QCOMPARE(queueOf(state).oldestProcessingMs, std::optional<qint64>(1000));
    state = applied(seen, queueState({}, 7000));
    QVERIFY(!queueOf(state).oldestProcessingMs);
}

void TestFirstSeen::itemsThatComeBackStartAnew()
{
    FirstSeen seen;
    applied(seen, queueState({1, 2}, 1000));
    applied(seen, queueState({2}, 2000));
    const State state = applied(seen, queueState({1, 2}, 3000));
    QCOMPARE(ageOf(state, 1), 0);
    QCOMPARE(ageOf(state, 2), 2000);
}

void TestFirstSeen::stuckItemsAreToldAndSorted()
{
    FirstSeen seen;
    applied(seen, queueState({1}, 0));
    applied(seen, queueState({1, 2}, 10'000));
    State state = applied(seen, queueState({1, 2}, 29'999));
    QCOMPARE(queueOf(state).stuck, 0);
    QVERIFY(state.health == Health::Ok);
    state = applied(seen, queueState({1, 2}, 30'000));
    QCOMPARE(queueOf(state).stuck, 1);
    QVERIFY(state.health == Health::Error);
    QCOMPARE(state.urgency, 30'000.0);
    State patient = queueState({1, 2}, 60'000);
    patient.body.get<QueueState>().stuckAfterMs = 55'000;
    QCOMPARE(queueOf(applied(seen, patient)).stuck, 1);

    // As the configuration has it for all that do not declare it.
    FirstSeen quick(5000);
    applied(quick, queueState({1}, 0));
    state = applied(quick, queueState({1}, 5000));
    QCOMPARE(queueOf(state).stuck, 1);
    QCOMPARE(queueOf(state).stuckAfterMs, 5000);
    State declared = queueState({1}, 6000);
    auto own = std::make_shared<Primitive>(*declared.primitive);
    auto declaration = std::make_shared<Declaration>();
    declaration->stuckAfterMs = 30'000;
    own->declaration = declaration;
    declared.primitive = own;
    state = applied(quick, declared);
    QCOMPARE(queueOf(state).stuck, 0);
    QCOMPARE(queueOf(state).stuckAfterMs, 30'000);
}

void TestFirstSeen::theNextStuckItemIsLookedFor()
{
    FirstSeen seen;
    State state = applied(seen, queueState({1}, 1000));
    QCOMPARE(state.revisitAtMs, 31'000);
    state = applied(seen, queueState({1, 2}, 5000));
    QCOMPARE(state.revisitAtMs, 31'000);
    state = applied(seen, queueState({1, 2}, 31'000)); // one is stuck, the other is still to be
    QCOMPARE(queueOf(state).stuck, 1);
    QCOMPARE(state.revisitAtMs, 35'000);
    State sooner = queueState({1, 2}, 32'000);
    sooner.revisitAtMs = 32'500; // for a reason of its own
    QCOMPARE(applied(seen, sooner).revisitAtMs, 32'500);
    QCOMPARE(applied(seen, queueState({1, 2}, 40'000)).revisitAtMs, 0);
}

// A job that was taken long before this console came is stuck when that says so, and is read again
// at that moment.
void TestFirstSeen::theLibrarysOwnStartIsWhatCounts()
{
    FirstSeen seen;
    State state = queueState({1}, 100'000);
    state.body.get<QueueState>().items[0].facts.startedMs = 80'000;
    state = applied(seen, state);
    QCOMPARE(queueOf(state).oldestProcessingMs, std::optional<qint64>(20'000));
    QCOMPARE(queueOf(state).stuck, 0);
    QCOMPARE(state.revisitAtMs, 110'000);
    state = queueState({1}, 110'000);
    state.body.get<QueueState>().items[0].facts.startedMs = 80'000;
    state = applied(seen, state);
    QCOMPARE(queueOf(state).stuck, 1);
    QVERIFY(state.health == Health::Error);
}

// If a lock or a heartbeat shows which jobs are stuck, their age does not count.
void TestFirstSeen::whatTheLibraryTellsStands()
{
    FirstSeen seen;
    for (const qint64 stuck : {0, 1}) {
        State state = queueState({1, 2}, 1'000'000);
        auto& queue = state.body.get<QueueState>();
        queue.stuckByLibrary = true;
        queue.stuck = stuck;
        for (QueueJob& item : queue.items)
            item.facts.startedMs = 1000;
        state = applied(seen, state);
        QCOMPARE(queueOf(state).stuck, stuck);
        QCOMPARE(state.health, stuck > 0 ? Health::Error : Health::Ok);
        QCOMPARE(state.revisitAtMs, 0);
    }
}

void TestFirstSeen::agesSurviveARestart()
{
    FirstSeen before;
    applied(before, queueState({1}, 1000));
    applied(before, queueState({1, 2}, 2000));
    FirstSeen after;
    after.restore(before.firstSeen());
    const State state = applied(after, queueState({1, 2, 3}, 10'000));
    QCOMPARE(ageOf(state, 1), 9000);
    QCOMPARE(ageOf(state, 2), 8000);
    QCOMPARE(ageOf(state, 3), 0);
}

void TestFirstSeen::restoringAfterTheFirstLookMakesOlder()
{
    FirstSeen seen;
    applied(seen, queueState({1, 2}, 5000));
    seen.restore({{"jobs", 1, 1000}, {"jobs", 2, 9000}});
    const State state = applied(seen, queueState({1, 2}, 6000));
    QCOMPARE(ageOf(state, 1), 5000);
    QCOMPARE(ageOf(state, 2), 1000); // the earlier of the two
}

void TestFirstSeen::aClockSetBackMakesNobodyOlder()
{
    FirstSeen seen;
    applied(seen, queueState({1}, 100'000));
    State state = applied(seen, queueState({1}, 40'000));
    QCOMPARE(ageOf(state, 1), 0);
    state = applied(seen, queueState({1}, 41'000));
    QCOMPARE(ageOf(state, 1), 1000);
    seen.restore({{"jobs", 2, 900'000}}); // written before the clock was set
    QCOMPARE(ageOf(applied(seen, queueState({2}, 42'000)), 2), 0);
}

void TestFirstSeen::unseenItemsKeepTheirAge()
{
    FirstSeen seen;
    applied(seen, queueState({1, 2, 3}, 1000));
    applied(seen, truncated({4, 5}, 5, 2000)); // newer ones are in front of them
    const State state = applied(seen, queueState({1, 2, 3, 4, 5}, 3000));
    QCOMPARE(ageOf(state, 1), 2000);
    QCOMPARE(ageOf(state, 3), 2000);
    QCOMPARE(ageOf(state, 4), 1000);
}

void TestFirstSeen::whatLeftUnseenDoesNotPileUp()
{
    FirstSeen seen;
    for (quint64 i = 0; i < 5000; ++i)
        applied(seen, truncated({i, i + 1}, 60, 1000 + qint64(i)));
    QVERIFY(seen.firstSeen().size() <= 60);
    const State state = applied(seen, truncated({5000, 5001}, 60, 30'000));
    QCOMPARE(ageOf(state, 5000), 30'000 - 5999); // and what is there is still known
}

void TestFirstSeen::veryLongListsAreBounded()
{
    FirstSeen seen;
    for (quint64 i = 0; i < 80; ++i) {
        std::vector<quint64> items(200);
        std::iota(items.begin(), items.end(), i * 200);
        applied(seen, truncated(items, 1'000'000, 1000 + qint64(i)));
    }
    QVERIFY(seen.firstSeen().size() <= 10'000);
    std::vector<quint64> newest(200);
    std::iota(newest.begin(), newest.end(), 79U * 200);
    QCOMPARE(ageOf(applied(seen, truncated(newest, 1'000'000, 5000)), newest[0]), 5000 - 1079);
}

void TestFirstSeen::changedIsToldOnce()
{
    FirstSeen seen;
    QVERIFY(!seen.takeChanged());
    applied(seen, queueState({}, 500));
    QVERIFY(!seen.takeChanged());
    applied(seen, queueState({1}, 1000));
    QVERIFY(seen.takeChanged());
    QVERIFY(!seen.takeChanged());
    applied(seen, queueState({1}, 2000)); // nothing came or went
    QVERIFY(!seen.takeChanged());
    applied(seen, truncated({1}, 9, 2500));
    applied(seen, truncated({}, 9, 2600)); // nor here
    QVERIFY(!seen.takeChanged());
    applied(seen, queueState({}, 3000));
    QVERIFY(seen.takeChanged());
}

void TestFirstSeen::queuesAreApart()
{
    FirstSeen seen;
    applied(seen, queueState({1}, 1000, 0, "a"));
    applied(seen, queueState({}, 2000, 0, "b"));
    const State other = applied(seen, queueState({1}, 3000, 0, "b"));
    QCOMPARE(ageOf(other, 1), 0);
    QCOMPARE(ageOf(applied(seen, queueState({1}, 3000, 0, "a")), 1), 2000);
    QCOMPARE(seen.firstSeen().size(), 2U);
}

// Its list may have changed since it was read: the job may be done by now.
void TestFirstSeen::whatWasNotSeenAgainDoesNotGetStuck()
{
    FirstSeen seen;
    applied(seen, queueState({1}, 1000));
    State kept = queueState({1}, 40'000);
    kept.payloads.edit().asOfMs = 1000;
    kept = applied(seen, kept);
    QCOMPARE(queueOf(kept).stuck, 0);
    QCOMPARE(queueOf(kept).oldestProcessingMs, std::optional<qint64>(39'000)); // an age goes on
    QCOMPARE(kept.payloads->dueMs, 31'000); // then it is worth another look
    QVERIFY(kept.revisitAtMs > 40'000);
    State again = queueState({1}, 41'000);
    again.payloads.edit().asOfMs = 41'000;
    again = applied(seen, again);
    QCOMPARE(queueOf(again).stuck, 1);
    QCOMPARE(queueOf(again).oldestProcessingMs, std::optional<qint64>(40'000));
    QCOMPARE(again.payloads->dueMs, 0);
}

void TestFirstSeen::forgets()
{
    FirstSeen seen;
    applied(seen, queueState({1}, 1000));
    seen.takeChanged();
    seen.forget("other");
    QVERIFY(!seen.takeChanged());
    seen.forget("jobs");
    QVERIFY(seen.takeChanged()); // so that the file forgets it, too
    QVERIFY(seen.firstSeen().empty());
    QCOMPARE(ageOf(applied(seen, queueState({1}, 9000)), 1), 0);
}

void TestFirstSeen::leavesOthersAlone()
{
    FirstSeen seen;
    applied(seen, queueState({1}, 1000));
    State broken = problemState(madePrimitive(Kind::Queue, "reliable-list", "jobs"), 2000,
                                {ErrorCode::NoPerm, {}});
    seen.apply(broken); // says nothing about what is in the list
    State lock = lockState("a", 100, 2000);
    seen.apply(lock);
    QVERIFY(lock.health == Health::Ok);
    QCOMPARE(ageOf(applied(seen, queueState({1}, 3000)), 1), 2000);
}

LK_TEST(TestFirstSeen);
#include "tst_firstseen.moc"
