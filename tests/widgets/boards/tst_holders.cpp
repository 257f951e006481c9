// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "widgets/detail/tables/holdertable.h"

#include <QAbstractItemModelTester>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 now = 1795223350117;
const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");
const QByteArray other = QByteArrayLiteral("0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c");

QStringList rowOf(const HolderModel& model, int row)
{
    QStringList texts;
    for (int column = 0; column < model.columnCount(); ++column)
        texts << model.index(row, column).data().toString();
    return texts;
}

} // namespace

// Who holds a lock and who waits for it, in the lock's pane; one of them is chosen and released.
class TestHolders : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        const QByteArray ms = QByteArray::number(serverMs());
        const QByteArray ahead = QByteArray::number(serverMs() + 600'000);
        m_server.lines({"FLUSHALL",
                        "ZADD semaphore:vm " + ms + ' ' + uuid + "_0 " + ms + ' ' + uuid + "_1 " +
                            ms + ' ' + other,
                        "PEXPIRE semaphore:vm 600000", "HSET invoice " + uuid + ":47 2",
                        "PEXPIRE invoice 600000",
                        "RPUSH redisson_lock_queue:{invoice} " + other + ":1 " + other + ":2",
                        "ZADD redisson_lock_timeout:{invoice} " + ahead + ' ' + other + ":1 " +
                            ahead + ' ' + other + ":2",
                        "HSET book mode read " + uuid + ":1 1 " + other + ":2 1",
                        "PEXPIRE book 600000", "SET lock:one owner-1 PX 600000",
                        "SET redbeat::lock web-1:4242 PX 300000", "SET SEMAPHORE:gpu:EXISTS 1",
                        "SET SEMAPHORE:gpu:VERSION 1", "RPUSH SEMAPHORE:gpu:AVAILABLE 1 2",
                        "HSET SEMAPHORE:gpu:GRABBED 0 1795223340.5"});
    }

    void theModelKeepsTheRules()
    {
        HolderModel model;
        QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        LockState lock;
        model.setLock(lock, now);
        lock.holders = {{"a", {}, 1, false, 5'000, now - 2'000}, {"b", "host b", 2, false, 0, {}}};
        lock.waiting = {{"c", 9'000}, {"d", 0}};
        model.setLock(lock, now);
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(rowOf(model, 0), (QStringList{u"a"_s, u"holds it"_s, u"2 s"_s, u"5 s"_s}));
        QCOMPARE(rowOf(model, 1),
                 (QStringList{u"host b"_s, u"holds 2"_s, u"\u2013"_s, u"expired"_s}));
        QCOMPARE(rowOf(model, 2), (QStringList{u"c"_s, u"waits, next"_s, u"\u2013"_s, u"9 s"_s}));
        QCOMPARE(rowOf(model, 3), (QStringList{u"d"_s, u"waits"_s, u"\u2013"_s, u"gave up"_s}));
        QVERIFY(model.holder(1) && !model.holder(2));
        lock.holders.edit().pop_back();
        lock.holders[0].shared = true;
        lock.waiting.clear();
        model.setLock(lock, now);
        QCOMPARE(rowOf(model, 0)[1], QStringLiteral("reads"));
        model.setLock({}, now);
        QCOMPARE(model.rowCount(), 0);
    }

    void whoIsChosenStaysChosen()
    {
        HolderTable table;
        LockState lock;
        lock.holders = {{"a", {}, 1, false, 5'000, {}}, {"b", {}, 1, false, 6'000, {}}};
        table.setLock(lock, now);
        table.selectRow(1);
        QCOMPARE(table.chosen(), QByteArray("b"));
        std::swap(lock.holders[0], lock.holders[1]);
        table.setLock(lock, now);
        QCOMPARE(table.chosen(), QByteArray("b"));
        lock.holders.edit().erase(lock.holders.edit().begin());
        table.setLock(lock, now);
        QCOMPARE(table.chosen(), QByteArray());
    }

    void thePaneTellsWhoHoldsAndWhoWaits()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("invoice"), primitives));
        QTRY_COMPARE(texts(console, HolderModel::PartColumn),
                     (QStringList{u"holds 2"_s, u"waits, next"_s, u"waits"_s}));
        QVERIFY(console.detail(Locks).contains(QStringLiteral("Waiting")));
        shoot(console.window, QStringLiteral("lock-fair"));
        console.clickRow(Locks, QStringLiteral("gpu"));
        QTRY_COMPARE(console.figure(Locks, 3), QStringLiteral("1/3"));
        QCOMPARE(texts(console, HolderModel::NameColumn), QStringList{u"0"_s});
        shoot(console.window, QStringLiteral("lock-semaphore"));
        console.clickRow(Locks, QStringLiteral("book"));
        QTRY_COMPARE(texts(console, HolderModel::PartColumn),
                     (QStringList{u"reads"_s, u"reads"_s}));
        QVERIFY(console.detail(Locks).contains(QStringLiteral("2 readers")));
        shoot(console.window, QStringLiteral("lock-readers"));
        console.clickRow(Locks, QStringLiteral("lock:one"));
        QTRY_VERIFY(console.detail(Locks).contains(QStringLiteral("owner-1")));
        QVERIFY(!holders(console).isVisible());
    }

    void theBoardTellsHowManyHoldIt()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(primitives));
        console.window.showBoard(Locks);
        QTRY_VERIFY(console.rowOf(Locks, QStringLiteral("book")) >= 0);
        const QStringList names = console.cells(Locks);
        const QStringList owners = console.cells(Locks, 2);
        QCOMPARE(owners[names.indexOf(QStringLiteral("book"))], QStringLiteral("2 readers"));
        QCOMPARE(owners[names.indexOf(QStringLiteral("semaphore:vm"))],
                 QStringLiteral("2 holders"));
        QCOMPARE(owners[names.indexOf(QStringLiteral("invoice"))], QStringLiteral("62556984:47"));
    }

    void theChosenHolderIsReleased()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("semaphore:vm"), primitives));
        QVERIFY(enableWriteMode(console));
        QTRY_COMPARE(holders(console).model()->rowCount(), 2);
        for (int row = 0; row < 2; ++row) {
            if (holders(console).model()->index(row, 0).data().toString().toUtf8() == uuid)
                holders(console).selectRow(row);
        }
        QTest::keyClick(&holders(console), Qt::Key_Delete);
        QTRY_VERIFY(dialog(console));
        // Who is meant is chosen: there is nothing left to ask.
        QTRY_VERIFY2(verb(console), qPrintable(said(console)));
        QVERIFY2(said(console).contains(QString::fromLatin1(uuid)), qPrintable(said(console)));
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_COMPARE(m_server.line("ZCARD semaphore:vm").integer, 1);
        QCOMPARE(m_server.line("ZRANGE semaphore:vm 0 -1").items[0].text, other);
    }

    void aPartOfALibraryIsLeftToIt()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("redbeat::lock"), primitives));
        QVERIFY(enableWriteMode(console));
        QTRY_VERIFY(console.detail(Locks).contains(QStringLiteral("RedBeat")));
        console.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(qobject_cast<QMenu*>(QApplication::activePopupWidget()));
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        for (QAction* action : menu->actions()) {
            if (action->text().startsWith(QStringLiteral("Release")) ||
                action->text().startsWith(QStringLiteral("Delete")))
                QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
        }
        menu->close();
    }

private:
    static constexpr int primitives = 6;

    Session::Setup setup() const
    {
        Session::Setup setup = setupFor(m_server.url());
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    qint64 serverMs()
    {
        const Reply time = m_server.line("TIME");
        return time.items[0].text.toLongLong() * 1000 + time.items[1].text.toLongLong() / 1000;
    }
    static HolderTable& holders(ConsoleWindow& console)
    {
        return *console.page(Locks).findChild<HolderTable*>();
    }
    static QStringList texts(ConsoleWindow& console, int column)
    {
        QStringList all;
        const QAbstractItemModel& model = *holders(console).model();
        for (int row = 0; row < model.rowCount(); ++row)
            all << model.index(row, column).data().toString();
        return all;
    }
    RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestHolders);
#include "tst_holders.moc"
