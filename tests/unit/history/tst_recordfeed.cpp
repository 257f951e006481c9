// SPDX-License-Identifier: GPL-3.0-or-later
// The records made from the states of a session, with any clock and any fate of a primitive.
#include "backend/history/store/codec/statecodec.h"
#include "tests/support/testprogram.h"
#include "tests/unit/fedrecording.h"

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 minute = Retention::minute;
constexpr qint64 hour = Retention::hour;

std::vector<RecordedEvent> eventsOf(const Fed& fed, const Primitive& primitive,
                                    const QSet<EventType>& types = {})
{
    Reading reading(fed.recording);
    return reading.events(
        {.deployment = shop.key, .primitive = recordedId(primitive), .types = types});
}

} // namespace

class TestRecordFeed : public QObject
{
    Q_OBJECT

private slots:
    void theServersTimeIsTheClock_data();
    void theServersTimeIsTheClock();
    void aClockThatWasSetBackIsFollowed();
    void howATokenEndedIsToldOnce_data();
    void howATokenEndedIsToldOnce();
    void massesOfTokensDoNotFillTheDisk();
    void theFirstSightAndTheLastAreTold();
    void moreStuckJobsAreTold();
    void anAlertIsOfThePrimitiveWhoseKeyItNames();
};

void TestRecordFeed::theServersTimeIsTheClock_data()
{
    QTest::addColumn<qint64>("offsetMs");
    QTest::newRow("an hour behind") << -hour;
    QTest::newRow("the same") << qint64(0);
    QTest::newRow("an hour ahead") << hour;
}

