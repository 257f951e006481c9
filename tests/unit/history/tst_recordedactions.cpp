// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of operators, which a recording reads from the journal.
#include "backend/session/recording/recordfeed.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 t0 = Recording::startMs;

JournalEntry entryOf(const QByteArray& receipt, const QString& endpoint, const QString& key)
{
    JournalEntry entry;
    entry.receipt = receipt;
    entry.action = "lock.release";
    entry.endpoint = endpoint;
    entry.keys = {key};
    entry.who = QStringLiteral("ann");
    entry.outcome = Outcome::Succeeded;
    entry.serverMs = t0 + 1000;
    return entry;
}

JournalPtr journalOf(std::vector<JournalEntry> entries)
{
    auto journal = std::make_shared<Journal::Contents>();
    journal->entries = std::move(entries);
    return journal;
}

} // namespace

class TestRecordedActions : public QObject
{
    Q_OBJECT

private slots:
    void anyOfItsNodesMayHaveBeenEntered();
    void whatIsGoneIsStillKnown();
};

void TestRecordedActions::anyOfItsNodesMayHaveBeenEntered()
{
    Recording recording;
    RecordWriter writer({recording.path(), {}, &recording.clock});
    RecordFeed feed(&writer);
    feed.begin(shop, recording.clock.nowMs());
    feed.takeJournal(
        journalOf({entryOf("r1", QStringLiteral("n1:7001"), QStringLiteral("l")),
                   entryOf("r2", QStringLiteral("n2:7002/0"), QStringLiteral("l")),
                   entryOf("r3", QStringLiteral("other:6379/0"), QStringLiteral("l"))}),
        {QStringLiteral("n1:7001"), QStringLiteral("n1:7001/0"), QStringLiteral("n2:7002/0")});
    writer.flush();
    QByteArrayList receipts;
    Reading reading(recording);
    for (const RecordedEvent& event :
         reading.events({.deployment = shop.key, .types = {EventType::Action}}))
        receipts << event.ref;
    QCOMPARE(receipts, (QByteArrayList{"r1", "r2"}));
}

// Released, it is gone before the journal is read.
void TestRecordedActions::whatIsGoneIsStillKnown()
{
    Recording recording;
    RecordWriter writer({recording.path(), {}, &recording.clock});
    RecordFeed feed(&writer);
    feed.begin(shop, recording.clock.nowMs());
    const StatePtr lock = shared(lockState("alice", 30'000, t0));
    const auto take = [&](const StatePtr& state) {
        auto changes = std::make_shared<std::vector<StateChange>>();
        changes->push_back({Handle(0, 1), state});
        feed.takeChanges(changes, recording.clock.nowMs());
        writer.flush();
    };
    take(lock);
    take(nullptr);
    const QString place = QStringLiteral("n1:7001/0");
    feed.takeJournal(
        journalOf({entryOf("r1", place, QString::fromUtf8(lock->primitive->keys.front().key))}),
        {place});
    writer.flush();
    Reading reading(recording);
    const auto events = reading.events(
        {.deployment = shop.key, .primitive = lock->primitive->id, .types = {EventType::Action}});
    QCOMPARE(events.size(), 1U);
    QCOMPARE(events[0].who, QStringLiteral("ann"));
}

LK_TEST(TestRecordedActions);
#include "tst_recordedactions.moc"
