// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionacting.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/actiondriver.h"
#include "widgets/actions/plan/codeview.h"
#include "widgets/actions/plan/receiptview.h"
#include "widgets/actions/plan/stepmodel.h"
#include "widgets/detail/jobs/jobtable.h"
#include "widgets/journal/journalmodel.h"
#include "widgets/journal/journalpage.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>

using namespace lk;
using namespace lk::test;

// From an action's menu to its receipt and back, by clicks and keys, on a real server.
class TestActionDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        test::fillWithSamples(m_server);
        QFile::remove(setup().actionFiles.journal);
    }

    void readOnlyShowsThePlanAndSendsNothing()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:one")));
        const QByteArray before = test::summaryOf(m_server);
        act(console, QStringLiteral("Release…"));
        QVERIFY(dialog(console));
        QTRY_VERIFY(said(console).contains(QStringLiteral("Release the lock lock:one?")));
        QVERIFY(said(console).contains(QStringLiteral("DEL lock:one")));
        QVERIFY(said(console).contains(QStringLiteral("the owner is still owner-1")));
        QVERIFY(said(console).contains(QStringLiteral("Nothing was sent")));
        QVERIFY(!verb(console));
        QVERIFY(button(console, QStringLiteral("Turn on write mode…")));
        QVERIFY(button(console, QStringLiteral("Cancel"))->hasFocus());
        test::shoot(*dialog(console), QStringLiteral("plan-readonly"));
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console));
        QCOMPARE(test::summaryOf(m_server), before);
        QVERIFY(!test::commandCalls(m_server).contains("evalsha"));
        QVERIFY(!QFile::exists(setup().actionFiles.journal));
    }

    void releasesALockAndTakesItBack()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:one")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        QTRY_VERIFY(verb(console));
        auto* reason = dialog(console)->findChild<QLineEdit*>();
        for (QLineEdit* field : dialog(console)->findChildren<QLineEdit*>()) {
            if (field->accessibleName() == QStringLiteral("Reason"))
                reason = field;
        }
        reason->setFocus();
        QTest::keyClicks(reason, QStringLiteral("stuck deploy"));
        QTest::keyClick(reason, Qt::Key_Return); // cancels nothing
        QVERIFY(verb(console));
        test::shoot(*dialog(console), QStringLiteral("action"));
        verb(console)->setFocus();
        QTest::keyClick(verb(console), Qt::Key_Return); // neither cancels nor writes
        QVERIFY(verb(console) && verb(console)->isEnabled());
        runPlan(console);
        QCOMPARE(m_server.line("EXISTS lock:one").integer, 0);
        test::shoot(*dialog(console), QStringLiteral("receipt"));
        button(console, QStringLiteral("Copy receipt ID"))->setFocus();
        QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_Return);
        QVERIFY(QApplication::clipboard()->text().startsWith(QLatin1Char('r')));
        button(console, QStringLiteral("Undo…"))->setFocus();
        QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_Return);
        QTRY_VERIFY(verb(console) && verb(console)->text() == QStringLiteral("Undo"));
        runPlan(console);
        QCOMPARE(m_server.line("GET lock:one").text, QByteArray("owner-1"));
        QTest::mouseClick(button(console, QStringLiteral("Close")), Qt::LeftButton);
        QTRY_VERIFY(!dialog(console));

        // The journal has both, newest first.
        console.window.showBoard(test::JournalBoard);
        JournalPage& page = *console.window.findChild<JournalPage*>();
        const QAbstractItemModelTester tester(page.table()->model());
        QTRY_COMPARE(page.table()->model()->rowCount(), 2);
        const auto cell = [&](int row, int column) {
            return page.table()->model()->index(row, column).data().toString();
        };
        QCOMPARE(cell(0, JournalModel::ActionColumn), QStringLiteral("undo"));
        QCOMPARE(cell(1, JournalModel::ActionColumn), QStringLiteral("lock.release"));
        QCOMPARE(cell(1, JournalModel::NameColumn), QStringLiteral("lock:one"));
        QCOMPARE(cell(1, JournalModel::ReasonColumn), QStringLiteral("stuck deploy"));
        for (int column = 0; column < JournalModel::ColumnTotal; ++column) { // nothing is cut
            const QFontMetrics metrics(column == JournalModel::NameColumn ? monoFont(TextSize::Body)
                                                                          : page.table()->font());
            QVERIFY2(metrics.horizontalAdvance(cell(1, column)) + 16 <=
                         page.table()->columnWidth(column),
                     qPrintable(cell(1, column)));
        }
        page.table()->selectRow(1);
        QVERIFY(ConsoleWindow::texts(page).contains(QStringLiteral("the owner is still owner-1")));
        QVERIFY(!ConsoleWindow::button<QPushButton>(page, QStringLiteral("Undo…"))->isEnabled());
        test::shoot(console.window, QStringLiteral("journal"));
        auto* filter = page.findChild<QLineEdit*>(QStringLiteral("journalFilter"));
        console.press(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(filter, QStringLiteral("lock.rel"));
        QCOMPARE(page.table()->model()->rowCount(), 1);
        for (const char* name : {"j.csv", "j.json"}) {
            const QString path = m_folder.filePath(QLatin1String(name));
            auto* menu = ConsoleWindow::button<QToolButton>(page, QStringLiteral("Export"))->menu();
            menu->actions().at(path.endsWith(QStringLiteral("json")) ? 1 : 0)->trigger();
            ConsoleWindow::fillInFileName(path);
            QFile file(path);
            QTRY_VERIFY(file.exists());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY(file.readAll().contains("stuck deploy"));
        }
    }

    // All texts show the same number, never "Type 5" beside "for 45". Steps that cannot be planned
    // are not counted anywhere.
    void oneNumberIsSaidEverywhere()
    {
        constexpr int total = 14;
        for (int i = 0; i < total; ++i)
            m_server.run({"SET", "lock:many:" + QByteArray::number(i), "me", "PX", "600000"});
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:many:1")));
        QVERIFY(enableWriteMode(console));
        console.filter(test::Locks).setText(QStringLiteral("lock:many:*"));
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), total);
        console.table(test::Locks).setFocus();
        console.press(Qt::Key_A, Qt::ControlModifier);
        console.press(Qt::Key_Return, Qt::ControlModifier);
        m_server.line("DEL lock:many:3 lock:many:4"); // while the menu is open
        choose(QStringLiteral("Release for 14 selected…"));
        QTRY_VERIFY(verb(console));
        const QString heading =
            dialog(console)->findChild<QLabel*>(QStringLiteral("planTitle"))->text();
        QCOMPARE(heading, QStringLiteral("Release for 12 of 14 selected?"));
        QCOMPARE(verb(console)->text(), QStringLiteral("Release (12)"));
        QVERIFY(dialog(console)->windowTitle().startsWith(heading));
        QVERIFY(said(console).contains(QStringLiteral("Type 12 to continue")));
        fill(console, QStringLiteral("typedName"), QStringLiteral("14"));
        QVERIFY(!verb(console)->isEnabled());
        fill(console, QStringLiteral("typedName"), QStringLiteral("12"));
        QVERIFY(verb(console)->isEnabled());
    }

    // One row of the journal, one undo, one key for it.
    void whatIsRunTogetherIsUndoneTogether()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:two")));
        QVERIFY(enableWriteMode(console));
        const auto selectAndRelease = [&] {
            QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Locks, 1).count(QStringLiteral("held")),
                                      3,
                                      10'000); // as they are read
            console.clickRow(test::Locks, QStringLiteral("lock:one"));
            console.clickRow(test::Locks, QStringLiteral("lock:two"), Qt::ControlModifier);
            console.clickRow(test::Locks, QStringLiteral("lock:zed"), Qt::ControlModifier);
            act(console, QStringLiteral("Release for 3 selected…"));
            QTRY_VERIFY(verb(console) && verb(console)->isEnabled());
            QTest::mouseClick(verb(console), Qt::LeftButton);
            QTRY_COMPARE_WITH_TIMEOUT(receipt(console), QStringLiteral("Succeeded"), 10'000);
        };
        const auto left = [&] {
            return m_server.line("EXISTS lock:one lock:two lock:zed").integer;
        };
        console.press(Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!dialog(console)); // nothing was done yet
        selectAndRelease();
        QCOMPARE(left(), 0);
        QTest::mouseClick(button(console, QStringLiteral("Undo all 3…")), Qt::LeftButton);
        QTRY_VERIFY(verb(console) && verb(console)->text() == QStringLiteral("Undo (3)"));
        QVERIFY(said(console).contains(QStringLiteral("Undo 3 action(s)?")));
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(receipt(console), QStringLiteral("Succeeded"), 10'000);
        QCOMPARE(left(), 3);
        QCOMPARE(m_server.line("GET lock:zed").text, QByteArray("owner-9"));
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console));

        selectAndRelease();
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console));
        console.press(Qt::Key_Z, Qt::ControlModifier); // shows the plan, and no more
        QTRY_VERIFY(verb(console) && verb(console)->text() == QStringLiteral("Undo (3)"));
        QCOMPARE(left(), 0);
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console));

        console.window.showBoard(test::JournalBoard);
        JournalPage& page = *console.window.findChild<JournalPage*>();
        QAbstractItemModel& model = *page.table()->model();
        QTRY_COMPARE(model.rowCount(), 3); // release, undo, release
        const auto cell = [&](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QCOMPARE(cell(0, JournalModel::NameColumn), QStringLiteral("\u25b8 3 action(s)"));
        QCOMPARE(cell(0, JournalModel::OutcomeColumn), QStringLiteral("Succeeded"));
        QCOMPARE(cell(1, JournalModel::ActionColumn), QStringLiteral("undo"));
        page.table()->setFocus();
        page.table()->selectRow(0);
        test::shoot(console.window, QStringLiteral("journal-group"));
        QTest::keyClick(page.table(), Qt::Key_Right);
        QCOMPARE(model.rowCount(), 6);
        QCOMPARE(page.table()->currentIndex().row(), 0);
        QVERIFY(cell(1, JournalModel::NameColumn).contains(QStringLiteral("lock:")));
        QTest::keyClick(page.table(), Qt::Key_Down);
        QTest::keyClick(page.table(), Qt::Key_Left); // from a step of it
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(page.table()->currentIndex().row(), 0);
        page.table()->selectRow(2); // the first release, undone
        QVERIFY(
            !ConsoleWindow::button<QPushButton>(page, QStringLiteral("Undo all 0…"))->isEnabled());
        page.table()->selectRow(0);
        QTest::mouseClick(ConsoleWindow::button<QPushButton>(page, QStringLiteral("Undo all 3…")),
                          Qt::LeftButton);
        QTRY_VERIFY(verb(console) && verb(console)->text() == QStringLiteral("Undo (3)"));
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(receipt(console), QStringLiteral("Succeeded"), 10'000);
        QCOMPARE(left(), 3);
    }

    void requeuesTheChosenItem()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Queues, QStringLiteral("jobs")));
        QVERIFY(enableWriteMode(console));
        auto* items = console.page(test::Queues).findChild<JobTable*>();
        QTRY_COMPARE(items->model()->rowCount(), 2);
        int row = 0;
        while (!items->model()
                    ->index(row, JobModel::PayloadColumn)
                    .data()
                    .toString()
                    .contains(QStringLiteral("p1")))
            ++row;
        items->selectRow(row);
        act(console, QStringLiteral("Requeue…"));
        QTRY_VERIFY(button(console, QStringLiteral("Plan")));
        QTest::mouseClick(button(console, QStringLiteral("Plan")), Qt::LeftButton);
        QTRY_VERIFY(verb(console));
        const QString digest =
            QStringLiteral("digest %1").arg(fingerprintOf("p1"), 16, 16, QLatin1Char('0'));
        QVERIFY2(said(console).contains(digest), qPrintable(said(console)));
        runPlan(console);
        QCOMPARE(m_server.line("LRANGE jobs:processing 0 -1").items.size(), size_t(1));
        QCOMPARE(m_server.line("LINDEX jobs:processing 0").text, QByteArray("p2"));
        QCOMPARE(m_server.line("LINDEX jobs -1").text, QByteArray("p1"));
    }

    void issuesATokenAndShowsItsCodeOnce()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, test::tokenRow("code:a1fa5c")));
        QVERIFY(enableWriteMode(console));
        QTest::mouseClick(ConsoleWindow::button<QToolButton>(console.page(test::Tokens),
                                                             QStringLiteral("Issue…")),
                          Qt::LeftButton);
        QTRY_VERIFY(dialog(console));
        auto* show = button(console, QStringLiteral("Plan"));
        QVERIFY(show && !show->isEnabled());
        fill(console, QStringLiteral("prefix"), QStringLiteral("code:"));
        fill(console, QStringLiteral("ttl"), QStringLiteral("soon"));
        QVERIFY(!show->isEnabled());
        fill(console, QStringLiteral("ttl"), QStringLiteral("1h"));
        QVERIFY(show->isEnabled());
        auto* payload = dialog(console)->findChild<QPlainTextEdit*>(QStringLiteral("payload"));
        payload->setPlainText(QStringLiteral("{\"user\": 7}"));
        QVERIFY(said(console).contains(QStringLiteral("valid JSON")));
        QTest::mouseClick(show, Qt::LeftButton);
        runPlan(console);
        auto* view = dialog(console)->findChild<CodeView*>();
        QTRY_VERIFY(view->isVisible());
        const QByteArray code = view->code().toUtf8();
        QVERIFY(!code.isEmpty());
        QCOMPARE(m_server.run({"GET", "code:" + code}).text, QByteArray("{\"user\": 7}"));
        QTest::mouseClick(button(console, QStringLiteral("Copy the code")), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text().toUtf8(), code);
        QFile journal(setup().actionFiles.journal);
        QVERIFY(journal.open(QIODevice::ReadOnly));
        QVERIFY(!journal.readAll().contains(code));
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console));
    }

    void theClipboardForgetsACodeButNothingElse()
    {
        CodeView view(nullptr, 150);
        view.setCode(QStringLiteral("A1B2"));
        view.show();
        auto* copyButton =
            ConsoleWindow::button<QPushButton>(view, QStringLiteral("Copy the code"));
        QTest::mouseClick(copyButton, Qt::LeftButton);
        QTRY_COMPARE(QApplication::clipboard()->text(), QString());
        QTest::mouseClick(copyButton, Qt::LeftButton);
        QApplication::clipboard()->setText(QStringLiteral("mine"));
        bool over = false; // after the code's own time, which began before
        QTimer::singleShot(151, &view, [&over] { over = true; });
        QTRY_VERIFY(over);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("mine"));
    }

    void whatOnlyAsksIsAnsweredWhileReadOnly()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Tokens, test::tokenRow("code:a1fa5c")));
        act(console, QStringLiteral("Check token…"));
        QTRY_VERIFY(said(console).contains(QStringLiteral("Valid: ")));
        QVERIFY(!verb(console));
        QVERIFY(!console.session().acting().isWriteModeOn());
    }

    void productionHasTheNameTyped()
    {
        Session::Setup production = setup();
        production.environment = QStringLiteral("production");
        ConsoleWindow console(production);
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:zed")));
        QVERIFY(enableWriteMode(console));
        act(console, QStringLiteral("Release…"));
        QTRY_VERIFY(verb(console));
        QVERIFY(!verb(console)->isEnabled());
        fill(console, QStringLiteral("typedName"), QStringLiteral("lock:ze"));
        QVERIFY(!verb(console)->isEnabled());
        fill(console, QStringLiteral("typedName"), QStringLiteral("lock:zed"));
        QVERIFY(!verb(console)->isEnabled()); // nor without a reason, and that is said
        QVERIFY(said(console).contains(QStringLiteral("A reason is required on production")));
        fill(console, QStringLiteral("reason"), QStringLiteral("  "));
        QVERIFY(!verb(console)->isEnabled());
        fill(console, QStringLiteral("reason"), QStringLiteral("OPS-7"));
        QVERIFY(verb(console)->isEnabled());
        QVERIFY(!said(console).contains(QStringLiteral("A reason is required")));
        test::shoot(*dialog(console), QStringLiteral("plan-production"));
        runPlan(console);
    }

    void manyAreRunOneByOneUntilStopped()
    {
        constexpr int total = 60;
        for (int i = 0; i < total; ++i)
            m_server.run({"SET", "lock:many:" + QByteArray::number(100 + i),
                          "owner-" + QByteArray::number(i % 3), "PX", "600000"});
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, test::Locks, QStringLiteral("lock:many:100")));
        QVERIFY(enableWriteMode(console));
        console.filter(test::Locks).setText(QStringLiteral("lock:many"));
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), total);
        console.table(test::Locks).setFocus();
        console.press(Qt::Key_A, Qt::ControlModifier);
        act(console, QStringLiteral("Release for %1 selected…").arg(total));
        // The plan does not include a later lock.
        m_server.line("SET lock:many:later w PX 600000");
        QTRY_VERIFY_WITH_TIMEOUT(verb(console), 15'000);
        // All of it can be read by keys, from Cancel on.
        QVERIFY(button(console, QStringLiteral("Cancel"))->hasFocus());
        auto* plan = dialog(console)->findChild<QScrollArea*>();
        QTest::keyClick(dialog(console), Qt::Key_Tab);
        while (!plan->hasFocus() && !button(console, QStringLiteral("Cancel"))->hasFocus())
            QTest::keyClick(dialog(console)->focusWidget(), Qt::Key_Tab);
        QVERIFY(plan->hasFocus());
        QCOMPARE(plan->accessibleName(), QStringLiteral("Plan"));
        QTest::keyClick(plan, Qt::Key_PageDown);
        QTRY_VERIFY(plan->verticalScrollBar()->value() > 0);
        // Each is asked about its own owner: none of them stands for all.
        QVERIFY(said(console).contains(QStringLiteral("each is unchanged")));
        QVERIFY(!said(console).contains(QStringLiteral("the owner is still")));
        QVERIFY(!verb(console)->isEnabled());
        fill(console, QStringLiteral("typedName"), QString::number(total));
        QTest::mouseClick(verb(console), Qt::LeftButton);
        QTRY_VERIFY(button(console, QStringLiteral("Stop")));
        QTRY_VERIFY(m_server.line("EXISTS lock:many:100").integer == 0 ||
                    m_server.line("DBSIZE").integer < 60);
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_COMPARE_WITH_TIMEOUT(receipt(console), QStringLiteral("Stopped"), 10'000);
        const qint64 left = qint64(m_server.line("KEYS lock:many:1*").items.size());
        QVERIFY2(left > 0 && left < total, qPrintable(QString::number(left)));
        QCOMPARE(m_server.line("EXISTS lock:many:later").integer, 1);
        test::shoot(*dialog(console), QStringLiteral("receipt-many"));
        QTest::keyClick(dialog(console), Qt::Key_Escape);
        QTRY_VERIFY(!dialog(console));
    }

    void oneOfManyIsUndoneOnlyAfterTheRun()
    {
        PlanSet set;
        for (const char* name : {"lock:a", "lock:b"}) {
            Plan plan;
            plan.name = plan.journalName = name;
            set.plans.push_back(plan);
        }
        Receipt done;
        done.outcome = Outcome::Succeeded;
        done.id = "receipt-a";
        done.undoable = true;
        StepModel steps;
        steps.setPlans(set);
        ReceiptView view(&steps);
        view.beginMany(QStringLiteral("Release…"));
        view.show();
        auto* undo = ConsoleWindow::button<QPushButton>(view, QStringLiteral("Undo this one…"));
        auto* copy = ConsoleWindow::button<QPushButton>(view, QStringLiteral("Copy receipt ID"));
        QVERIFY(undo && copy);
        view.findChild<QTableView*>()->selectRow(0);
        QVERIFY(!copy->isEnabled());
        steps.add(done);
        view.updateMany(false);
        QVERIFY(copy->isEnabled());
        QVERIFY(!undo->isEnabled());
        done.id = "receipt-b";
        steps.add(done);
        view.updateMany(false);
        QVERIFY(!undo->isEnabled());
        steps.finish();
        view.updateMany(true);
        QVERIFY(undo->isEnabled());
        QSignalSpy wanted(&view, &ReceiptView::undoWanted);
        QTest::mouseClick(undo, Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.front().front().value<QByteArrayList>(), QByteArrayList{"receipt-a"});
        QTest::mouseClick(ConsoleWindow::button<QPushButton>(view, QStringLiteral("Undo all 2…")),
                          Qt::LeftButton);
        QCOMPARE(wanted.back().front().value<QByteArrayList>(),
                 (QByteArrayList{"receipt-b", "receipt-a"})); // the last step first
    }

    void anEmptyJournalTeaches()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        console.press(Qt::Key_0, Qt::ControlModifier);
        QTRY_VERIFY(ConsoleWindow::texts(*console.window.findChild<JournalPage*>())
                        .contains(QStringLiteral("No actions yet")));
    }

private:
    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(m_server.url(), test::sampleConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestActionDialog);
#include "tst_actiondialog.moc"
