// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/agedstate.h"
#include "backend/session/past/lifelines.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

/// What is recorded of a primitive, in words: the same for the window and for files.
class TestLifeLines : public QObject
{
    Q_OBJECT

private slots:
    void aHoldIsOneLine();
    void aHoldSaysHowItEnded_data();
    void aHoldSaysHowItEnded();
    void linesAreInTheirOrder();
    void jobsThatMoveTogetherAreToldTogether();
    void everyTypeOfEventHasASentence();
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

} // namespace

void TestLifeLines::aHoldIsOneLine()
{
    RecordedHold renewed = hold("worker-a", 0, 240'000);
    renewed.renewals = 8;
    const LifeLines life = lifeOf({renewed}, {}, {});
    QCOMPARE(life.size(), 1U);
    QCOMPARE(life[0].fromMs, base);
    QCOMPARE(life[0].toMs, base + 240'000);
    QCOMPARE(life[0].who, QStringLiteral("worker-a"));
    QVERIFY2(life[0].text.contains(QStringLiteral("held by worker-a for 4 m")),
             qPrintable(life[0].text));
    QVERIFY2(life[0].text.contains(QStringLiteral("renewed 8 time")), qPrintable(life[0].text));
}

void TestLifeLines::aHoldSaysHowItEnded_data()
{
    QTest::addColumn<qint64>("lease"); // 0: none
    QTest::addColumn<bool>("known");
    QTest::addColumn<bool>("open");
    QTest::addColumn<QString>("said");
    QTest::newRow("its lease ran out") << 10'000ll << true << false << "its lease ran out";
    QTest::newRow("released") << 60'000ll << true << false << "released";
    QTest::newRow("unseen") << 60'000ll << false << false << "its end was not seen";
    QTest::newRow("open") << 60'000ll << true << true << "still held when last seen";
}

void TestLifeLines::aHoldSaysHowItEnded()
{
    QFETCH(qint64, lease);
    QFETCH(bool, known);
    QFETCH(bool, open);
    QFETCH(QString, said);
    RecordedHold ended = hold("a", 0, 10'000);
    ended.leaseEndMs = base + lease;
    ended.endKnown = known;
    ended.open = open;
    const LifeLines life = lifeOf({ended}, {}, {});
    QVERIFY2(life[0].text.endsWith(said), qPrintable(life[0].text));
    QCOMPARE(life[0].lasting, open);
}

void TestLifeLines::linesAreInTheirOrder()
{
    const LifeLines life = lifeOf(
        {hold("a", 0, 100), hold("b", 5000, 6000)},
        {happening(EventType::FindingOpened, 3000), happening(EventType::PrimitiveSeen, -10)},
        {RecordedGap{base + 4000, base + 4500, "stopped"}});
    QCOMPARE(life.size(), 5U);
    for (size_t i = 1; i < life.size(); ++i)
        QVERIFY(life[i - 1].fromMs <= life[i].fromMs);
    QCOMPARE(life[3].sort, TimeMark::Sort::Gap);
}

void TestLifeLines::jobsThatMoveTogetherAreToldTogether()
{
    const LifeLines life = lifeOf({},
                                  {happening(EventType::JobsMoved, 0, 2, "dead"),
                                   happening(EventType::JobsMoved, 20'000, 3, "dead"),
                                   happening(EventType::JobsMoved, 200'000, -5, "dead")},
                                  {});
    QCOMPARE(life.size(), 2U);
    QVERIFY2(life[0].text.startsWith(QStringLiteral("5 more")), qPrintable(life[0].text));
    QCOMPARE(life[0].toMs, base + 20'000);
    QVERIFY2(life[1].text.startsWith(QStringLiteral("5 fewer")), qPrintable(life[1].text));
}

void TestLifeLines::everyTypeOfEventHasASentence()
{
    QSet<QString> texts;
    for (const EventType type :
         {EventType::PrimitiveSeen,     EventType::PrimitiveGone, EventType::HoldBegan,
          EventType::StuckBegan,        EventType::StuckEnded,    EventType::FullBegan,
          EventType::FullEnded,         EventType::PausedBegan,   EventType::PausedEnded,
          EventType::ServerBack,        EventType::ServerLost,    EventType::ServerRestarted,
          EventType::Failover,          EventType::RoleChanged,   EventType::ConfigChanged,
          EventType::NodeLost,          EventType::NodeBack,      EventType::RecordingBegan,
          EventType::RecordingEnded,    EventType::AlertFired,    EventType::AlertResolved,
          EventType::AlertAcknowledged, EventType::AlertSilenced, EventType::FindingOpened,
          EventType::FindingClosed,     EventType::Action,        EventType::TokenEnded,
          EventType::HoldEnded,         EventType::JobsMoved}) {
        RecordedEvent made = happening(type, 0, 1, "x");
        made.who = QStringLiteral("somebody");
        const QString text = eventText(made);
        QVERIFY2(!text.isEmpty() && !text.endsWith(QLatin1Char('.')), qPrintable(text));
        QVERIFY2(!texts.contains(text), qPrintable(text)); // each says something else
        texts.insert(text);
    }
}

void TestLifeLines::theOutcomeOfAnActionIsTold()
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

void TestLifeLines::textAndCsvSayTheSame()
{
    const LifeLines life =
        lifeOf({hold("a", 0, 100'000)}, {happening(EventType::StuckBegan, 50, 3)}, {});
    const QString text = lifeText(QStringLiteral("heading"), life);
    const QString csv = lifeCsv(life);
    QVERIFY(text.startsWith(QStringLiteral("heading\n")));
    QCOMPARE(text.count(QLatin1Char('\n')), 3);
    QCOMPARE(csv.count(QLatin1Char('\n')), 3);
    QVERIFY(
        csv.contains(QStringLiteral("2023-11-14T22:13:20.000Z,2023-11-14T22:15:00.000Z,change")));
    for (const LifeLine& line : life) {
        QVERIFY(text.contains(line.text));
        QVERIFY(csv.contains(line.text));
    }
}

void TestLifeLines::aCsvHasNoFormula()
{
    const LifeLines life = lifeOf({hold("=cmd|' /C calc'!A0", 0, 100)}, {}, {});
    QVERIFY(lifeCsv(life).contains(QStringLiteral("\"'=cmd")));
}

void TestLifeLines::whatIsLeftGetsLess()
{
    const auto state = std::make_shared<const State>(lockState("a", 5000, base));
    const StatePtr aged = agedState(state, base + 2000);
    QCOMPARE(aged->asOfMs, base + 2000);
    QCOMPARE(aged->as<LockState>()->leaseMs, std::optional<qint64>(3000));
    QCOMPARE(agedState(state, base + 60'000)->as<LockState>()->leaseMs, std::optional<qint64>(0));
}

void TestLifeLines::whatLastsGetsLonger()
{
    State made = lockState("a", 5000, base);
    QueueState queue;
    queue.oldestProcessingMs = 1000;
    made.body = queue;
    const StatePtr aged = agedState(std::make_shared<const State>(made), base + 500);
    QCOMPARE(aged->as<QueueState>()->oldestProcessingMs, std::optional<qint64>(1500));
    QVERIFY(runsWithTime(made));
}

void TestLifeLines::whatIsNotOldStaysAsItIs()
{
    const auto state = std::make_shared<const State>(lockState("a", 5000, base));
    QCOMPARE(agedState(state, base).get(), state.get());
    QCOMPARE(agedState(state, base - 10).get(), state.get());
}

QTEST_GUILESS_MAIN(TestLifeLines)
#include "tst_lifelines.moc"
