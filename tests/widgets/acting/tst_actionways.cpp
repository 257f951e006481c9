// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "widgets/actions/actionbar.h"
#include "widgets/findings/findingspage.h"
#include "widgets/journal/journalpage.h"

#include <QContextMenuEvent>

using namespace lk;
using namespace lk::test;

// The ways to a step besides the menu by key, and the way back from the journal, each to its end.
class TestActionWays : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { fillWithSamples(m_server); }

    void byTheButtonsBelowThePane()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("lock:one")));
        QVERIFY(enableWriteMode(console));
        auto* bar = console.page(Locks).findChild<ActionBar*>();
        auto* release = ConsoleWindow::button<QToolButton>(*bar, QStringLiteral("Release…"));
        QVERIFY(release);
        QTest::mouseClick(release, Qt::LeftButton);
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:one").integer, 0);
    }

    void byARowsOwnMenu()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("lock:one")));
        QVERIFY(enableWriteMode(console));
        QTableView& table = console.table(Locks);
        const QPoint at = table
                              .visualRect(table.model()->index(
                                  console.rowOf(Locks, QStringLiteral("lock:two")), 0))
                              .center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, table.viewport()->mapToGlobal(at));
        QApplication::sendEvent(table.viewport(), &event);
        choose(QStringLiteral("Release…"));
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:two").integer, 0);
        QCOMPARE(m_server.line("EXISTS lock:one").integer, 1);
    }

    void fromReadOnlyByTheDialogsOwnArm()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("lock:one")));
        act(console, QStringLiteral("Release…"));
        QTRY_VERIFY(dialog(console) && button(console, QStringLiteral("Turn on write mode…")));
        QVERIFY(!verb(console));
        QMenu* menu = button(console, QStringLiteral("Turn on write mode…"))->menu();
        menu->popup(dialog(console)->mapToGlobal(QPoint(20, 20)));
        choose(QStringLiteral("Write mode for &5 minutes"));
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:one").integer, 0);
    }

    void readOnlyAtOnceWhileADialogIsOpen()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("lock:one")));
        QVERIFY(enableWriteMode(console));
        auto* bar = console.page(Locks).findChild<ActionBar*>();
        QTest::mouseClick(ConsoleWindow::button<QToolButton>(*bar, QStringLiteral("Release…")),
                          Qt::LeftButton);
        QTRY_VERIFY(verb(console));
        QVERIFY(QTest::qWaitForWindowActive(dialog(console)));
        console.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!console.session().acting().isWriteModeOn());
        QTRY_VERIFY(!verb(console));
        QCOMPARE(m_server.line("EXISTS lock:one").integer, 1);
        // The plan went with write mode: a new one can be made at once, and be run.
        QTRY_VERIFY(button(console, QStringLiteral("Replan (F5)")));
        QVERIFY(enableWriteMode(console));
        QVERIFY(!verb(console));
        QTest::keyClick(dialog(console), Qt::Key_F5);
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:one").integer, 0);
    }

    void whatTheServerRefusesIsSaidBefore()
    {
        m_server.line("ACL SETUSER op reset on >pw ~* &* +@all -@scripting");
        Session::Setup mine = setup();
        mine.url.user = QStringLiteral("op");
        mine.url.password = QStringLiteral("pw");
        ConsoleWindow console(mine);
        QVERIFY(openBoard(console, Locks, QStringLiteral("lock:one")));
        auto* bar = console.page(Locks).findChild<ActionBar*>();
        auto* release = ConsoleWindow::button<QToolButton>(*bar, QStringLiteral("Release…"));
        QVERIFY(release);
        QTRY_VERIFY(!release->isEnabled());
        QVERIFY2(release->toolTip().contains(QStringLiteral("Not available:")),
                 qPrintable(release->toolTip()));
        m_server.line("ACL SETUSER op +@scripting"); // it is found out, and can be done
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), 20'000);
    }

    void backFromTheJournal()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Locks, QStringLiteral("lock:one")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        runPlan(console);
        QTest::mouseClick(button(console, QStringLiteral("Close")), Qt::LeftButton);
        QTRY_VERIFY(!dialog(console));
        console.window.showBoard(JournalBoard);
        JournalPage& page = *console.window.findChild<JournalPage*>();
        QTRY_VERIFY(page.table()->model()->rowCount() > 0);
        page.table()->selectRow(0);
        auto* undo = ConsoleWindow::button<QPushButton>(page, QStringLiteral("Undo…"));
        QVERIFY(undo && undo->isEnabled());
        QTest::mouseClick(undo, Qt::LeftButton);
        runPlan(console);
        QCOMPARE(m_server.line("GET lock:one").text, QByteArray("owner-1"));
    }

    void fromAFindingToItsMending()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(sampleCount));
        QVERIFY(enableWriteMode(console));
        console.window.showBoard(FindingsBoard);
        FindingsPage& page = *console.window.findChild<FindingsPage*>();
        auto* table = page.findChild<QTableView*>(QStringLiteral("findingsTable"));
        const auto rowOf = [table](const QString& name) {
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                for (int column = 0; column < table->model()->columnCount(); ++column) {
                    if (table->model()->index(row, column).data().toString() == name)
                        return row;
                }
            }
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowOf(QStringLiteral("lock:orphan")) >= 0, 10'000);
        table->selectRow(rowOf(QStringLiteral("lock:orphan")));
        auto* fix = page.findChild<QPushButton*>(QStringLiteral("fix"));
        QTRY_VERIFY(fix->isVisible() && fix->isEnabled());
        QTest::mouseClick(fix, Qt::LeftButton);
        QTRY_VERIFY(dialog(console));
        fill(console, QStringLiteral("ttl"), QStringLiteral("1h"));
        QTest::mouseClick(button(console, QStringLiteral("Plan")), Qt::LeftButton);
        runPlan(console);
        QVERIFY(m_server.line("PTTL lock:orphan").integer > 3'000'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            rowOf(QStringLiteral("lock:orphan")) < 0 ||
                table->model()->index(rowOf(QStringLiteral("lock:orphan")), 0).data().toString() ==
                    QStringLiteral("resolved"),
            15'000);
    }

private:
    Session::Setup setup() const
    {
        Session::Setup setup = setupFor(m_server.url(), sampleConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestActionWays);
#include "tst_actionways.moc"
