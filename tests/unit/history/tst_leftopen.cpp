// SPDX-License-Identifier: GPL-3.0-or-later
// Spans that last beyond the end of a recorder are reported once, with their full length.
#include "backend/session/past/timeline.h"
#include "backend/session/recording/recordfeed.h"
#include "tests/support/testprogram.h"
#include "tests/unit/recordings.h"

using namespace lk;
using namespace lk::test;

namespace {

const PrimitiveId queueId{"reliable-list", "jobs"};

/// One recorder after the other in the same file.
struct Restarted
{
    qint64 nowMs() const { return recording.clock.nowMs(); }
    void begin()
    {
        recording.writer = std::make_unique<RecordWriter>(
            RecordWriter::Setup{recording.path(), recording.retention, &recording.clock});
        feed = std::make_unique<RecordFeed>(recording.writer.get());
        feed->begin(shop, nowMs());
    }
    void end()
    {
        feed->end(GapReason::Stopped);
        recording.writer->stop();
        feed.reset();
        recording.writer.reset();
    }
    void kill()
    {
        recording.writer->flush();
        feed.reset();
        recording.kill();
    }
    void take(State state) const
    {
        auto changes = std::make_shared<std::vector<StateChange>>();
        changes->push_back({Handle(0, 1), shared(std::move(state))});
        feed->takeChanges(changes, nowMs());
        recording.writer->flush();
    }
    void readQueue(qint64 stuck, bool paused = false) const
    {
        State state = queueState({}, nowMs(), 5);
        state.body.get<QueueState>().stuck = stuck;
        state.body.get<QueueState>().paused = paused;
        take(state);
    }
    void readHolders(const std::vector<std::pair<QByteArray, qint64>>& holders) const
    {
        take(sharedLock(holders, nowMs()));
    }
    std::vector<RecordedHold> holds() const
    {
        Reading reading(recording);
        return reading.holds({shop.key, {"set-nx-px", "l"}}, 0, nowMs());
    }
    void readLimiter(qint64 remaining) const
    {
        State state = madeState(madePrimitive(Kind::Limiter, "fixed-window", "api"), nowMs());
        state.body.get<LimiterState>().limit = 5;
        state.body.get<LimiterState>().remaining = remaining;
        take(state);
    }
    void pass(qint64 ms)
    {
        recording.clock.advance(ms);
        if (!feed)
            return;
        feed->tick(nowMs());
        recording.writer->flush();
    }
    QStringList told(const PrimitiveId& id = queueId) const
    {
        Reading reading(recording);
        QStringList texts;
        for (const RecordedEvent& event :
             reading.events({.deployment = shop.key, .primitive = id})) {
            if (event.type != EventType::PrimitiveSeen)
                texts << eventText(event);
        }
        return texts;
    }

    Recording recording;
    std::unique_ptr<RecordFeed> feed;
};

} // namespace

class TestLeftOpen : public QObject
{
    Q_OBJECT

private slots:
    void stuckJobsAreToldOnce_data();
    void stuckJobsAreToldOnce();
    void whatEndedInBetweenEndsWhenItIsRead();
    void aPauseGoesOn();
    void aFullLimiterGoesOn();
    void aPauseOfTheRecordingIsNoEnd();
    void whatIsNotThereAnyMoreHasEnded();
    void anEndThatWasToldIsNotForgotten();
    void holdersOfASemaphoreGoOn_data();
    void holdersOfASemaphoreGoOn();
};

void TestLeftOpen::stuckJobsAreToldOnce_data()
{
    QTest::addColumn<bool>("killed");
    QTest::newRow("stopped") << false;
    QTest::newRow("killed") << true;
}