void TestRecordFeed::theServersTimeIsTheClock()
{
    QFETCH(qint64, offsetMs);
    Fed fed(offsetMs);
    // Read before it is known which deployment it is.
    fed.take(0, queueState({}, fed.nowMs() - 500, 5));
    const qint64 beganMs = fed.nowMs();
    fed.begin();
    fed.pass(1000);
    {
        Reading reading(fed.recording);
        QCOMPARE(reading.span(shop.key).firstMs, beganMs);
        QCOMPARE(reading.momentAt(shop.key, beganMs).states.size(), 1U);
        QVERIFY(!reading.momentAt(shop.key, beganMs).blind);
        QVERIFY(reading.gaps(shop.key, beganMs, fed.nowMs()).empty());
    }
    // It is as fine as it was read for an hour, by that clock.
    for (int i = 1; i <= 40; ++i) {
        fed.pass(minute);
        fed.take(0, queueState({}, fed.nowMs(), quint64(5 + i)));
        if (i % 10 == 0)
            fed.recording.writer->ageAll();
    }
    Reading reading(fed.recording);
    const RecordedId id{shop.key, {"reliable-list", "jobs"}};
    const RecordedSeries fine = reading.series(id, "ready", beganMs, fed.nowMs(), 1000);
    QCOMPARE(fine.stepMs, 0);
    QCOMPARE(fine.points.back().last, 45.0);
    QCOMPARE(fine.points.front().tMs, beganMs);
    // And no finer for longer.
    for (int i = 0; i < 24; ++i)
        fed.pass(10 * minute);
    fed.recording.writer->ageAll();
    QCOMPARE(reading.series(id, "ready", beganMs, beganMs + 30 * minute, 1000).stepMs, 10'000);
}

// As by a failover to a server whose clock is another.
void TestRecordFeed::aClockThatWasSetBackIsFollowed()
{
    Fed fed(hour);
    fed.take(0, queueState({}, fed.nowMs(), 5));
    fed.begin();
    fed.pass(10'000);
    fed.feed->end(GapReason::Lost);
    fed.offsetMs = -hour;
    fed.pass(10'000);
    fed.begin();
    fed.take(0, queueState({}, fed.nowMs(), 9));
    fed.pass(1000);
    Reading reading(fed.recording);
    const RecordedMoment now = reading.momentAt(shop.key, fed.nowMs());
    QVERIFY(!now.blind);
    QCOMPARE(now.states.size(), 1U);
    QCOMPARE(now.states[0].state->as<QueueState>()->ready, std::optional<qint64>(9));
}

void TestRecordFeed::howATokenEndedIsToldOnce_data()
{
    using Phase = TokenState::Phase;
    using End = TokenState::End;
    QTest::addColumn<int>("before");
    QTest::addColumn<int>("after");
    QTest::addColumn<int>("end");
    QTest::addColumn<QByteArray>("code");
    const auto row = [](const char* name, Phase before, Phase after, End end, const char* code) {
        QTest::newRow(name) << int(before) << int(after) << int(end) << QByteArray(code);
    };
    row("used", Phase::Live, Phase::Used, End::Gone, "consumed");
    row("used and deleted at once", Phase::Live, Phase::Gone, End::Consumed, "consumed");
    row("expired", Phase::Live, Phase::Gone, End::Expired, "expired");
    row("revoked", Phase::Live, Phase::Gone, End::Revoked, "revoked");
    row("gone", Phase::Live, Phase::Gone, End::Gone, "gone");
    row("never issued", Phase::NeverIssued, Phase::Gone, End::Removed, "removed");
    row("used before anybody looked", Phase::Used, Phase::Gone, End::Consumed, "");
    row("goes on", Phase::Live, Phase::Live, End::Gone, "");
}

void TestRecordFeed::howATokenEndedIsToldOnce()
{
    QFETCH(int, before);
    QFETCH(int, after);
    QFETCH(int, end);
    QFETCH(QByteArray, code);
    using Phase = TokenState::Phase;
    Fed fed;
    fed.begin();
    const State first = token(Phase(before), fed.nowMs());
    fed.take(0, first);
    fed.pass(5000);
    const qint64 endedMs = fed.nowMs();
    for (int i = 0; i < 3; ++i) { // read again and again
        fed.take(0, token(Phase(after), fed.nowMs(), TokenState::End(end)));
        fed.pass(5000);
    }
    const auto events = eventsOf(fed, *first.primitive, {EventType::TokenEnded});
    QCOMPARE(events.size(), code.isEmpty() ? 0U : 1U);
    if (code.isEmpty())
        return;
    QCOMPARE(events[0].code, code);
    QCOMPARE(events[0].tMs, endedMs);
    QCOMPARE(events[0].kind, Kind::Token);
}

void TestRecordFeed::massesOfTokensDoNotFillTheDisk()
{
    constexpr int many = 6000;
    Fed fed;
    fed.begin();
    const auto takeAll = [&](TokenState::Phase phase) {
        auto changes = std::make_shared<std::vector<StateChange>>();
        for (int i = 0; i < many; ++i) {
            State state = token(phase, fed.nowMs());
            state.primitive = madePrimitive(Kind::Token, "hash-token",
                                            "code:" + QByteArray::number(1'000'000 + i, 36));
            changes->push_back({Handle(quint32(i), 1), shared(std::move(state))});
        }
        fed.feed->takeChanges(changes, fed.nowMs());
        fed.recording.writer->flush();
    };
    takeAll(TokenState::Phase::Live);
    takeAll(TokenState::Phase::Used);
    Reading reading(fed.recording);
    const size_t told =
        reading
            .events({.deployment = shop.key, .types = {EventType::TokenEnded}, .limit = 10 * many})
            .size();
    QVERIFY2(told >= 1000 && told <= 2100, QByteArray::number(told).constData());
}

void TestRecordFeed::theFirstSightAndTheLastAreTold()
{
    Fed fed;
    fed.begin();
    fed.pass(1000);
    const qint64 seenMs = fed.nowMs();
    const State queue = queueState({}, seenMs, 5);
    fed.take(0, queue);
    {
        const auto events = eventsOf(fed, *queue.primitive);
        QCOMPARE(events.size(), 1U);
        QCOMPARE(events[0].type, EventType::PrimitiveSeen);
        QCOMPARE(events[0].tMs, seenMs);
    }
    fed.pass(60'000);
    const qint64 vanishedMs = fed.nowMs();
    State absent = queueState({}, vanishedMs, 0);
    absent.present = false;
    fed.take(0, absent);
    fed.pass(600'000); // it is shown for a while that it is gone
    fed.take(0, StatePtr());
    {
        const auto events = eventsOf(fed, *queue.primitive);
        QCOMPARE(events.size(), 2U);
        QCOMPARE(events[1].type, EventType::PrimitiveGone);
        QCOMPARE(events[1].tMs, vanishedMs);
    }
    fed.pass(60'000);
    const qint64 againMs = fed.nowMs();
    fed.take(1, queueState({}, againMs, 7));
    const auto events = eventsOf(fed, *queue.primitive);
    QCOMPARE(events.size(), 3U);
    QCOMPARE(events[0].tMs, seenMs);
    QCOMPARE(events[1].tMs, vanishedMs);
    QCOMPARE(events[2].type, EventType::PrimitiveSeen);
    QCOMPARE(events[2].code, QByteArray("again"));
    QCOMPARE(events[2].tMs, againMs);
    // In the time that is asked for, and no more than that.
    Reading reading(fed.recording);
    const auto part = reading.events({.deployment = shop.key,
                                      .primitive = recordedId(*queue.primitive),
                                      .fromMs = seenMs + 1,
                                      .toMs = againMs - 1});
    QCOMPARE(part.size(), 1U);
    const auto last = reading.events({.deployment = shop.key,
                                      .primitive = recordedId(*queue.primitive),
                                      .limit = 1,
                                      .latest = true});
    QCOMPARE(last.size(), 1U);
    QCOMPARE(last[0].tMs, againMs);
}

void TestRecordFeed::moreStuckJobsAreTold()
{
    Fed fed;
    fed.begin();
    for (const int stuck : {1, 2}) { // the same jobs: only time has passed
        State queue = queueState({1, 2}, fed.nowMs(), 0);
        queue.body.get<QueueState>().stuck = stuck;
        fed.take(0, queue);
        fed.pass(5000);
    }
    Reading reading(fed.recording);
    const RecordedMoment moment = reading.momentAt(shop.key, fed.nowMs());
    QCOMPARE(moment.states.at(0).state->as<QueueState>()->stuck, 2);
}

// Like a finding, an alert names a primitive by one of its keys.
void TestRecordFeed::anAlertIsOfThePrimitiveWhoseKeyItNames()
{
    Fed fed;
    State queue = queueState({}, fed.nowMs(), 5);
    auto primitive = std::make_shared<Primitive>(*queue.primitive);
    primitive->keys.push_back({"processing", "jobs:processing"});
    queue.primitive = primitive;
    RecordedEvent alert;
    alert.type = EventType::AlertFired;
    alert.kind = Kind::Queue;
    alert.primitive = {{}, primitive->keys.back().key};
    alert.ref = "a1";
    RecordedEvent another = alert; // of another kind, and so of nothing that is known
    another.kind = Kind::Lock;
    another.ref = "a2";
    // Fired before it is recorded, and while it is.
    alert.tMs = another.tMs = fed.nowMs();
    fed.feed->takeEvents({alert});
    fed.take(0, queue);
    fed.begin();
    fed.pass(1000);
    alert.ref = "a3";
    alert.tMs = fed.nowMs();
    fed.feed->takeEvents({alert, another});
    fed.pass(1000);
    // It is gone before it is resolved.
    fed.take(0, nullptr);
    fed.pass(1000);
    alert.type = EventType::AlertResolved;
    alert.tMs = fed.nowMs();
    fed.feed->takeEvents({alert});
    fed.pass(1000);
    const auto told = eventsOf(fed, *primitive, {EventType::AlertFired, EventType::AlertResolved});
    QByteArrayList refs;
    for (const RecordedEvent& event : told)
        refs << event.ref;
    QCOMPARE(refs, QByteArrayList({"a1", "a3", "a3"}));
    Reading reading(fed.recording);
    QCOMPARE(reading.events({.deployment = shop.key, .types = {EventType::AlertFired}}).size(), 3U);
}

LK_TEST(TestRecordFeed);
#include "tst_recordfeed.moc"
