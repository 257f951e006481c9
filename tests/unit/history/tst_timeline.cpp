// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/agedstate.h"
#include "backend/session/past/timeline.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

/// The recorded events of a primitive in words: the same for the window and for files.
class TestTimeline : public QObject
{
    Q_OBJECT

private slots:
    void aHoldIsOneLine();
    void aHoldSaysHowItEnded_data();
    void aHoldSaysHowItEnded();
    void whoTookItOverIsTold_data();
    void whoTookItOverIsTold();
    void whoTookItOverIsToldOfAHoldThatIsNotListed();
    void takenOverByNobodyKnowsWhom();
    void shortHoldsThatAreNotListedAreCounted();
    void whoHeldItAtTheSameTimeTookNothingOver();
    void whoReleasedItAndWhyIsTold();
    void whatDidNotEndItIsNotTold();
    void whyNobodyRecordedIsTold();
    void fromWhenToWhenItWasPaused();
    void linesAreInTheirOrder();
    void jobsThatMoveTogetherAreToldTogether();
    void everyTypeOfEventHasASentence();
    void whoSilencedWhatUntilWhenIsTold();
    void theOutcomeOfAnActionIsTold();
    void textAndCsvSayTheSame();
    void aCsvHasNoFormula();
    void whatIsLeftGetsLess();
    void whatLastsGetsLonger();
    void whatIsNotOldStaysAsItIs();
};

namespace {

constexpr qint64 base = 1'700'000'000'000; // 22:13:20 UTC

RecordedHold hold(const char* owner, qint64 from, qint64 to)
{
    RecordedHold made;
    made.owner = owner;
    made.fromMs = base + from;
    made.toMs = base + to;
    made.fromKnown = true;
    return made;
}

RecordedEvent happening(EventType type, qint64 at, double value = 0, const QByteArray& code = {})
{
    RecordedEvent made;
    made.type = type;
    made.tMs = base + at;
    made.value = value;
    made.code = code;
    return made;
}

Timeline lifeOf(const std::vector<RecordedHold>& holds, const std::vector<RecordedEvent>& events,
                const std::vector<RecordedGap>& gaps)
{
    return lk::lifeOf(RecordedLife{holds, holdEnds(holds, events), events, gaps});
}

} // namespace