void TestLeftOpen::stuckJobsAreToldOnce()
{
    QFETCH(bool, killed);
    Restarted recorder;
    recorder.begin();
    recorder.readQueue(0);
    recorder.pass(1000);
    recorder.readQueue(1);
    recorder.pass(170'000);
    killed ? recorder.kill() : recorder.end();
    recorder.pass(10'000); // its claim has run out
    recorder.begin();
    recorder.readQueue(1);
    recorder.pass(600'000);
    recorder.readQueue(1);
    QCOMPARE(recorder.told(), QStringList{QStringLiteral("1 job(s) stuck")});
    recorder.readQueue(0);
    QCOMPARE(recorder.told().size(), 2);
    QCOMPARE(recorder.told().last(), QStringLiteral("no more stuck jobs, after 13 m"));
}

void TestLeftOpen::whatEndedInBetweenEndsWhenItIsRead()
{
    Restarted recorder;
    recorder.begin();
    recorder.readQueue(3);
    recorder.pass(60'000);
    recorder.end();
    recorder.pass(60'000);
    recorder.begin();
    recorder.readQueue(0);
    QCOMPARE(recorder.told(), (QStringList{QStringLiteral("3 job(s) stuck"),
                                           QStringLiteral("no more stuck jobs, after 2 m")}));
}

void TestLeftOpen::aPauseGoesOn()
{
    Restarted recorder;
    recorder.begin();
    recorder.readQueue(0);
    recorder.pass(1000);
    recorder.readQueue(0, true);
    recorder.pass(60'000);
    recorder.end();
    recorder.pass(60'000);
    recorder.begin();
    recorder.readQueue(0, true);
    recorder.pass(60'000);
    recorder.readQueue(0);
    QCOMPARE(recorder.told(),
             (QStringList{QStringLiteral("paused"), QStringLiteral("resumed after 3 m")}));
}

void TestLeftOpen::aFullLimiterGoesOn()
{
    Restarted recorder;
    recorder.begin();
    recorder.readLimiter(0);
    recorder.pass(60'000);
    recorder.end();
    recorder.pass(60'000);
    recorder.begin();
    recorder.readLimiter(0);
    recorder.pass(60'000);
    recorder.readLimiter(2);
    recorder.pass(20'000);
    QCOMPARE(recorder.told({"fixed-window", "api"}),
             (QStringList{QStringLiteral("at its limit"),
                          QStringLiteral("below its limit again, after 3 m")}));
}

void TestLeftOpen::aPauseOfTheRecordingIsNoEnd()
{
    Restarted recorder;
    recorder.begin();
    recorder.readQueue(2);
    recorder.pass(60'000);
    recorder.feed->end(GapReason::Lost);
    recorder.pass(60'000);
    recorder.feed->begin(shop, recorder.nowMs());
    recorder.readQueue(2);
    QCOMPARE(recorder.told(), QStringList{QStringLiteral("2 job(s) stuck")});
}

void TestLeftOpen::whatIsNotThereAnyMoreHasEnded()
{
    Restarted recorder;
    recorder.begin();
    recorder.readQueue(2);
    recorder.pass(60'000);
    recorder.end();
    recorder.pass(60'000);
    recorder.begin();
    recorder.pass(200'000);
    QCOMPARE(recorder.told().size(), 1);
    recorder.pass(200'000);
    QCOMPARE(recorder.told(), (QStringList{QStringLiteral("2 job(s) stuck"),
                                           QStringLiteral("no more stuck jobs, after 2 m")}));
    recorder.readQueue(1); // others
    QCOMPARE(recorder.told().size(), 3);
}

void TestLeftOpen::anEndThatWasToldIsNotForgotten()
{
    Restarted recorder;
    recorder.begin();
    recorder.readQueue(2);
    recorder.pass(60'000);
    recorder.readQueue(0);
    recorder.pass(1000);
    recorder.end();
    recorder.pass(60'000);
    recorder.begin();
    recorder.readQueue(0);
    recorder.pass(1000);
    QCOMPARE(recorder.told().size(), 2);
    recorder.readQueue(1);
    QCOMPARE(recorder.told().last(), QStringLiteral("1 job(s) stuck"));
}

void TestLeftOpen::holdersOfASemaphoreGoOn_data()
{
    stuckJobsAreToldOnce_data();
}

// One goes on, one has run out meanwhile and took it again, one is new.
void TestLeftOpen::holdersOfASemaphoreGoOn()
{
    QFETCH(bool, killed);
    Restarted recorder;
    recorder.begin();
    recorder.take(freeLock(recorder.nowMs()));
    recorder.pass(1000);
    const qint64 beganMs = recorder.nowMs();
    recorder.readHolders({{"a", 600'000}, {"b", 65'000}});
    recorder.pass(60'000);
    killed ? recorder.kill() : recorder.end();
    recorder.pass(30'000);
    recorder.begin();
    recorder.readHolders({{"a", 600'000}, {"b", 40'000}, {"c", 600'000}});
    recorder.pass(10'000);
    recorder.readHolders({{"a", 590'000}, {"b", 30'000}, {"c", 590'000}});
    const auto holds = recorder.holds();
    const auto of = [&](const QByteArray& owner) {
        std::vector<RecordedHold> own;
        std::ranges::copy_if(holds, std::back_inserter(own),
                             [&](const RecordedHold& hold) { return hold.owner == owner; });
        return own;
    };
    QCOMPARE(of("a").size(), 1U);
    QCOMPARE(of("a")[0].fromMs, beganMs);
    QVERIFY(of("a")[0].open && of("a")[0].fromKnown);
    QCOMPARE(of("b").size(), 2U);
    QVERIFY(!of("b")[0].open && !of("b")[0].endKnown);
    QVERIFY(of("b")[1].open && of("b")[1].fromMs > beganMs + 60'000);
    QCOMPARE(of("c").size(), 1U);
    QVERIFY(of("c")[0].fromMs > beganMs + 60'000);
}

LK_TEST(TestLeftOpen);
#include "tst_leftopen.moc"
