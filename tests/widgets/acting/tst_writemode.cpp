// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/actions/typednamedialog.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/actions/writemode/writemodeframe.h"
#include "widgets/main/navigation/navigationbutton.h"

#include <QMenu>
#include <QSignalSpy>

using namespace lk;
using test::ConsoleWindow;

// The step before any step: seen all around the window, ended at once or by itself.
class TestWriteMode : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        test::fillWithSamples(m_server);
    }

    void writeModeByKeysAlone()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        QVERIFY(writeModeButton(console).toolTip().contains(QStringLiteral("Ctrl+E")));
        console.window.showBoard(test::Locks);
        QTRY_VERIFY(console.table(test::Locks).isVisible());
        console.table(test::Locks).setFocus(); // where the focus goes back to from the menu
        console.press(Qt::Key_E, Qt::ControlModifier);
        QMenu* menu = writeModeButton(console).menu();
        QTRY_VERIFY(menu->isVisible());
        QVERIFY(menu->activeAction());
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        QTRY_VERIFY(!menu->isVisible());
        console.press(Qt::Key_E, Qt::ControlModifier);
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Return); // the first entry ends it now
        QTRY_VERIFY(!console.session().acting().isWriteModeOn());
    }

    void beginsByTheMenuAndEndsByKey()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        auto& button = writeModeButton(console);
        QCOMPARE(button.text(), QStringLiteral("Read-only"));
        choose(console, 0);
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        QTRY_VERIFY2(button.text().startsWith(QStringLiteral("Write mode, ")),
                     qPrintable(button.text()));
        auto* frame = console.window.findChild<WriteModeFrame*>();
        QVERIFY(frame->isVisible());
        QCOMPARE(frame->size(), console.window.size());
        const QImage picture = console.window.grab().toImage();
        const QColor warning = themeColors(console.window.palette()).warning;
        const QSize size = console.window.size();
        for (const QPoint& edge : {QPoint(1, 400), QPoint(640, 1), QPoint(size.width() - 2, 400),
                                   QPoint(640, size.height() - 2)})
            QCOMPARE(picture.pixelColor(edge), warning);
        // Clicks go through it.
        const auto* bar =
            ConsoleWindow::button<NavigationButton>(console.window, QStringLiteral("Locks"));
        const QPoint under = bar->mapTo(&console.window, QPoint(1, bar->height() / 2));
        QVERIFY(frame->mask().contains(under));
        QVERIFY(console.window.currentBoard() != int(test::Locks));
        QTest::mouseClick(console.window.windowHandle(), Qt::LeftButton, {}, under);
        QTRY_COMPARE(console.window.currentBoard(), int(test::Locks));
        const QString before = button.text();
        QTRY_VERIFY_WITH_TIMEOUT(button.text() != before, 5'000);
        console.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(!console.session().acting().isWriteModeOn());
        QTRY_COMPARE(button.text(), QStringLiteral("Read-only"));
        QVERIFY(!frame->isVisible());
    }

    void endsByItself()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        QSignalSpy changes(&console.session().acting(), &SessionActing::writeModeChanged);
        console.session().acting().enableWriteMode(700);
        QTRY_COMPARE_WITH_TIMEOUT(changes.size(), 2, 10'000); // on, and no longer
        QVERIFY(!console.session().acting().isWriteModeOn());
        QTRY_COMPARE(writeModeButton(console).text(), QStringLiteral("Read-only"));
        QVERIFY(!console.window.findChild<WriteModeFrame*>()->isVisible());
    }

    void endsFromTheMenu()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        console.session().acting().enableWriteMode(60'000);
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        choose(console, 0);
        QTRY_VERIFY(!console.session().acting().isWriteModeOn());
    }

    void productionIsTyped()
    {
        Session::Setup named = setup();
        named.name = QStringLiteral("orders-eu");
        named.environment = QStringLiteral("Production EU");
        ConsoleWindow console(named);
        QVERIFY(console.waitForScan());
        choose(console, 1);
        auto* dialog = console.window.findChild<TypedNameDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* turnOn = ConsoleWindow::button<QAbstractButton>(*dialog, QStringLiteral("Turn on"));
        auto* field = dialog->findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("orders-us"));
        QVERIFY(!turnOn->isEnabled());
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        field->clear();
        QTest::keyClicks(field, QStringLiteral("orders-eu"));
        QVERIFY(turnOn->isEnabled());
        QVERIFY(!console.session().acting().isWriteModeOn());
        QTest::mouseClick(turnOn, Qt::LeftButton);
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        const QImage picture = console.window.grab().toImage();
        QCOMPARE(picture.pixelColor(1, 400), themeColors(console.window.palette()).danger);
        test::shoot(console.window, QStringLiteral("write-mode"));
    }

    void returnOnCancelCancels()
    {
        int accepted = 0;
        int left = 0;
        TypedNameDialog dialog(QStringLiteral("orders-eu"));
        connect(&dialog, &QDialog::accepted, this, [&accepted] { ++accepted; });
        connect(&dialog, &QDialog::rejected, this, [&left] { ++left; });
        const auto open = [&dialog] {
            dialog.open();
            dialog.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&dialog));
        };
        open();
        auto* field = dialog.findChild<QLineEdit*>();
        QTest::keyClicks(field, QStringLiteral("orders-eu"));
        auto* cancel = ConsoleWindow::button<QAbstractButton>(dialog, QStringLiteral("Cancel"));
        cancel->setFocus();
        QTest::keyClick(cancel, Qt::Key_Return);
        QCOMPARE(left, 1);
        QCOMPARE(accepted, 0);
        open();
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(accepted, 1);
    }

    void withoutAJournalItOnlyReads()
    {
        ConsoleWindow console(test::setupFor(m_server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan());
        auto& button = writeModeButton(console);
        emit button.menu()->aboutToShow();
        QCOMPARE(button.menu()->actions().size(), 3);
        for (const QAction* action : button.menu()->actions()) {
            QVERIFY(!action->isEnabled());
            QVERIFY2(action->toolTip().contains(QStringLiteral("no journal")),
                     qPrintable(action->toolTip()));
        }
    }

    void aLostServerHasNone()
    {
        test::RedisServer other;
        QVERIFY(other.start());
        Session::Setup its = test::setupFor(other.url(), test::sampleConfig);
        its.actionFiles = setup().actionFiles;
        ConsoleWindow console(its);
        QTRY_VERIFY(console.session().report().scan.complete);
        console.session().acting().enableWriteMode(60'000);
        QTRY_VERIFY(console.session().acting().isWriteModeOn());
        other.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!console.session().acting().isWriteModeOn(), 10'000);
        QTRY_COMPARE(writeModeButton(console).text(), QStringLiteral("Read-only"));
    }

private:
    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(m_server.url(), test::sampleConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    static WriteModeButton& writeModeButton(ConsoleWindow& console)
    {
        return *console.window.findChild<WriteModeButton*>();
    }
    // Opens the menu by key and chooses its n-th entry by keys.
    static void choose(ConsoleWindow& console, int entry)
    {
        WriteModeButton& button = writeModeButton(console);
        button.setFocus();
        QTimer::singleShot(100, button.menu(), [&button, entry] {
            QVERIFY(button.menu()->isVisible());
            for (int i = 0; i <= entry; ++i)
                QTest::keyClick(button.menu(), Qt::Key_Down);
            QTest::keyClick(button.menu(), Qt::Key_Return);
        });
        QTest::keyClick(&button, Qt::Key_Space);
        QTRY_VERIFY(!button.menu()->isVisible());
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestWriteMode);
#include "tst_writemode.moc"
