// SPDX-License-Identifier: GPL-3.0-or-later
// Two programs and one file: one of them records, and what only the one that does not record knows
// is in it all the same.
#include "backend/session/recording/recordfeed.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;

RecordedEvent eventOf(EventType type, const QByteArray& ref = {}, const QByteArray& code = {})
{
    RecordedEvent event;
    event.tMs = t0 + 1000;
    event.type = type;
    event.ref = ref;
    event.code = code;
    return event;
}

/// A second program that watches the same deployment.
struct Second
{
    explicit Second(Recording& recording)
        : writer({recording.path(), {}, &recording.clock})
        , feed(&writer)
    {}

    RecordWriter writer;
    RecordFeed feed;
};

State lockOf(const QByteArray& owner, qint64 atMs)
{
    return lockState(owner, 30'000, atMs);
}

std::vector<EventType> typesIn(const Recording& recording)
{
    std::vector<EventType> types;
    Reading reading(recording);
    for (const RecordedEvent& event : reading.events({.deployment = shop.key}))
        types.push_back(event.type);
    return types;
}

} // namespace

class TestSharedRecording : public QObject
{
    Q_OBJECT

private slots:
    void whatAPersonDoesIsRecordedByWhoeverHearsOfIt();
    void whatIsToldBeforeItBeginsIsKept();
    void anAlertIsOfItsPrimitive();
    void whoDoesNotRecordAddsToWhatIsThere();
    void oneRecordsAtATime();
    void whoDiesIsSucceeded();
    void anActionIsToldOnceByHoweverManyRecorders();
};

