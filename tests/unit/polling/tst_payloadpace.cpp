// SPDX-License-Identifier: GPL-3.0-or-later
// When the jobs of queues are read: once, again after a change, and within a budget of bytes.
#include "backend/polling/schedule/payloadpace.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

constexpr qint64 budget = 1'000'000; // bytes a second
constexpr qint64 tickMs = 250;

ReadRequest requestFor(Handle handle, const State& known)
{
    ReadRequest request;
    request.handle = handle;
    request.primitive = known.primitive;
    request.previous = std::make_shared<State>(known);
    return request;
}

// Queues that are read on every tick, by a reader that brings what was expected.
class Board
{
public:
    explicit Board(int queues, qint64 each = 10'000, const QByteArray& prefix = "q")
    {
        for (int i = 0; i < queues; ++i) {
            State state = queueState({1, 2}, m_now, 0, prefix + QByteArray::number(i));
            auto keys = std::make_shared<Primitive>(*state.primitive);
            keys->keys = {{"ready", keys->id.name}, {"processing", keys->id.name + ":processing"}};
            state.primitive = keys;
            state.payloads.edit().bytes = each;
            m_states.push_back(std::move(state));
        }
    }

    /// Which of them had their payloads read.
    std::vector<Handle> tick()
    {
        m_now += tickMs;
        std::vector<ReadRequest> requests;
        for (size_t i = 0; i < m_states.size(); ++i)
            requests.push_back(requestFor(Handle(quint32(i)), m_states[i]));
        putOff = pace.choose(requests,
                             {m_now, m_now, selected, [this](const Primitive&) { return epoch; }});
        std::vector<Handle> read;
        probed = 0;
        for (const ReadRequest& request : requests) {
            PayloadFacts& facts = m_states[request.handle.index].payloads.edit();
            probed += request.payloads == PayloadRead::Probe ? 1 : 0;
            if (request.unchanged)
                facts.asOfMs = m_now;
            if (request.payloads != PayloadRead::Full)
                continue;
            read.push_back(request.handle);
            facts.asOfMs = m_now;
            facts.changed = false;
            ReadOutcome outcome{request.handle, m_states[request.handle.index], false,
                                PayloadRead::Full, facts.bytes.value_or(0)};
            bytes += outcome.bytes;
            pace.took(request.handle, outcome, m_now);
        }
        return read;
    }
    int ticks(int count)
    {
        int read = 0;
        for (int i = 0; i < count; ++i)
            read += int(tick().size());
        return read;
    }
    void write(Handle handle, const char* role)
    {
        const Primitive& p = *m_states[handle.index].primitive;
        pace.changed(handle, p, p.key(role));
    }
    PayloadFacts& facts(Handle handle) { return m_states[handle.index].payloads.edit(); }

    FollowedTable table;
    PayloadPace pace{table, budget};
    Handle selected = noHandle;
    quint64 epoch = 0;
    int probed = 0;
    qint64 bytes = 0;
    std::vector<Handle> putOff;

private:
    std::vector<State> m_states;
    qint64 m_now = 1'000'000;
};

} // namespace

class TestPayloadPace : public QObject
{
    Q_OBJECT

private slots:
    void weighedBeforeRead();
    void whatTheFeedCoversIsReadOnce();
    void aBrokenFeedVouchesForNothing();
    void whatWaitsIsReadInItsOwnTime();
    void withoutAFeedItIsProbed();
    void withoutAFeedItIsReadNowAndThen();
    void whatGetsStuckIsSeenAgain();
    void theBudgetHolds();
    void theSelectedOneGoesFirst();
    void aFailedReadIsAskedForAgain();
    void longNamesArePaced();
};

void TestPayloadPace::weighedBeforeRead()
{
    Board board(1);
    board.facts(0_h).bytes.reset();
    QVERIFY(board.tick().empty());
    QCOMPARE(board.probed, 1);
    board.facts(0_h).bytes = 100;
    QCOMPARE(board.tick().size(), size_t(1));
}

