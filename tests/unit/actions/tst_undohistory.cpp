// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/undohistory.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

namespace {

Receipt done(const QByteArray& id, const QByteArray& undoes = {})
{
    Receipt receipt;
    receipt.id = id;
    receipt.undoes = undoes;
    receipt.outcome = Outcome::Succeeded;
    receipt.undoable = undoes.isEmpty();
    return receipt;
}

} // namespace

class TestUndoHistory : public QObject
{
    Q_OBJECT

private slots:
    void theLastRunFirst()
    {
        UndoHistory history;
        QVERIFY(history.last().isEmpty());
        history.note(1, done("r1"));
        history.note(2, done("r2"));
        history.note(2, done("r3"));
        QCOMPARE(history.last(), (QByteArrayList{"r3", "r2"}));
        history.note(3, done("u3", "r3"));
        QCOMPARE(history.last(), QByteArrayList{"r2"});
        history.note(4, done("u2", "r2"));
        QCOMPARE(history.last(), QByteArrayList{"r1"}); // what was done before it
        history.note(5, done("u1", "r1"));
        QVERIFY(history.last().isEmpty());
    }

    void onlyWhatWasDoneAndCanBeUndone()
    {
        UndoHistory history;
        Receipt receipt = done("r1");
        receipt.undoable = false;
        history.note(1, receipt);
        receipt = done("r2");
        receipt.outcome = Outcome::Conflict;
        history.note(1, receipt);
        QVERIFY(history.last().isEmpty());
    }

    void isBounded()
    {
        UndoHistory history;
        for (int i = 0; i < 150; ++i)
            history.note(quint64(i), done("r" + QByteArray::number(i)));
        int steps = 0;
        for (; !history.last().isEmpty(); ++steps)
            history.note(1000, done("u", history.last().front()));
        QCOMPARE(steps, 100);
    }
};

LK_TEST(TestUndoHistory);
#include "tst_undohistory.moc"
