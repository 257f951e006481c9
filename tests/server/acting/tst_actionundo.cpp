// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"
#include "tests/server/acting.h"
#include "tests/support/faultproxy.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// When a step can be taken back, and that it is taken back once.
class TestActionUndo : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void anotherServersUndo();
    void undoneOnceWhoeverAsks();
    void tooLargeToBeUndone();
    void expiredUndo();
    void anUndoThatNeverRan();
    void withoutAKey();

private:
    RedisServer m_server;
};

void TestActionUndo::anotherServersUndo()
{
    m_server.line("SET lock:a w1 PX 60000");
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Receipt receipt =
        actor.act(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QVERIFY(receipt.undoable);
    ServerUrl other = m_server.url();
    other.database = 3;
    Connection elsewhere(other);
    const SystemClock clock;
    ActionRunner runner(elsewhere, Journal(actor.journalFile()),
                        keptUndo(actor.folder() + u"/undo"_s), clock);
    const auto plan = plannedUndo(runner, receipt.id);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotPossible);
}

// Two windows, or a window and a command line, show the undo of one step: pushing and putting back
// would happen twice.
void TestActionUndo::undoneOnceWhoeverAsks()
{
    m_server.line("RPUSH jobs:processing same same");
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs");
    const Receipt dropped = actor.act(queue, "queue.discard", {{"index", "1"}});
    QCOMPARE(dropped.outcome, Outcome::Succeeded);
    const Result<Plan> first = actor.undoPlan(dropped.id);
    const Result<Plan> second = actor.undoPlan(dropped.id);
    QVERIFY(first && second);
    QCOMPARE(actor.run(*first).outcome, Outcome::Succeeded);
    QCOMPARE(actor.run(*second).outcome, Outcome::Refused);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
    // Where nothing came of it, it may be tried again.
    const Receipt again = actor.act(queue, "queue.discard", {{"index", "1"}});
    m_server.lines({"RENAME jobs:processing kept", "SET jobs:processing text"});
    QCOMPARE(actor.undo(again.id).outcome, Outcome::Refused);
    m_server.line("RENAME kept jobs:processing");
    QCOMPARE(actor.undo(again.id).outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
}

void TestActionUndo::tooLargeToBeUndone()
{
    // 2 MiB, which LZF would make small: random bytes.
    m_server.line(
        "EVAL \"for i=1,300 do local s='' for j=1,1000 do s=s..string.char(math.random(0,255))"
        "..string.char(math.random(0,255))..string.char(math.random(0,255)) end "
        "redis.call('RPUSH',KEYS[1],s) redis.call('RPUSH',KEYS[1],i..s) end\" 1 big");
    const qint64 length = m_server.line("LLEN big").integer;
    QCOMPARE(length, 600);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const PrimitivePtr queue = declaredPrimitive("reliable-list", "big");
    const Receipt rotated = actor.act(queue, "queue.rotate");
    QCOMPARE(rotated.outcome, Outcome::Succeeded);
    QVERIFY(!rotated.undoable);
    QVERIFY(!rotated.undoNote.isEmpty());
    QVERIFY(!actor.undoPlan(rotated.id));
    QVERIFY(!actor.entry(rotated.id)->undoable);
    const Result<Plan> plan = actor.plan(queue, "key.delete");
    QVERIFY(plan);
    QCOMPARE(plan->undo.kind, UndoWay::Kind::None); // and said before it is done
    QVERIFY(!plan->undo.why.isEmpty());
    const Receipt deleted = actor.run(*plan);
    QCOMPARE(deleted.outcome, Outcome::Succeeded);
    QVERIFY(!deleted.undoable);
    QCOMPARE(m_server.line("EXISTS big").integer, 0);
}

// A day by the server's clock: the local one may be wrong, or be set.
void TestActionUndo::expiredUndo()
{
    m_server.line("SET lock:a w1 PX 600000");
    ManualClock clock(QDateTime::currentMSecsSinceEpoch());
    Actor actor(m_server.url(), clock);
    QVERIFY(actor.open());
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:a");
    const Receipt receipt = actor.act(lock, "lock.release", {{"owner", "w1"}});
    QVERIFY(receipt.serverMs > 0);
    QVERIFY(actor.undoPlan(receipt.id, receipt.serverMs + undoKeptMs - 1));
    const auto late = actor.undoPlan(receipt.id, receipt.serverMs + undoKeptMs);
    QVERIFY(!late);
    QCOMPARE(late.error().code, ErrorCode::NotFound);

    // The local clock runs two days ahead: nothing has expired.
    clock.advance(2 * undoKeptMs);
    const Result<Plan> plan = actor.undoPlan(receipt.id);
    QVERIFY(plan);
    // A plan made without the server's clock is refused at the latest when it runs.
    Plan expired = *plan;
    expired.notAfterMs = receipt.serverMs - 1;
    const Receipt refused = actor.run(expired);
    QCOMPARE(refused.outcome, Outcome::Refused);
    QVERIFY(refused.text.contains(u"day"_s));
    QCOMPARE(m_server.line("EXISTS lock:a").integer, 0);
    QCOMPARE(actor.run(*plan).outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("EXISTS lock:a").integer, 1);
}

// The undo of a drop has no guard but that it is taken once. It was sent and never arrived: as soon
// as that can be seen, it can be taken.
void TestActionUndo::anUndoThatNeverRan()
{
    m_server.line("RPUSH jobs:processing same same same");
    FaultProxy proxy(m_server.socketPath());
    Actor actor(proxy.url());
    QVERIFY(actor.open());
    const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs");
    const Receipt dropped = actor.act(queue, "queue.discard", {{"index", "1"}});
    QCOMPARE(dropped.outcome, Outcome::Succeeded);
    proxy.holdFrom("EVALSHA");
    const Result<Plan> plan = actor.undoPlan(dropped.id);
    QVERIFY(plan);
    std::optional<Receipt> unknown;
    launch(actor.runner.run(*plan, {}, this), [&](const Receipt& receipt) { unknown = receipt; });
    QVERIFY(awaited([&] { return proxy.isHolding(); }));
    proxy.dropHeld();
    proxy.cutNow();
    QVERIFY(awaited([&] { return unknown.has_value(); }));
    QCOMPARE(unknown->outcome, Outcome::Unknown);
    proxy.heal();
    QVERIFY(awaited([&] { return actor.connection.isReady(); }));

    // While the list differs from the state after the drop, it is unknown whether it was undone.
    m_server.line("LPUSH jobs:processing other");
    const Receipt unsure = actor.undo(dropped.id);
    QCOMPARE(unsure.outcome, Outcome::Refused);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
    m_server.line("LPOP jobs:processing");
    QCOMPARE(actor.undo(dropped.id).outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
    QVERIFY(actor.undo(dropped.id).outcome != Outcome::Succeeded);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
}

// Without a keyring: what undo needs is on no disk, and a program that ends says so.
void TestActionUndo::withoutAKey()
{
    for (const auto without : {UndoStore::WithoutKey::Memory, UndoStore::WithoutKey::Nothing}) {
        m_server.flush();
        m_server.line("SET lock:a OWNER-SECRET PX 600000");
        Actor actor(m_server.url());
        QVERIFY(actor.open());
        const QString folder = actor.folder() + u"/none"_s;
        const SystemClock clock;
        ActionRunner runner(actor.connection, Journal(actor.journalFile()),
                            UndoStore(folder, without), clock);
        const auto plan = actor.plan(declaredPrimitive("set-nx-px", "lock:a"), "lock.release",
                                     {{"owner", "OWNER-SECRET"}});
        QVERIFY(plan);
        std::optional<Receipt> receipt;
        launch(runner.run(*plan, {}, this), [&](const Receipt& r) { receipt = r; });
        QVERIFY(awaited([&] { return receipt.has_value(); }));
        QCOMPARE(receipt->outcome, Outcome::Succeeded);
        QVERIFY(!QFileInfo::exists(folder));
        const bool inMemory = without == UndoStore::WithoutKey::Memory;
        QCOMPARE(receipt->undoable, inMemory);
        QVERIFY2(receipt->undoNote.contains(u"keyring"_s), qPrintable(receipt->undoNote));
        QCOMPARE(plannedUndo(runner, receipt->id).has_value(), inMemory);
        QCOMPARE(runner.journal().read()->entries.back().undoable, inMemory);
    }
}

LK_TEST(TestActionUndo);
#include "tst_actionundo.moc"
