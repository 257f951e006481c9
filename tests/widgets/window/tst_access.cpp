// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/secrets/secretstore.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/patternsamples.h"
#include "widgets/actions/actionbar.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/actions/dialog/autorequeuedialog.h"
#include "widgets/actions/typednamedialog.h"
#include "widgets/controls/tables/flattable.h"
#include "widgets/dialogs/connectiondialog.h"
#include "widgets/dialogs/passworddialog.h"
#include "widgets/dialogs/recentservers.h"
#include "widgets/findings/findingspage.h"
#include "widgets/main/navigation/navigationbutton.h"

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QButtonGroup>

#include <QComboBox>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QSettings>

using namespace lk;
using test::ConsoleWindow;

// Everything is reached without a mouse, says what it is, and is seen whole at every size.
class TestAccess : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        test::fillWithSamples(m_server);
    }

    void theWindowByTab()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        for (int board = 0; board < console.window.boardCount(); ++board) {
            open(console, board);
            visit(console.window);
        }
    }

    // From the row to what is known of it, to what can be done to it; then to the other boards.
    void tabGoesFromTheTableToItsActions()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        open(console, test::Locks);
        QTableView& table = console.table(test::Locks);
        auto* pane = console.page(test::Locks).findChild<QWidget*>(QStringLiteral("detailPane"));
        const auto partOf = [&](const QWidget* widget) {
            if (widget == &table)
                return 't';
            if (console.page(test::Locks).findChild<ActionBar*>()->isAncestorOf(widget))
                return 'a';
            if (pane->isAncestorOf(widget))
                return 'd';
            if (qobject_cast<const NavigationButton*>(widget))
                return 'n';
            return console.page(test::Locks).isAncestorOf(widget) ? 'f' : 'h';
        };
        table.setFocus();
        QByteArray way;
        const auto goAround = [&](Qt::Key key) {
            way.clear();
            do {
                const char part = partOf(QApplication::focusWidget());
                if (!way.endsWith(part))
                    way += part;
                QTest::keyClick(QApplication::focusWidget(), key);
            } while (QApplication::focusWidget() != &table && way.size() < 20);
        };
        goAround(Qt::Key_Tab);
        QCOMPARE(way, QByteArray("tdanhf")); // navigation, header, filter
        goAround(Qt::Key_Backtab);
        QCOMPARE(way, QByteArray("tfhnad"));
    }

    void returnPressesWhatHasTheFocus()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        open(console, test::Locks);
        QTRY_VERIFY(ConsoleWindow::button(console.window, QStringLiteral("Show only: held")));
        auto* chip = ConsoleWindow::button(console.window, QStringLiteral("Show only: held"));
        chip->setFocus();
        QTest::keyClick(chip, Qt::Key_Return);
        QTRY_COMPARE(console.cells(test::Locks).size(), 3);
        auto* pause = ConsoleWindow::button(console.window, QStringLiteral("Pause"));
        pause->setFocus();
        QTest::keyClick(pause, Qt::Key_Enter);
        QVERIFY(console.session().polling().isPaused());
        auto* more = ConsoleWindow::button<QToolButton>(console.page(test::Locks),
                                                        QStringLiteral("More actions"));
        more->setFocus();
        QTest::keyClick(more, Qt::Key_Return);
        QTRY_VERIFY(more->menu()->isVisible());
        QTest::keyClick(more->menu(), Qt::Key_Escape);
        auto* tab = ConsoleWindow::button(console.window, QStringLiteral("Tokens"));
        tab->setFocus();
        QTest::keyClick(tab, Qt::Key_Return);
        QCOMPARE(console.window.currentBoard(), int(test::Tokens));
        auto* card = ConsoleWindow::button(console.window, QStringLiteral("Overview"));
        card->setFocus();
        QTest::keyClick(card, Qt::Key_Return);
        auto* tile = ConsoleWindow::button(console.window, QStringLiteral("Open the board Queues"));
        tile->setFocus();
        QTest::keyClick(tile, Qt::Key_Return);
        QCOMPARE(console.window.currentBoard(), int(test::Queues));
    }

    void railAndChipsSayWhatTheyAre()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        open(console, test::Locks);
        const auto access = [&](const char* name) {
            return QAccessible::queryAccessibleInterface(
                ConsoleWindow::button(console.window, QLatin1String(name)));
        };
        QAccessibleInterface* locks = access("Locks");
        QCOMPARE(locks->role(), QAccessible::PageTab);
        QVERIFY(locks->state().selected && locks->state().focusable);
        QVERIFY(!access("Tokens")->state().selected);
        QCOMPARE(locks->parent()->role(), QAccessible::PageTabList);
        QCOMPARE(locks->text(QAccessible::Name), QStringLiteral("Locks"));
        access("Tokens")->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(console.window.currentBoard(), int(test::Tokens));
        QVERIFY(access("Tokens")->state().selected && !locks->state().selected);

        open(console, test::Locks);
        QTRY_VERIFY(ConsoleWindow::button(console.window, QStringLiteral("Show only: held")));
        QAccessibleInterface* all = access("Show all");
        QAccessibleInterface* held = access("Show only: held");
        QCOMPARE(held->role(), QAccessible::RadioButton);
        QVERIFY(all->state().checked && !held->state().checked);
        held->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QTRY_COMPARE(console.cells(test::Locks).size(), 3);
        QVERIFY(!all->state().checked && held->state().checked);
    }

    void theDialogsByTab()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
        RecentServers recent(settings);
        MemorySecretStore secrets;
        ConnectionDialog connection(recent, secrets);
        const ServerUrl url = *parseServerUrl(QStringLiteral("redis://ann@h"));
        PasswordDialog password(url, QStringLiteral("h"), {ErrorCode::NoAuth, {}}, secrets);
        MainWindow window;
        HelpDialog help(window.keys());
        TypedNameDialog typed(QStringLiteral("orders-eu"));
        for (QDialog* dialog :
             std::initializer_list<QDialog*>{&connection, &password, &help, &typed}) {
            dialog->show();
            QVERIFY(QTest::qWaitForWindowActive(dialog));
            visit(*dialog);
            dialog->hide();
        }
    }

    // The first input of each step, or its plan if it has no input.
    void theStepsByTab_data()
    {
        QTest::addColumn<int>("board");
        for (const auto& [name, board] :
             {std::pair("limiters", test::Limiters), std::pair("locks", test::Locks),
              std::pair("queues", test::Queues), std::pair("tokens", test::Tokens)})
            QTest::newRow(name) << int(board);
    }
    void theStepsByTab()
    {
        QFETCH(int, board);
        test::fillWithSamples(m_server);
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        open(console, board);
        Session& session = console.session();
        const StatePtr state = session.states().at(console.page(board).selected());
        QVERIFY(state);
        const std::vector<ActionOffer> offers = offersFor({state}, session.acting().limits());
        QVERIFY(offers.size() > 2);
        for (const ActionOffer& offer : offers) {
            isAccessible(
                *ActionDialog::open(&session, {offer.action, {state}, {}, {}, {}}, &console.window),
                QString::fromLatin1(offer.action->id()));
        }
        for (const CreateAction& create : createActionsOf(state->kind())) {
            isAccessible(*ActionDialog::open(&session, {create.action, {}, create.layout, {}, {}},
                                             &console.window),
                         QString::fromLatin1(create.action->id()));
        }
        if (board == test::Queues)
            isAccessible(*AutoRequeueDialog::open(&session, state->primitive, &console.window),
                         QStringLiteral("watch"));
    }

    void actionsByKey()
    {
        MainWindow window;
        const auto menus = window.menuBar()->findChildren<QMenu*>();
        QVERIFY(menus.size() >= 4);
        for (const QMenu* menu : menus) {
            QVERIFY2(menu->title().contains(QLatin1Char('&')) || !menu->menuAction()->isVisible(),
                     qPrintable(menu->title()));
            for (const QAction* action : menu->actions()) {
                if (!action->isSeparator())
                    QVERIFY2(!action->shortcut().isEmpty() ||
                                 action->text().contains(QLatin1Char('&')),
                             qPrintable(action->text()));
            }
        }
    }

    // A letter typed in passing does nothing, and no two actions want the same key.
    void shortcutsAreSafeAndSingle()
    {
        MainWindow window;
        QSet<QString> seen;
        for (const QAction* action : window.findChildren<QAction*>()) {
            for (const QKeySequence& keys : action->shortcuts()) {
                const QKeyCombination key = keys[0];
                const bool function = key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35;
                QVERIFY2(function ||
                             key.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier),
                         qPrintable(keys.toString()));
                QVERIFY2(!seen.contains(keys.toString()), qPrintable(keys.toString()));
                seen.insert(keys.toString());
            }
        }
        QVERIFY(seen.size() > 10);
    }

    void everythingIsSeenWhole_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("many");
        QTest::newRow("the smallest") << QSize(960, 600) << false;
        QTest::newRow("usual") << QSize(1280, 800) << false;
        QTest::newRow("large") << QSize(1920, 1080) << false;
        QTest::newRow("the smallest, many rows") << QSize(960, 600) << true;
        QTest::newRow("usual, many rows") << QSize(1280, 800) << true;
    }

    void everythingIsSeenWhole()
    {
        QFETCH(QSize, size);
        QFETCH(bool, many);
        test::fillWithSamples(m_server);
        int extra = 0;
        for (; many && extra < 60; ++extra) {
            m_server.run({"SET", "lock:a-rather-long-name-for-a-lock:" + QByteArray::number(extra),
                          "worker-with-a-long-name.example.com:12345", "PX", "900000"});
        }
        ConsoleWindow console(setup(), size);
        QVERIFY(console.waitForScan(test::sampleCount + extra));
        QCOMPARE(console.window.size(), size);
        for (int board = 0; board < console.window.boardCount(); ++board) {
            open(console, board);
            const QString where = console.window.boardTitle(board);
            for (const QScrollBar* bar : console.window.findChildren<QScrollBar*>()) {
                const QObject* of = bar->parentWidget()->parentWidget();
                // Where there is no room, columns are scrolled to rather than hidden.
                const bool columns = size.width() < 1280 && qobject_cast<const FlatTable*>(of);
                QVERIFY2(columns || !bar->isVisible() || bar->orientation() == Qt::Vertical,
                         qPrintable(where + u' ' + QLatin1String(of->metaObject()->className()) +
                                    u' ' + QString::number(bar->maximum())));
            }
            isSeenWhole(console, where);
        }
    }

    void everyPatternIsSeenWhole_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("the smallest") << QSize(960, 600);
        QTest::newRow("usual") << QSize(1280, 800);
    }

    void everyPatternIsSeenWhole()
    {
        QFETCH(QSize, size);
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        test::fillWithPatterns(server);
        ConsoleWindow console(test::setupFor(server.url(), test::patternConfig), size);
        QVERIFY(console.waitForScan(test::patternPrimitives));
        open(console, test::Queues); // an event queue
        isSeenWhole(console, QStringLiteral("events"));
        open(console, test::Patterns);
        QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
        for (const QString& name : console.cells(test::Patterns)) {
            console.clickRow(test::Patterns, name);
            QTRY_VERIFY(console.detail(test::Patterns).contains(name));
            QCoreApplication::processEvents(); // layouts that were asked for by what was just shown
            isSeenWhole(console, name);
            visit(console.window);
            test::shoot(console.window,
                        QStringLiteral("pattern-%1-%2").arg(name).arg(size.width()));
        }
    }

