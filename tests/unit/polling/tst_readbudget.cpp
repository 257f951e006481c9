// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/pollqueue.h"
#include "backend/polling/schedule/readbudget.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace lk;

namespace {

constexpr double always = 1200; // commands a second
constexpr int commandsEach = 2; // of one read
constexpr int tickMs = 250;
constexpr quint32 primitives = 100'000;

struct Outcome
{
    std::vector<qint64> lagsMs; // of each read: since the last change
    qint64 commands = 0;
    qsizetype waiting = 0;

    qint64 lag(double part)
    {
        std::sort(lagsMs.begin(), lagsMs.end());
        return lagsMs.empty() ? 0 : lagsMs[size_t(part * double(lagsMs.size() - 1))];
    }
};

// As the monitor does it at each tick, on a server that answers at once.
struct Watcher
{
    FollowedTable table;
    PollQueue queue{table};
    ReadBudget budget{always};
    QRandomGenerator random{7};
    std::vector<qint64> changedMs = std::vector<qint64>(primitives);
    qint64 nowMs = 0;
    bool hot = false; // the first one is changed before each other one, ten times

    Watcher()
    {
        for (quint32 i = 0; i < primitives; ++i)
            table[Handle(i, 1)] = {};
    }

    Outcome run(int seconds, int changesPerSecond)
    {
        Outcome outcome;
        for (int tick = 0; tick < seconds * 1000 / tickMs; ++tick) {
            for (int i = 0; i < changesPerSecond * tickMs / 1000; ++i) {
                for (int j = 0; hot && j < 10; ++j)
                    queue.markDirty(Handle(0, 1));
                const quint32 which = random.bounded(primitives);
                changedMs[which] = nowMs + i * tickMs / (changesPerSecond * tickMs / 1000);
                queue.markDirty(Handle(which, 1));
            }
            nowMs += tickMs;
            budget.refill(tickMs / 1000.0, queue.takeChanged(), queue.backlog(nowMs), false);
            const auto items = queue.take(nowMs, budget.reads());
            for (const PollQueue::Item& item : items)
                outcome.lagsMs.push_back(nowMs - changedMs[item.handle.index]);
            const auto reads = double(items.size());
            budget.spent(commandsEach * reads, reads);
            outcome.commands += qint64(commandsEach * reads);
        }
        outcome.waiting = queue.backlog(nowMs);
        return outcome;
    }
};

} // namespace

class TestReadBudget : public QObject
{
    Q_OBJECT

private slots:
    void followsAThousandChangesASecond();
    void oneThatIsChangedAllTheTimeHidesNoOther();
    void readsTheNewestOfWhatItCannotFollow();
    void catchesUpWhenTheLoadEnds();
    void halfWhereReadingDisturbs();
    void savesNothingUp();
};

void TestReadBudget::followsAThousandChangesASecond()
{
    Watcher watcher;
    watcher.run(5, 1000);
    Outcome outcome = watcher.run(30, 1000);
    QVERIFY2(outcome.lag(0.99) < 3000, qPrintable(QString::number(outcome.lag(0.99))));
    QVERIFY(outcome.waiting < 500);
    QVERIFY(outcome.commands <= 30 * 2.2 * always);
}

// Ten thousand changes of one counter are one read.
void TestReadBudget::oneThatIsChangedAllTheTimeHidesNoOther()
{
    Watcher watcher;
    watcher.hot = true;
    watcher.run(20, 1000);
    Outcome outcome = watcher.run(30, 1000);
    QVERIFY2(outcome.waiting < 500, qPrintable(QString::number(outcome.waiting)));
}

// At five thousand changes a second no budget that is allowed would do; at fifty thousand neither.
void TestReadBudget::readsTheNewestOfWhatItCannotFollow()
{
    for (const int changes : {5000, 50'000}) {
        Watcher watcher;
        watcher.run(10, changes);
        Outcome outcome = watcher.run(20, changes);
        QVERIFY2(outcome.commands <= 20 * always * 1.05,
                 qPrintable(QString::number(outcome.commands)));
        QVERIFY2(outcome.lag(0.7) <= tickMs, qPrintable(QString::number(outcome.lag(0.7))));
        QVERIFY(outcome.waiting > 1000);
    }
}

void TestReadBudget::catchesUpWhenTheLoadEnds()
{
    Watcher watcher;
    watcher.run(20, 5000);
    const Outcome rest = watcher.run(60, 0);
    QVERIFY2(rest.waiting == 0, qPrintable(QString::number(rest.waiting)));
    QCOMPARE(watcher.budget.perSecond(), always); // and then is content with little
}

void TestReadBudget::halfWhereReadingDisturbs()
{
    ReadBudget budget(always);
    for (int tick = 0; tick < 20; ++tick)
        budget.refill(tickMs / 1000.0, 2500, 10'000, true);
    QCOMPARE(budget.perSecond(), always / 2);
}

void TestReadBudget::savesNothingUp()
{
    ReadBudget budget(always);
    for (int tick = 0; tick < 1000; ++tick)
        budget.refill(tickMs / 1000.0, 0, 0, false);
    QVERIFY(budget.reads() <= always); // of a second, not of an hour
    budget.spent(2 * always, always);
    QCOMPARE(budget.reads(), 0);
}

LK_TEST(TestReadBudget);
#include "tst_readbudget.moc"
