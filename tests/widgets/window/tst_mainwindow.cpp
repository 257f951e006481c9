// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/main/header/connectionbanner.h"
#include "widgets/main/navigation/navigationbar.h"
#include "widgets/main/navigation/navigationbutton.h"

#include <QComboBox>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTemporaryFile>

using namespace lk;
using test::ConsoleWindow;

// The window as a whole: the way from board to board, the controls of the session, what it says
// while there is nothing to show.
class TestMainWindow : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    void boardsByKey()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        for (int board = console.window.boardCount() - 1; board >= 0; --board) {
            console.press(board < 9 ? Qt::Key(Qt::Key_1 + board) : Qt::Key_0, Qt::ControlModifier);
            QCOMPARE(console.window.currentBoard(), board);
            QCOMPARE(console.window.findChild<NavigationBar*>()->current(), board);
        }
    }

    void noKeyMeansTwoThings()
    {
        ConsoleWindow console(setup());
        QStringList keys;
        for (const QAction* action : console.window.findChildren<QAction*>()) {
            for (const QKeySequence& key : action->shortcuts())
                keys << key.toString();
        }
        QVERIFY(keys.size() > 10);
        QStringList once = keys;
        once.removeDuplicates();
        keys.sort();
        once.sort();
        QCOMPARE(keys, once);
    }

    // A part that is shown before it is anywhere in the window flashes up by itself, and takes the
    // focus.
    void boardsAreMadeInTheWindow()
    {
        class Shown final : public QObject
        {
        public:
            QStringList windows;
            bool eventFilter(QObject* watched, QEvent* event) override
            {
                const auto* widget = qobject_cast<QWidget*>(watched);
                if (event->type() == QEvent::Show && widget && widget->isWindow())
                    windows << QLatin1String(widget->metaObject()->className());
                return false;
            }
        } shown;
        qApp->installEventFilter(&shown);
        MainWindow window;
        QVERIFY(!window.boards().back()->isBuilt());
        window.show();
        window.activateWindow();
        QTRY_VERIFY(window.boards().back()->isBuilt());
        QCOMPARE(shown.windows, QStringList{QStringLiteral("lk::MainWindow")});
        QVERIFY(window.isActiveWindow());
    }

    // How a board was arranged waits until it is made, and is not lost where it never is.
    void anArrangementWaits()
    {
        const auto locks = [](const MainWindow& window) {
            return window.viewState()[QStringLiteral("boards")].toMap()[QStringLiteral("lock")];
        };
        QVariantMap state;
        {
            ConsoleWindow console(setup());
            console.table(test::Locks).horizontalHeader()->setSortIndicator(2, Qt::DescendingOrder);
            state = console.window.viewState();
        }
        MainWindow window;
        window.setViewState(state);
        auto* page = qobject_cast<BoardPage*>(window.boards()[test::Locks]);
        QVERIFY(!page->isBuilt());
        const QVariant waiting = locks(window);
        QVERIFY(!waiting.toMap().isEmpty());
        window.show();
        QTRY_VERIFY(page->isBuilt());
        QCOMPARE(page->table()->horizontalHeader()->sortIndicatorSection(), 2);
        QCOMPARE(locks(window), waiting);
    }

    void boardsByTheRail()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        const auto buttons = console.window.findChildren<NavigationButton*>();
        QCOMPARE(buttons.size(), console.window.boardCount());
        for (NavigationButton* button : buttons) {
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(console.window.boardTitle(console.window.currentBoard()), button->text());
            QVERIFY(button->isChecked());
        }
    }

    void theRailCounts()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        const auto said = [&](const char* title) {
            return ConsoleWindow::button<NavigationButton>(console.window, QLatin1String(title))
                ->accessibleDescription();
        };
        QTRY_COMPARE(said("Limiters"), QStringLiteral("primitives: 3, warnings"));
        QTRY_COMPARE(said("Locks"), QStringLiteral("primitives: 4, some need attention"));
        QTRY_COMPARE(said("Queues"), QStringLiteral("primitives: 1"));
        QTRY_COMPARE(said("Tokens"), QStringLiteral("primitives: 2"));
        QTRY_COMPARE(said("Patterns"), QStringLiteral("primitives: 1"));
        m_server.lines({"DEL lock:orphan", "SET code:gamma x PX 90000"});
        console.press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(said("Tokens"), QStringLiteral("primitives: 3"), 15'000);
        QTRY_VERIFY_WITH_TIMEOUT(!said("Locks").contains(QStringLiteral("attention")), 15'000);
    }

    void namesTheServer()
    {
        Session::Setup named = setup();
        named.name = QStringLiteral("orders-eu");
        named.environment = QStringLiteral("production");
        ConsoleWindow console(named);
        QVERIFY(console.waitForScan());
        QVERIFY(console.window.windowTitle().contains(QStringLiteral("orders-eu")));
        auto* badge = console.window.findChild<EnvironmentBadge*>();
        QVERIFY(badge && badge->isVisible());
        QCOMPARE(badge->label(), QStringLiteral("production"));
        QVERIFY(environmentStyle(badge->label()).filled);
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(QStringLiteral("redis 7.")));
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(QStringLiteral("own cost")));
    }

    void saysThatAgesAreNotKept()
    {
        QTemporaryFile inTheWay;
        QVERIFY(inTheWay.open());
        Session::Setup unkept = setup();
        unkept.firstSeenPath = inTheWay.fileName() + QStringLiteral("/firstseen.db");
        ConsoleWindow console(unkept);
        QVERIFY(console.waitForScan(test::sampleCount));
        auto* banner = console.window.findChild<ConnectionBanner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(unkept.firstSeenPath), qPrintable(banner->text()));
    }

    void pauseStopsAndResumeGoesOn()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Limiters);
        QTRY_COMPARE(console.table(test::Limiters).model()->rowCount(), 3);
        console.clickRow(test::Limiters, QStringLiteral("quota:b"));
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("4 / 10"));
        auto* pause = ConsoleWindow::button<QToolButton>(console.window, QStringLiteral("Pause"));
        QVERIFY(pause);
        QTest::mouseClick(pause, Qt::LeftButton);
        QVERIFY(console.session().polling().isPaused());
        QCOMPARE(pause->text(), QStringLiteral("Resume"));
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(QStringLiteral("paused")));
        m_server.line("INCRBY quota:b 3");
        // Reports go on once a second while nothing is read.
        QSignalSpy reports(&console.session(), &Session::reported);
        QTRY_VERIFY_WITH_TIMEOUT(reports.size() >= 2, 15'000);
        QCOMPARE(console.figure(test::Limiters, 0), QStringLiteral("4 / 10"));
        console.press(Qt::Key_P, Qt::ControlModifier);
        QVERIFY(!console.session().polling().isPaused());
        QCOMPARE(pause->text(), QStringLiteral("Pause"));
        QTRY_COMPARE_WITH_TIMEOUT(console.figure(test::Limiters, 0), QStringLiteral("7 / 10"),
                                  15'000);
    }

    void looksAgainByF5()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        QSignalSpy reports(&console.session(), &Session::reported);
        console.session().polling().setPaused(false);
        m_server.lines({"SET lock:later me PX 60000"});
        console.press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(console.session().board().summary()->of(Kind::Lock).total, 5,
                                  15'000);
        QTRY_COMPARE_WITH_TIMEOUT(console.session().report().scan.scanned, 13, 15'000);
    }

    void theRefreshRateIsTheSessions()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        QCOMPARE(console.session().polling().intervalMs(), 250);
        auto* rate = console.window.findChild<QComboBox*>();
        rate->setFocus();
        QTest::keyClick(rate, Qt::Key_Down);
        QCOMPARE(console.session().polling().intervalMs(), 500);
    }

    void helpListsTheKeys()
    {
        ConsoleWindow console(setup());
        console.press(Qt::Key_F1);
        QWidget* dialog = QApplication::activeModalWidget();
        QVERIFY(dialog);
        const QString text = ConsoleWindow::texts(*dialog);
        for (const KeyHint& key : console.window.keys())
            QVERIFY2(text.contains(key.text), qPrintable(key.text));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }

    void themesByTheMenu()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        connect(&console.window, &MainWindow::themeChosen, &console.window,
                [](ThemeChoice choice) { test::theme().choose(choice); });
        const auto corner = [&] { return console.window.grab().toImage().pixelColor(400, 780); };
        const auto dark = [&](const QImage& image) {
            qint64 sum = 0;
            for (int x = 0; x < image.width(); x += 8) {
                for (int y = 0; y < image.height(); y += 8)
                    sum += image.pixelColor(x, y).lightness();
            }
            return sum / (image.width() / 8 * (image.height() / 8)) < 96;
        };
        for (int board = 0; board < console.window.boardCount(); ++board) {
            console.window.showBoard(board);
            console.action(QStringLiteral("Dark theme"))->trigger();
            QTRY_COMPARE(corner(), themeColors(darkPalette()).surface);
            QVERIFY(dark(console.window.grab().toImage()));
            console.action(QStringLiteral("Light theme"))->trigger();
            QTRY_VERIFY(!dark(console.window.grab().toImage()));
        }
    }

    void withoutAServer()
    {
        MainWindow window;
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (int board = 0; board < test::ServerBoard; ++board) {
            window.showBoard(board);
            QVERIFY2(ConsoleWindow::texts(window).contains(QStringLiteral("Connect to Redis")),
                     qPrintable(window.boardTitle(board)));
        }
        QSignalSpy connectWanted(&window, &MainWindow::connectWanted);
        QTest::mouseClick(ConsoleWindow::button<QToolButton>(window, QStringLiteral("Connect…")),
                          Qt::LeftButton);
        QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(connectWanted.size(), 2);
    }

    void anEmptyServerTeaches()
    {
        m_server.flush();
        ConsoleWindow console(setup());
        QTRY_VERIFY_WITH_TIMEOUT(console.session().report().scan.complete, 15'000);
        const std::pair<int, const char*> boards[] = {{test::Limiters, "[[limiter]]"},
                                                      {test::Locks, "[[lock]]"},
                                                      {test::Queues, "[[queue]]"},
                                                      {test::Tokens, "[[token]]"},
                                                      {test::Patterns, "[[pattern]]"}};
        for (const auto& [board, example] : boards) {
            console.window.showBoard(board);
            QTRY_VERIFY2(ConsoleWindow::texts(console.page(board)).contains(QLatin1String(example)),
                         example);
            QVERIFY(!console.table(board).isVisible());
        }
        m_server.line("SET lock:first me PX 60000");
        console.press(Qt::Key_F5);
        console.window.showBoard(test::Locks);
        QTRY_VERIFY_WITH_TIMEOUT(console.table(test::Locks).isVisible(), 15'000);
    }

    void theNoticeStaysUntilItIsTaken()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        const QString notice = QStringLiteral("Configuration not applied: a.toml:3: <b>x</b>");
        console.window.setNotice(notice);
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(notice));
        console.window.setNotice({});
        QVERIFY(!ConsoleWindow::texts(console.window).contains(QStringLiteral("not applied")));
    }

private:
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::sampleConfig); }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestMainWindow);
#include "tst_mainwindow.moc"