void TestSharedRecording::whatAPersonDoesIsRecordedByWhoeverHearsOfIt()
{
    Recording recording;
    recording.open();
    Second second(recording);
    second.feed.begin(shop, recording.clock.nowMs());
    const std::vector<RecordedEvent> events{eventOf(EventType::AlertFired, "a1"),
                                            eventOf(EventType::AlertAcknowledged, "a1"),
                                            eventOf(EventType::AlertSilenced),
                                            eventOf(EventType::SilenceEnded),
                                            eventOf(EventType::ConfigChanged, {}, "config-file"),
                                            eventOf(EventType::ConfigChanged, {}, "maxmemory"),
                                            eventOf(EventType::ServerRestarted)};
    second.feed.takeEvents(events);
    second.writer.flush();
    const std::vector<EventType> own{EventType::AlertFired, EventType::AlertAcknowledged,
                                     EventType::AlertSilenced, EventType::SilenceEnded,
                                     EventType::ConfigChanged};
    QVERIFY(typesIn(recording) == own);
    second.writer.flush(); // once
    QVERIFY(typesIn(recording) == own);

    // The first sees the same alert, too.
    RecordBatch batch = recording.batch();
    batch.events = {eventOf(EventType::AlertFired, "a1")};
    recording.add(batch);
    QVERIFY(typesIn(recording) == own);
    // The one that records still does.
    QSignalSpy changed(recording.writer.get(), &RecordWriter::recordingChanged);
    recording.addState(lockState("alice", 30'000, t0 + 2000));
    QCOMPARE(changed.size(), 0);
    QCOMPARE(Reading(recording).span(shop.key).primitives, 1);
}

// As an alert that the server does not answer: nothing is recorded until it does.
void TestSharedRecording::whatIsToldBeforeItBeginsIsKept()
{
    Recording recording;
    recording.open();
    Second second(recording);
    second.feed.begin(shop, recording.clock.nowMs());
    second.feed.end(GapReason::Lost);
    second.feed.takeEvents({eventOf(EventType::AlertFired, "a1"), eventOf(EventType::ServerBack)});
    second.writer.flush();
    QVERIFY(typesIn(recording).empty());
    second.feed.begin(shop, recording.clock.nowMs());
    second.writer.flush();
    QVERIFY(typesIn(recording) == std::vector{EventType::AlertFired});
}

void TestSharedRecording::anAlertIsOfItsPrimitive()
{
    Recording recording;
    recording.open();
    State lock = lockState("alice", 30'000, t0);
    recording.addState(lock);
    Second second(recording);
    second.feed.begin(shop, recording.clock.nowMs());
    auto changes = std::make_shared<std::vector<StateChange>>();
    changes->push_back({Handle(0, 1), shared(lock)});
    second.feed.takeChanges(changes, t0);
    RecordedEvent event = eventOf(EventType::AlertFired, "a1");
    event.kind = Kind::Lock;
    event.primitive.name = lock.primitive->keys.front().key;
    second.feed.takeEvents({event});
    second.writer.flush();
    Reading reading(recording);
    const auto events = reading.events({.deployment = shop.key, .types = {EventType::AlertFired}});
    QCOMPARE(events.size(), 1U);
    QCOMPARE(events[0].primitive, lock.primitive->id);
}

// A console whose recording is off: no other program knows the actions of its user.
void TestSharedRecording::whoDoesNotRecordAddsToWhatIsThere()
{
    const QTemporaryDir folder;
    const QString nowhere = folder.filePath(QStringLiteral("none.db"));
    const SystemClock clock;
    RecordWriter none({nowhere, {}, &clock});
    none.addEventsTo({shop.key}, {eventOf(EventType::AlertSilenced)});
    QVERIFY(!QFile::exists(nowhere));

    Recording recording;
    recording.open();
    RecordWriter second({recording.path(), {}, &recording.clock});
    QSignalSpy problems(&second, &RecordWriter::problem);
    second.addEventsTo({"redis:elsewhere:6379/0"}, {eventOf(EventType::AlertSilenced)});
    QVERIFY(typesIn(recording).empty());
    for (int i = 0; i < 2; ++i) // one alert is acknowledged once
        second.addEventsTo({shop.key}, {eventOf(EventType::AlertAcknowledged, "a1")});
    second.addEventsTo({shop.key}, {eventOf(EventType::AlertSilenced)});
    QVERIFY((typesIn(recording) ==
             std::vector{EventType::AlertAcknowledged, EventType::AlertSilenced}));
    QCOMPARE(problems.size(), 0);
    // The one that records still does.
    QSignalSpy changed(recording.writer.get(), &RecordWriter::recordingChanged);
    recording.addState(lockState("alice", 30'000, t0 + 2000));
    QCOMPARE(changed.size(), 0);
    QCOMPARE(Reading(recording).span(shop.key).primitives, 1);
}

void TestSharedRecording::oneRecordsAtATime()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    RecordWriter other({recording.path(), {}, &recording.clock});
    QSignalSpy changed(&other, &RecordWriter::recordingChanged);
    QSignalSpy resumed(&other, &RecordWriter::resumed);
    other.begin(shop, recording.clock.nowMs());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed[0][1].toBool(), false);
    QCOMPARE(resumed.size(), 0);
    RecordBatch batch = recording.batch();
    State lock = lockOf("mallory", t0 + 1000);
    batch.states.push_back({lock.primitive, t0 + 1000, shared(lock)});
    other.add(std::make_shared<RecordBatch>(batch)); // dropped
    other.flush();
    {
        Reading reading(recording);
        QCOMPARE(reading.momentAt(shop.key, t0 + 1000).states.at(0).state->as<LockState>()->owner,
                 QByteArray("alice"));
        QVERIFY(reading.span(shop.key).deployment.title == QStringLiteral("shop"));
    }
    recording.close(); // in order: the other one goes on at once
    other.flush();
    QCOMPARE(changed.last()[1].toBool(), true);
    QCOMPARE(resumed.size(), 1);
}

void TestSharedRecording::whoDiesIsSucceeded()
{
    Recording recording;
    recording.open();
    recording.addState(lockOf("alice", t0));
    recording.kill();
    RecordWriter other({recording.path(), {}, &recording.clock});
    QSignalSpy resumed(&other, &RecordWriter::resumed);
    other.begin(shop, recording.clock.nowMs());
    QCOMPARE(resumed.size(), 0); // its claim still lasts
    recording.clock.advance(7000);
    other.flush();
    QCOMPARE(resumed.size(), 1);
}

// Each reads the journal from its beginning.
void TestSharedRecording::anActionIsToldOnceByHoweverManyRecorders()
{
    Recording recording;
    for (int i = 0; i < 3; ++i) {
        recording.open();
        RecordBatch batch = recording.batch();
        for (const char* receipt : {"r1", "r2"}) {
            RecordedEvent event;
            event.type = EventType::Action;
            event.tMs = t0;
            event.ref = receipt;
            batch.events.push_back(event);
        }
        recording.add(batch);
        recording.close();
        recording.clock.advance(1000);
    }
    Reading reading(recording);
    QCOMPARE(reading.events({.deployment = shop.key, .types = {EventType::Action}}).size(), 2U);
}

LK_TEST(TestSharedRecording);
#include "tst_sharedrecording.moc"