void TestTimeline::aHoldIsOneLine()
{
    RecordedHold renewed = hold("worker-a", 0, 240'000);
    renewed.renewals = 8;
    const Timeline life = lifeOf({renewed}, {}, {});
    QCOMPARE(life.size(), 1U);
    QCOMPARE(life[0].fromMs, base);
    QCOMPARE(life[0].toMs, base + 240'000);
    QCOMPARE(life[0].who, QStringLiteral("worker-a"));
    QVERIFY2(life[0].text.contains(QStringLiteral("held by worker-a for 4 m")),
             qPrintable(life[0].text));
    QVERIFY2(life[0].text.contains(QStringLiteral("renewed 8 time")), qPrintable(life[0].text));
}

void TestTimeline::aHoldSaysHowItEnded_data()
{
    QTest::addColumn<qint64>("lease"); // 0: none
    QTest::addColumn<bool>("known");
    QTest::addColumn<bool>("open");
    QTest::addColumn<QString>("said");
    QTest::newRow("expired") << 10'000ll << true << false << "expired";
    QTest::newRow("released") << 60'000ll << true << false << "released";
    QTest::newRow("unseen") << 60'000ll << false << false << "its end was not observed";
    QTest::newRow("open") << 60'000ll << true << true << "still held when last seen";
}

void TestTimeline::aHoldSaysHowItEnded()
{
    QFETCH(qint64, lease);
    QFETCH(bool, known);
    QFETCH(bool, open);
    QFETCH(QString, said);
    RecordedHold ended = hold("a", 0, 10'000);
    ended.leaseEndMs = base + lease;
    ended.endKnown = known;
    ended.open = open;
    const Timeline life = lifeOf({ended}, {}, {});
    QVERIFY2(life[0].text.endsWith(said), qPrintable(life[0].text));
    QCOMPARE(life[0].lasting, open);
}

void TestTimeline::whoTookItOverIsTold_data()
{
    QTest::addColumn<qint64>("lease");
    QTest::addColumn<qint64>("next"); // from when
    QTest::addColumn<QString>("said");
    QTest::newRow("expired, taken soon")
        << 10'000ll << 10'400ll << "held by a for 10 s, expired; taken over by b 400 ms later";
    QTest::newRow("expired, taken between two reads")
        << 10'000ll << 10'000ll << "held by a for 10 s, expired; taken over by b";
    QTest::newRow("released, taken soon")
        << 60'000ll << 10'400ll << "held by a for 10 s, released; taken over by b 400 ms later";
    QTest::newRow("another owner in the next read")
        << 60'000ll << 10'000ll << "held by a for 10 s; taken over by b";
    QTest::newRow("taken much later") << 60'000ll << 90'000ll << "held by a for 10 s, released";
}

void TestTimeline::whoTookItOverIsTold()
{
    QFETCH(qint64, lease);
    QFETCH(qint64, next);
    RecordedHold first = hold("a", 0, 10'000);
    first.leaseEndMs = base + lease;
    const Timeline life = lifeOf({first, hold("b", next, 100'000)}, {}, {});
    QTEST(life[0].text, "said");
}

void TestTimeline::whoTookItOverIsToldOfAHoldThatIsNotListed()
{
    RecordedHold first = hold("a", 0, 2000);
    first.leaseEndMs = base + 60'000;
    RecordedEvent omitted = happening(EventType::HoldsOmitted, 2000, 3, "b");
    omitted.detail = QString::number(base + 8000);
    const RecordedHold last = hold("c", 8000, 90'000);
    const Timeline life = lifeOf({first, last}, {omitted}, {});
    QCOMPARE(life.size(), 3U);
    QCOMPARE(life[0].text, QStringLiteral("held by a for 2 s; taken over by b"));
    QCOMPARE(life[1].text, QStringLiteral("3 shorter hold(s) not listed"));
    QCOMPARE(life[1].fromMs, base + 2000);
    QCOMPARE(life[1].toMs, base + 8000);
    omitted.tMs += 500; // it was free in between
    QCOMPARE(lifeOf({first, last}, {omitted}, {})[0].text,
             QStringLiteral("held by a for 2 s, released; taken over by b 500 ms later"));
}

// As where the recorder was killed before it had told of the next.
void TestTimeline::takenOverByNobodyKnowsWhom()
{
    RecordedHold first = hold("a", 0, 2000);
    first.leaseEndMs = base + 60'000;
    first.takenOver = true;
    QCOMPARE(lifeOf({first}, {}, {})[0].text,
             QStringLiteral("held by a for 2 s, taken over by another owner"));
    QCOMPARE(lifeOf({first, hold("c", 6000, 9000)}, {}, {})[0].text,
             QStringLiteral("held by a for 2 s, taken over by another owner"));
}

void TestTimeline::shortHoldsThatAreNotListedAreCounted()
{
    std::vector<RecordedEvent> events;
    for (int i = 0; i < 3; ++i) {
        events.push_back(happening(EventType::HoldsOmitted, i * 60'000, 10 + i, "b"));
        events.back().detail = QString::number(base + i * 60'000 + 59'000);
    }
    events.push_back(happening(EventType::HoldsOmitted, 2 * 3'600'000, 1, "d"));
    const Timeline life = lifeOf({}, events, {});
    QCOMPARE(life.size(), 2U);
    QCOMPARE(life[0].text, QStringLiteral("33 shorter hold(s) not listed"));
    QCOMPARE(life[0].toMs, base + 179'000);
    QCOMPARE(life[1].text, QStringLiteral("1 shorter hold(s) not listed"));
    QVERIFY(lifeCsv(life).contains(QStringLiteral("\"33 shorter hold(s) not listed\"")));
}

void TestTimeline::whoHeldItAtTheSameTimeTookNothingOver()
{
    std::vector<RecordedHold> holds{hold("a", 0, 13'000), hold("b", 8000, 40'000),
                                    hold("c", 13'000, 30'000), hold("d", 45'000, 60'000)};
    for (RecordedHold& each : holds) {
        each.leaseEndMs = base + 90'000;
        each.shared = true;
    }
    holds.back().takenOver = true; // by a writer
    holds.push_back(hold("w", 60'000, 70'000));
    const Timeline life = lifeOf(holds, {}, {});
    QCOMPARE(life[0].text, QStringLiteral("held by a for 13 s, released"));
    QCOMPARE(life[1].text, QStringLiteral("held by b for 32 s, released"));
    QCOMPARE(life[2].text, QStringLiteral("held by c for 17 s, released"));
    QCOMPARE(life[3].text, QStringLiteral("held by d for 15 s; taken over by w"));
    // Two reads that came as one: the next one's hold begins before the end of the first was read.
    const Timeline one = lifeOf({hold("a", 0, 13'000), hold("b", 12'000, 40'000)}, {}, {});
    QCOMPARE(one[0].text, QStringLiteral("held by a for 13 s; taken over by b"));
}

void TestTimeline::whoReleasedItAndWhyIsTold()
{
    RecordedHold held = hold("a", 0, 250'000);
    held.leaseEndMs = base + 600'000;
    held.renewals = 8;
    RecordedEvent release = happening(EventType::Action, 240'000, 1, "lock.release");
    release.who = QStringLiteral("ann");
    release.text = QStringLiteral("ticket 42");
    release.detail = QStringLiteral("done");
    const Timeline life = lifeOf({held, hold("b", 251'000, 300'000)}, {release}, {});
    QCOMPARE(life.size(), 3U);
    QCOMPARE(life[0].text,
             QStringLiteral("held by a for 4 m, renewed 8 time(s), released by operator ann: "
                            "ticket 42; taken over by b 1 s later"));
    QCOMPARE(life[0].toMs, release.tMs); // it was read ten seconds later
    QCOMPARE(life[1].text, QStringLiteral("lock.release by ann (succeeded): ticket 42"));
    release.code = "key.delete";
    release.text.clear();
    const Timeline deleted = lifeOf({held}, {release}, {});
    QVERIFY2(deleted[0].text.endsWith(QStringLiteral("ended by operator ann (key.delete)")),
             qPrintable(deleted[0].text));
}

void TestTimeline::whatDidNotEndItIsNotTold()
{
    RecordedHold held = hold("a", 100'000, 250'000);
    held.leaseEndMs = base + 600'000;
    std::vector<RecordedEvent> events{
        happening(EventType::Action, 249'000, 1, "lock.release"), // met another owner
        happening(EventType::Action, 249'000, 1, "lock.ttl"),
        happening(EventType::Action, 120'000, 1, "lock.release"), // it was held on after that
        happening(EventType::Action, 90'000, 1, "lock.release"),
        happening(EventType::FindingOpened, 250'000, 1, "lock.release")};
    for (RecordedEvent& event : events)
        event.detail = QStringLiteral("done");
    events[0].detail = QStringLiteral("conflict");
    for (const TimelineEntry& line : lifeOf({held}, events, {})) {
        if (line.fromMs == held.fromMs)
            QVERIFY2(line.text.endsWith(QStringLiteral(", released")), qPrintable(line.text));
    }
}

void TestTimeline::whyNobodyRecordedIsTold()
{
    QSet<QString> texts;
    for (const GapReason reason : {GapReason::Stopped, GapReason::Paused, GapReason::Lost,
                                   GapReason::Disk, GapReason::Crash, GapReason::None}) {
        const Timeline life = lifeOf({}, {}, {RecordedGap{base, base + 60'000, reason}});
        QVERIFY2(life[0].text.startsWith(QStringLiteral("not recorded for 1 m")),
                 qPrintable(life[0].text));
        texts.insert(life[0].text);
    }
    QCOMPARE(texts.size(), 6);
}

void TestTimeline::fromWhenToWhenItWasPaused()
{
    const auto said = [](EventType type, double value, const QByteArray& code = {}) {
        return lifeOf({}, {happening(type, 0, value, code)}, {}).front().text;
    };
    using enum EventType;
    QCOMPARE(said(PausedBegan, 0), QStringLiteral("paused"));
    QCOMPARE(said(PausedEnded, 240'000), QStringLiteral("resumed after 4 m"));
    QCOMPARE(said(PausedBegan, 0, "before"), QStringLiteral("already paused when first read"));
    QCOMPARE(said(PausedEnded, 240'000, "before"), QStringLiteral("resumed after at least 4 m"));
    QCOMPARE(said(PausedEnded, 240'000, "gone"), QStringLiteral("gone while paused, after 4 m"));
}

void TestTimeline::linesAreInTheirOrder()
{
    const Timeline life = lifeOf(
        {hold("a", 0, 100), hold("b", 5000, 6000)},
        {happening(EventType::FindingOpened, 3000), happening(EventType::PrimitiveSeen, -10)},
        {RecordedGap{base + 4000, base + 4500, GapReason::Stopped}});
    QCOMPARE(life.size(), 5U);
    for (size_t i = 1; i < life.size(); ++i)
        QVERIFY(life[i - 1].fromMs <= life[i].fromMs);
    QCOMPARE(life[3].sort, TimeMark::Sort::Gap);
}

void TestTimeline::jobsThatMoveTogetherAreToldTogether()
{
    const Timeline life = lifeOf({},
                                 {happening(EventType::JobsMoved, 0, 2, "dead"),
                                  happening(EventType::JobsMoved, 20'000, 3, "dead"),
                                  happening(EventType::JobsMoved, 200'000, -5, "dead")},
                                 {});
    QCOMPARE(life.size(), 2U);
    QVERIFY2(life[0].text.startsWith(QStringLiteral("5 more")), qPrintable(life[0].text));
    QCOMPARE(life[0].toMs, base + 20'000);
    QVERIFY2(life[1].text.startsWith(QStringLiteral("5 fewer")), qPrintable(life[1].text));
}

void TestTimeline::everyTypeOfEventHasASentence()
{
    QSet<QString> texts;
    for (const EventType type :
         {EventType::PrimitiveSeen,     EventType::PrimitiveGone,   EventType::StuckBegan,
          EventType::StuckEnded,        EventType::FullBegan,       EventType::FullEnded,
          EventType::PausedBegan,       EventType::PausedEnded,     EventType::ServerBack,
          EventType::ServerLost,        EventType::ServerRestarted, EventType::Failover,
          EventType::RoleChanged,       EventType::ConfigChanged,   EventType::NodeLost,
          EventType::NodeBack,          EventType::AlertFired,      EventType::AlertResolved,
          EventType::AlertAcknowledged, EventType::AlertSilenced,   EventType::FindingOpened,
          EventType::FindingClosed,     EventType::Action,          EventType::TokenEnded,
          EventType::JobsMoved,         EventType::HoldsOmitted,    EventType::SilenceEnded}) {
        RecordedEvent made = happening(type, 0, 1, "x");
        made.who = QStringLiteral("somebody");
        const QString text = eventText(made);
        QVERIFY2(!text.isEmpty() && !text.endsWith(QLatin1Char('.')), qPrintable(text));
        QVERIFY2(!texts.contains(text), qPrintable(text)); // each says something else
        texts.insert(text);
    }
}

void TestTimeline::whoSilencedWhatUntilWhenIsTold()
{
    RecordedEvent silenced = happening(EventType::AlertSilenced, 0, 0, "queue-stuck");
    silenced.who = QStringLiteral("ann");
    QCOMPARE(eventText(silenced),
             QStringLiteral("alert silenced by ann until ended manually: queue-stuck"));
    silenced.detail = QStringLiteral("mail");
    silenced.text = QStringLiteral("known bug");
    silenced.value = double(base);
    const QString text = eventText(silenced);
    QVERIFY2(text.startsWith(QStringLiteral("alert silenced by ann until ")), qPrintable(text));
    QVERIFY2(text.endsWith(QStringLiteral(": queue-stuck on mail: known bug")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("2023")), qPrintable(text));
    silenced.type = EventType::SilenceEnded;
    silenced.who = QStringLiteral("bob");
    QCOMPARE(eventText(silenced),
             QStringLiteral("alert no longer silenced: ended by bob: queue-stuck on mail"));
    QCOMPARE(markOf(silenced).sort, TimeMark::Sort::Alert);
    silenced.type = EventType::AlertSilenced;
    silenced.code.clear();
    QVERIFY(eventText(silenced).endsWith(QStringLiteral(": mail: known bug")));
}

void TestTimeline::theOutcomeOfAnActionIsTold()
{
    RecordedEvent action = happening(EventType::Action, 0, 0, "queue.requeue");
    action.who = QStringLiteral("ann");
    action.text = QStringLiteral("ticket 42");
    QVERIFY(eventText(action).contains(QStringLiteral("ann")));
    QVERIFY(eventText(action).endsWith(QStringLiteral("ticket 42")));
    QCOMPARE(markOf(action).sort, TimeMark::Sort::Action);
    RecordedEvent closed = happening(EventType::FindingClosed, 0, 1000);
    QVERIFY(markOf(closed).resolves);
}

void TestTimeline::textAndCsvSayTheSame()
{
    const Timeline life =
        lifeOf({hold("a", 0, 100'000)}, {happening(EventType::StuckBegan, 50, 3)}, {});
    const QString text = lifeText(QStringLiteral("heading"), life);
    const QString csv = lifeCsv(life);
    QVERIFY(text.startsWith(QStringLiteral("heading\n")));
    QCOMPARE(text.count(QLatin1Char('\n')), 3);
    QCOMPARE(csv.count(QLatin1Char('\n')), 3);
    QVERIFY(
        csv.contains(QStringLiteral("2023-11-14T22:13:20.000Z,2023-11-14T22:15:00.000Z,change")));
    for (const TimelineEntry& line : life) {
        QVERIFY(text.contains(line.text));
        QVERIFY(csv.contains(line.text));
    }
}

void TestTimeline::aCsvHasNoFormula()
{
    const Timeline life = lifeOf({hold("=cmd|' /C calc'!A0", 0, 100)}, {}, {});
    QVERIFY(lifeCsv(life).contains(QStringLiteral("\"'=cmd")));
}

void TestTimeline::whatIsLeftGetsLess()
{
    const auto state = std::make_shared<const State>(lockState("a", 5000, base));
    const StatePtr aged = agedState(state, base + 2000);
    QCOMPARE(aged->asOfMs, base + 2000);
    QCOMPARE(aged->as<LockState>()->leaseMs, std::optional<qint64>(3000));
    QCOMPARE(agedState(state, base + 60'000)->as<LockState>()->leaseMs, std::optional<qint64>(0));
}

void TestTimeline::whatLastsGetsLonger()
{
    State made = lockState("a", 5000, base);
    QueueState queue;
    queue.oldestProcessingMs = 1000;
    made.body = queue;
    const StatePtr aged = agedState(std::make_shared<const State>(made), base + 500);
    QCOMPARE(aged->as<QueueState>()->oldestProcessingMs, std::optional<qint64>(1500));
    QVERIFY(runsWithTime(made));
}

void TestTimeline::whatIsNotOldStaysAsItIs()
{
    const auto state = std::make_shared<const State>(lockState("a", 5000, base));
    QCOMPARE(agedState(state, base).get(), state.get());
    QCOMPARE(agedState(state, base - 10).get(), state.get());
}

LK_TEST(TestTimeline);
#include "tst_timeline.moc"
