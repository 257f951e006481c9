// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/keptplans.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

PlanSet setOf(quint64 ticket, size_t plans)
{
    PlanSet set;
    set.ticket = ticket;
    set.plans.resize(plans);
    return set;
}

using Tickets = std::vector<quint64>;

} // namespace

class TestKeptPlans : public QObject
{
    Q_OBJECT

private slots:
    void eachIsTakenOnce()
    {
        KeptPlans kept;
        QVERIFY(kept.keep(setOf(1, 2)).empty());
        QVERIFY(kept.keep(setOf(2, 1)).empty());
        QVERIFY(!kept.find(3) && !kept.take(3));
        QCOMPARE(kept.find(1)->plans.size(), 2U);
        QCOMPARE(kept.take(1)->plans.size(), 2U);
        QVERIFY(!kept.find(1) && !kept.take(1));
        QVERIFY(kept.find(2));
    }

    void theOldestGiveWay()
    {
        KeptPlans kept(5);
        kept.keep(setOf(1, 2));
        kept.keep(setOf(2, 2));
        QCOMPARE(kept.keep(setOf(3, 4)), (Tickets{1, 2}));
        QVERIFY(!kept.find(1) && !kept.find(2) && kept.find(3));
        QVERIFY(kept.keep(setOf(4, 1)).empty());
        kept.take(3); // makes room
        QVERIFY(kept.keep(setOf(5, 4)).empty());
        QCOMPARE(kept.keep(setOf(6, 9)), (Tickets{4, 5})); // the newest stays, however large
        QVERIFY(kept.find(6));
    }

    void allAtOnce()
    {
        KeptPlans kept(5);
        QVERIFY(kept.dropAll().empty());
        kept.keep(setOf(1, 2));
        kept.keep(setOf(2, 3));
        QCOMPARE(kept.dropAll(), (Tickets{1, 2}));
        QVERIFY(!kept.find(1));
        QVERIFY(kept.keep(setOf(3, 5)).empty());
    }
};

LK_TEST(TestKeptPlans);
#include "tst_keptplans.moc"
