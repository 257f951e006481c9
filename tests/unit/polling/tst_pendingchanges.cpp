// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/pendingchanges.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "tests/unit/madestates.h"

#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

StatePtr lockAt(qint64 atMs)
{
    return std::make_shared<State>(lockState("a", 5000, atMs));
}

} // namespace

class TestPendingChanges : public QObject
{
    Q_OBJECT

private slots:
    void theNewestStateCounts();
    void whatIsForgottenHasNoState();
    void whoHadThePlaceIsForgottenFirst();
};

void TestPendingChanges::theNewestStateCounts()
{
    PendingChanges pending;
    QVERIFY(pending.isEmpty());
    pending.set(2_h, lockAt(1000));
    pending.set(1_h, lockAt(1000));
    pending.set(2_h, lockAt(2000));
    QVERIFY(!pending.isEmpty());
    const std::vector<StateChange> changes = pending.take();
    QCOMPARE(changes.size(), 2U);
    QCOMPARE(changes[0].handle, 1_h);
    QCOMPARE(changes[1].state->asOfMs, 2000);
    QVERIFY(pending.isEmpty());
    QVERIFY(pending.take().empty());
}

void TestPendingChanges::whatIsForgottenHasNoState()
{
    PendingChanges pending;
    pending.set(1_h, lockAt(1000));
    pending.forget(1_h);
    const std::vector<StateChange> changes = pending.take();
    QCOMPARE(changes.size(), 1U);
    QVERIFY(!changes[0].state);
}

void TestPendingChanges::whoHadThePlaceIsForgottenFirst()
{
    PendingChanges pending;
    const Handle stranger(1, 1);
    pending.set(stranger, lockAt(3000));
    pending.forget(1_h);
    pending.set(stranger, lockAt(4000));
    const std::vector<StateChange> changes = pending.take();
    QCOMPARE(changes.size(), 2U);
    QCOMPARE(changes[0].handle, 1_h);
    QVERIFY(!changes[0].state);
    QCOMPARE(changes[1].handle, stranger);
    QCOMPARE(changes[1].state->asOfMs, 4000);
}

LK_TEST(TestPendingChanges);
#include "tst_pendingchanges.moc"
