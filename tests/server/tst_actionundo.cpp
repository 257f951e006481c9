// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/acting.h"

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
    const ActionRunner runner(elsewhere, Journal(actor.journalFile()),
                              UndoStore(actor.folder() + u"/undo"_s), clock);
    const auto plan = runner.undoPlan(receipt.id);
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
    const Receipt dropped = actor.act(queue, "queue.drop", {{"item", "1"}});
    QCOMPARE(dropped.outcome, Outcome::Done);
    const Result<Plan> first = actor.runner.undoPlan(dropped.id);
    const Result<Plan> second = actor.runner.undoPlan(dropped.id);
    QVERIFY(first && second);
    QCOMPARE(actor.run(*first).outcome, Outcome::Done);
    QCOMPARE(actor.run(*second).outcome, Outcome::Refused);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
    // Where nothing came of it, it may be tried again.
    const Receipt again = actor.act(queue, "queue.drop", {{"item", "1"}});
    m_server.lines({"RENAME jobs:processing kept", "SET jobs:processing text"});
    QCOMPARE(actor.undo(again.id).outcome, Outcome::Refused);
    m_server.line("RENAME kept jobs:processing");
    QCOMPARE(actor.undo(again.id).outcome, Outcome::Done);
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
}

void TestActionUndo::tooLargeToBeUndone()
{
    // 2 MiB, which LZF would make small: random bytes.
    m_server.line("EVAL \"for i=1,300 do local s='' for j=1,1000 do s=s..string.char(math.random(0,255))"
                 "..string.char(math.random(0,255))..string.char(math.random(0,255)) end "
                 "redis.call('RPUSH',KEYS[1],s) redis.call('RPUSH',KEYS[1],i..s) end\" 1 big");
    const qint64 length = m_server.line("LLEN big").integer;
    QCOMPARE(length, 600);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const PrimitivePtr queue = declaredPrimitive("reliable-list", "big");
    const Receipt rotated = actor.act(queue, "queue.rotate");
    QCOMPARE(rotated.outcome, Outcome::Done);
    QVERIFY(!rotated.undoable);
    QVERIFY(!rotated.undoNote.isEmpty());
    QVERIFY(!actor.runner.undoPlan(rotated.id));
    QVERIFY(!actor.entry(rotated.id)->undoable);
    const Result<Plan> plan = actor.plan(queue, "key.delete");
    QVERIFY(plan);
    QCOMPARE(plan->undo.kind, UndoWay::Kind::None); // and said before it is done
    QVERIFY(!plan->undo.why.isEmpty());
    const Receipt deleted = actor.run(*plan);
    QCOMPARE(deleted.outcome, Outcome::Done);
    QVERIFY(!deleted.undoable);
    QCOMPARE(m_server.line("EXISTS big").integer, 0);
}

void TestActionUndo::expiredUndo()
{
    m_server.line("SET lock:a w1 PX 600000");
    ManualClock clock(QDateTime::currentMSecsSinceEpoch());
    Actor actor(m_server.url(), clock);
    QVERIFY(actor.open());
    const Receipt receipt =
        actor.act(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    clock.advance(undoKeptMs - 1);
    QVERIFY(actor.runner.undoPlan(receipt.id));
    clock.advance(1);
    const auto plan = actor.runner.undoPlan(receipt.id);
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotFound);
}

QTEST_GUILESS_MAIN(TestActionUndo)
#include "tst_actionundo.moc"