private:
    void isAccessible(QDialog& dialog, const QString& what)
    {
        QTRY_COMPARE(QApplication::activeWindow(), &dialog);
        QTRY_VERIFY(
            !ConsoleWindow::texts(dialog).contains(QStringLiteral("Reading the current state")));
        QTRY_COMPARE(what + test::clippedTexts(dialog).join(QLatin1Char('|')), what);
        visit(dialog);
        test::shoot(dialog, QStringLiteral("step-") + what);
        delete &dialog;
    }
    void open(ConsoleWindow& console, int board)
    {
        console.window.showBoard(board);
        if (qobject_cast<BoardPage*>(console.window.boards()[size_t(board)])) {
            QTRY_VERIFY(console.table(board).model()->rowCount() > 0);
            console.page(board).selectFirst();
            QTRY_VERIFY(!console.detail(board).contains(QStringLiteral("Nothing selected")));
        }
        if (board == test::FindingsBoard) {
            FindingsPage& page = *console.window.findChild<FindingsPage*>();
            QTRY_VERIFY_WITH_TIMEOUT(page.table()->model()->rowCount() > 0, 10'000);
            page.selectFirst();
        }
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents(); // layouts that were asked for by what was just shown
    }

    static void isSeenWhole(ConsoleWindow& console, const QString& where)
    {
        QTRY_COMPARE(where + clipped(console.window), where);
        QTRY_COMPARE(where + outside(console.window), where);
    }

    static QString nameOf(QWidget& widget)
    {
        if (!widget.accessibleName().isEmpty())
            return widget.accessibleName();
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&widget);
        return access ? access->text(QAccessible::Name) : QString();
    }

    /// Goes round by Tab and finds every widget that takes the focus, each with a name.
    void visit(QWidget& window)
    {
        QSet<QWidget*> reached;
        QWidget* start = QApplication::focusWidget();
        if (!start || start->window() != &window) {
            QTest::keyClick(&window, Qt::Key_Tab);
            start = QApplication::focusWidget();
        }
        QVERIFY2(start, window.metaObject()->className());
        for (QWidget* now = start; !reached.contains(now) && reached.size() < 500;
             now = QApplication::focusWidget()) {
            reached.insert(now);
            QTest::keyClick(now, Qt::Key_Tab);
            QVERIFY(QApplication::focusWidget());
        }
        int seen = 0;
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            const bool focusable = widget->isVisible() && widget->isEnabled() &&
                                   (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy();
            if (!focusable || qobject_cast<QMenuBar*>(widget) || isPartOfAnother(*widget))
                continue;
            ++seen;
            const QString what = QLatin1String(widget->metaObject()->className()) +
                                 QLatin1Char(' ') + nameOf(*widget);
            QVERIFY2(!nameOf(*widget).isEmpty(), qPrintable(what));
            QVERIFY2(reached.contains(widget) || isRadio(*widget), qPrintable(what));
        }
        QVERIFY(seen > 0);
    }
    // The line of a spin box, the list of a combo box, the area inside a view.
    static bool isPartOfAnother(const QWidget& widget)
    {
        const QWidget* parent = widget.parentWidget();
        return qobject_cast<const QAbstractSpinBox*>(parent) ||
               qobject_cast<const QComboBox*>(parent) ||
               QLatin1String(widget.metaObject()->className()) ==
                   QLatin1String("QComboBoxPrivateContainer");
    }
    // In an exclusive group, Tab reaches the checked button and the arrow keys reach the others.
    static bool isRadio(const QWidget& widget)
    {
        const auto* button = qobject_cast<const QAbstractButton*>(&widget);
        return button && button->group() && button->group()->exclusive() && button->isCheckable();
    }

    /// Short texts that lack the room they ask for. Those that give way by intent are left out:
    /// they elide or tell the rest in a tool tip.
    static QString clipped(const QWidget& window)
    {
        QStringList texts;
        for (const QLabel* label : window.findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty() || label->wordWrap() ||
                label->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
                continue;
            if (label->width() < label->minimumSizeHint().width() ||
                label->width() < label->sizeHint().width() ||
                label->height() < label->sizeHint().height() - 1) // rounded
                texts << label->text();
        }
        for (const QAbstractButton* button : window.findChildren<QAbstractButton*>()) {
            if (button->isVisible() && !button->text().isEmpty() &&
                button->width() < button->minimumSizeHint().width())
                texts << button->text();
        }
        return texts.join(QLatin1Char('|'));
    }
    /// Visible widgets that reach over their parent's right edge.
    static QString outside(const QWidget& window)
    {
        QStringList names;
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            const QWidget* parent = widget->parentWidget();
            if (widget->isVisible() && !widget->isWindow() && parent &&
                widget->geometry().right() > parent->rect().right() + 1)
                names << QLatin1String(widget->metaObject()->className()) +
                             widget->accessibleName();
        }
        return names.join(QLatin1Char('|'));
    }

    Session::Setup setup() const { return test::setupFor(m_server.url(), test::sampleConfig); }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestAccess);
#include "tst_access.moc"