void TestPayloadPace::whatTheFeedCoversIsReadOnce()
{
    Board board(3);
    board.epoch = 7;
    QCOMPARE(board.ticks(2000), 3);
    QCOMPARE(board.probed, 0);
    board.write(1_h, "processing");
    QCOMPARE(board.tick(), std::vector<Handle>{1_h});
    QCOMPARE(board.ticks(100), 0);
    // A queue that is written to all the time is read every two seconds unless it is selected.
    for (int i = 0; i < 40; ++i) {
        board.write(1_h, "processing");
        board.tick();
    }
    QVERIFY2(board.bytes <= 9 * 10'000, qPrintable(QString::number(board.bytes)));
    QVERIFY(board.bytes >= 8 * 10'000);
}

void TestPayloadPace::aBrokenFeedVouchesForNothing()
{
    Board board(1);
    board.epoch = 7;
    board.ticks(20);
    board.epoch = 8; // a new epoch: changes in between were not reported
    QCOMPARE(board.ticks(20), 1);
    board.epoch = 0;
    board.tick();
    QCOMPARE(board.probed, 1);
    QVERIFY(!board.tick().size());
}

// Producers write all the time; only that a payload waits once more is seen from that.
void TestPayloadPace::whatWaitsIsReadInItsOwnTime()
{
    Board board(1);
    board.epoch = 7;
    board.selected = 0_h;
    board.ticks(4);
    int read = 0;
    for (int i = 0; i < 4 * 60; ++i) {
        board.write(0_h, "ready");
        read += board.ticks(1);
    }
    QCOMPARE(read, 2);
    QCOMPARE(board.pace.waiting(), 0);
}

void TestPayloadPace::withoutAFeedItIsProbed()
{
    Board board(2);
    board.ticks(10);
    int probes = 0;
    for (int i = 0; i < 40; ++i) {
        QVERIFY(board.tick().empty());
        probes += board.probed;
    }
    QCOMPARE(probes, 20);            // each once a second
    board.facts(1_h).changed = true; // as the probe found
    QCOMPARE(board.ticks(1), 1);
}

void TestPayloadPace::withoutAFeedItIsReadNowAndThen()
{
    Board light(1, 10'000);
    QCOMPARE(light.ticks(4 * 60), 2); // every 30 s
    Board heavy(1, 1'000'000);
    QCOMPARE(heavy.ticks(4 * 60), 1);
    QCOMPARE(heavy.ticks(4 * 600), 2);
}

void TestPayloadPace::whatGetsStuckIsSeenAgain()
{
    Board board(1);
    board.ticks(2);
    board.facts(0_h).dueMs = 1'000'000 + 5000;
    QCOMPARE(board.ticks(17), 0);
    QCOMPARE(board.ticks(1), 1);
}

void TestPayloadPace::theBudgetHolds()
{
    Board board(30, 2'000'000);
    board.epoch = 7;
    const int seconds = 120;
    for (int i = 0; i < seconds * 4; ++i) {
        for (quint32 handle = 0; handle < 30; ++handle)
            board.write(Handle(handle), "processing");
        board.tick();
        QVERIFY(i == 0 || board.pace.waiting() > 0);
    }
    QVERIFY2(board.bytes <= (seconds + 3) * budget, qPrintable(QString::number(board.bytes)));
    QVERIFY(board.bytes >= (seconds - 3) * budget);
    // Each has its turn.
    for (quint32 handle = 0; handle < 30; ++handle)
        QVERIFY2(board.facts(Handle(handle)).asOfMs, qPrintable(QString::number(handle)));
}

void TestPayloadPace::theSelectedOneGoesFirst()
{
    Board board(10, 900'000);
    board.epoch = 7;
    board.selected = 9_h;
    const std::vector<Handle> first = board.tick();
    QVERIFY(std::find(first.begin(), first.end(), 9_h) != first.end());
    int selected = 0;
    for (int i = 0; i < 40; ++i) {
        for (quint32 handle = 0; handle < 10; ++handle)
            board.write(Handle(handle), "processing");
        for (const Handle handle : board.tick())
            selected += handle == 9_h ? 1 : 0;
    }
    QVERIFY2(selected >= 5, qPrintable(QString::number(selected)));
}

void TestPayloadPace::aFailedReadIsAskedForAgain()
{
    Board board(1);
    board.epoch = 7;
    board.tick();
    board.write(0_h, "processing");
    State weighed = queueState({1}, 0);
    weighed.payloads.edit().bytes = budget * 10;
    std::vector<ReadRequest> requests{requestFor(0_h, weighed)};
    const auto epoch = [](const Primitive&) { return quint64(7); };
    board.pace.choose(requests, {2'000'000, 0, noHandle, epoch});
    QVERIFY(requests[0].payloads == PayloadRead::Full);
    requests[0].payloads = PayloadRead::None;
    board.pace.choose(requests, {2'001'000, 0, noHandle, epoch});
    QVERIFY(requests[0].payloads == PayloadRead::None); // under way
    board.pace.failed(0_h);                             // and what it was to cost is given back
    board.pace.choose(requests, {2'002'000, 0, noHandle, epoch});
    QVERIFY(requests[0].payloads == PayloadRead::Full);
}

// A name is sent with every command: a megabyte of it four times a second is no less than a
// payload.
void TestPayloadPace::longNamesArePaced()
{
    Board board(20, 0, QByteArray(1024 * 1024, 'n'));
    board.epoch = 7;
    QCOMPARE(board.tick().size(), size_t(1));
    QCOMPARE(board.putOff.size(), size_t(19));
    QVERIFY(board.ticks(4 * 60) <= 9); // 8 MB each, two names in four commands
}

LK_TEST(TestPayloadPace);
#include "tst_payloadpace.moc"
