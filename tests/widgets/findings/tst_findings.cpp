// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/controls/emptystate.h"
#include "widgets/findings/findingmodel.h"
#include "widgets/findings/findingspage.h"
#include "widgets/main/navigation/navigationbutton.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QScrollArea>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

/// The board of findings and the marks on the others, on a server that was filled by the documents'
/// own wrong commands.
class TestFindings : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void rowsAndDetail()
    {
        makeMistakes();
        ConsoleWindow console(setup());
        QVERIFY(openFindings(console, 5));
        prolongTheGate();
        QTRY_COMPARE_WITH_TIMEOUT(table(console).model()->rowCount(), 6, 15'000);
        const QAbstractItemModelTester tester(table(console).model());
        QByteArrayList rows;
        for (int row = 0; row < 6; ++row)
            rows << (cell(console, row, FindingModel::SeverityColumn) + QLatin1Char(' ') +
                     cell(console, row, FindingModel::CodeColumn) + QLatin1Char(' ') +
                     cell(console, row, FindingModel::NameColumn))
                        .toUtf8();
        const auto token = [](const char* name) { return test::tokenRow(name).toUtf8(); };
        QCOMPARE(rows, (QByteArrayList{
                           "error ghost-token " + token("user_token:4f8a1c0d77b2e9a6530f"),
                           "warning gate-prolonged spawn:gate:7",
                           "warning lock-without-ttl lock:myresource",
                           "warning token-ttl-too-long " + token("code:c17bd6"),
                           "warning token-without-ttl " + token("user_token:0an3dks7000xcj201ls"),
                           "info token-codes-short code:*"}));
        auto* bar =
            ConsoleWindow::button<NavigationButton>(console.window, QStringLiteral("Findings"));
        QCOMPARE(bar->accessibleDescription(),
                 QStringLiteral("findings: 6, highest severity: error"));

        choose(console, test::tokenRow("code:c17bd6"));
        QString said = detail(console);
        for (const char* part :
             {"code:c17b\xe2\x80\xa6~", "41 d", "SETEX and EXPIRE take seconds", "use PX or PSETEX",
              "token-ttl-too-long", "One-time token", "silence = [\"token-ttl-too-long\"]"})
            QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
        test::shoot(console.window, QStringLiteral("findings-1280"));
        QTest::mouseClick(button(console, QStringLiteral("Copy the line that silences this")),
                          Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("[check]\nsilence = [\"token-ttl-too-long\"]\n"));
        choose(console, QStringLiteral("code:*"));
        QVERIFY(detail(console).contains(QStringLiteral("No automatic fix")));
        QTest::mouseClick(button(console, QStringLiteral("Show rows")), Qt::LeftButton);
        QCOMPARE(console.window.currentBoard(), int(test::Tokens));
        QTRY_COMPARE(console.cells(test::Tokens), QStringList{test::tokenRow("code:c17bd6")});
    }

    void mends()
    {
        makeMistakes();
        ConsoleWindow console(setup());
        QVERIFY(openFindings(console, 5));
        choose(console, QStringLiteral("lock:myresource"));
        QTest::mouseClick(button(console, QStringLiteral("Set lock TTL…")), Qt::LeftButton);
        auto* dialog = console.window.findChild<ActionDialog*>();
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->isVisible());
        QVERIFY(dialog->windowTitle().contains(QStringLiteral("Set lock TTL")));
        showPlan(*dialog);
        QTRY_VERIFY2(ConsoleWindow::texts(*dialog).contains(QStringLiteral("lock:myresource")),
                     qPrintable(ConsoleWindow::texts(*dialog)));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!console.window.findChild<ActionDialog*>());

        // It is mended by somebody else: the row stays until another is chosen, and says so.
        m_server.line("PEXPIRE lock:myresource 600000");
        console.window.showBoard(test::Locks); // it is read on every tick there
        QTRY_COMPARE_WITH_TIMEOUT(console.session().findings().latest()->total(), 4, 20'000);
        console.window.showBoard(test::FindingsBoard);
        QTRY_VERIFY(detail(console).contains(QStringLiteral("resolved")));
        QVERIFY(!button(console, QStringLiteral("Set lock TTL…"))->isEnabled());
        QCOMPARE(table(console).model()->rowCount(), 5);
        choose(console, test::tokenRow("user_token:4f8a1c0d77b2e9a6530f"));
        QTRY_COMPARE(table(console).model()->rowCount(), 4);
        QVERIFY(button(console, QStringLiteral("Clean up…")));
        QVERIFY(detail(console).contains(QStringLiteral("Clean it up")));
    }

    void showsTheObjectAndItsMark()
    {
        makeMistakes();
        ConsoleWindow console(setup("[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n"));
        QVERIFY(openFindings(console, 5));
        choose(console, QStringLiteral("lock:myresource"));
        QTest::mouseClick(button(console, QStringLiteral("Show")), Qt::LeftButton);
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QTRY_VERIFY(console.rowOf(test::Locks, QStringLiteral("lock:myresource")) >= 0);
        const auto at = [&](const char* name) {
            return console.table(test::Locks)
                .model()
                ->index(console.rowOf(test::Locks, QLatin1String(name)), 0);
        };
        QCOMPARE(at("lock:myresource").data(PrimitiveModel::FindingRole).toInt(), 3);
        QCOMPARE(at("lock:fine").data(PrimitiveModel::FindingRole).toInt(), 0);
        QVERIFY(at("lock:myresource")
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("error: The lock has no TTL")));
        QVERIFY(at("lock:myresource")
                    .data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("has no TTL")));
        QVERIFY(marked(console, at("lock:myresource")));
        QVERIFY(!marked(console, at("lock:fine")));
        QTRY_VERIFY(console.detail(test::Locks)
                        .contains(QStringLiteral("The lock has no TTL: it never expires.")));
        test::shoot(console.window, QStringLiteral("locks-marked"));

        console.clickRow(test::Locks, QStringLiteral("lock:fine"));
        QTRY_VERIFY(!console.detail(test::Locks).contains(QStringLiteral("has no TTL")));
        console.clickRow(test::Locks, QStringLiteral("lock:myresource"));
        auto* why =
            ConsoleWindow::button<QToolButton>(console.page(test::Locks), QStringLiteral("Why?"));
        QVERIFY(why);
        QVERIFY(why->toolTip().contains(QStringLiteral("nobody can take the lock")));
        QTest::mouseClick(why, Qt::LeftButton);
        QCOMPARE(console.window.currentBoard(), int(test::FindingsBoard));
        QVERIFY(detail(console).contains(QStringLiteral("lock:myresource")));
    }

    void filtersByKeysAndChips()
    {
        makeMistakes();
        ConsoleWindow console(setup());
        QVERIFY(openFindings(console, 5));
        console.press(Qt::Key_F, Qt::ControlModifier);
        auto* field = page(console).findChild<QLineEdit*>(QStringLiteral("filterField"));
        QVERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("ghost"));
        QCOMPARE(table(console).model()->rowCount(), 1);
        field->clear();
        QTest::mouseClick(button(console, QStringLiteral("Show only: warning")), Qt::LeftButton);
        QCOMPARE(table(console).model()->rowCount(), 3);
        QTest::keyClicks(field, QStringLiteral("no such thing"));
        QCOMPARE(empty(console), QStringLiteral("Nothing matches"));
        field->clear();
        QTest::mouseClick(button(console, QStringLiteral("Show all")), Qt::LeftButton);
        table(console).selectAll();
        QApplication::clipboard()->clear();
        console.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), 6);
    }

    void silenced()
    {
        m_server.lines({"SET lock:a me", "SET lock:b me"});
        ConsoleWindow console(setup("[check]\nsilence = [\"lock-without-ttl\"]\n"));
        console.window.showBoard(test::FindingsBoard);
        auto* box = page(console).findChild<QCheckBox*>();
        QTRY_VERIFY_WITH_TIMEOUT(box->isVisible(), 15'000);
        QCOMPARE(box->text(), QStringLiteral("Show silenced (2)"));
        QTRY_COMPARE(empty(console), QStringLiteral("No findings"));
        QVERIFY(ConsoleWindow::texts(page(console))
                    .contains(QStringLiteral("are silenced in the configuration")));
        QCOMPARE(ConsoleWindow::button<NavigationButton>(console.window, QStringLiteral("Findings"))
                     ->accessibleDescription(),
                 QStringLiteral("no findings"));
        QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
        QTRY_COMPARE(table(console).model()->rowCount(), 2);
        choose(console, QStringLiteral("lock:b"));
        QVERIFY(detail(console).contains(QStringLiteral("Silenced in the configuration file")));
        console.window.showBoard(test::Locks);
        QTRY_VERIFY(console.rowOf(test::Locks, QStringLiteral("lock:b")) >= 0);
        QCOMPARE(console.table(test::Locks).model()->index(0, 0).data(PrimitiveModel::FindingRole),
                 QVariant(0));
    }

    // A disk that is full: found on the server, not on any key of it.
    void theServerItself()
    {
        QTemporaryDir folder;
        const QString inTheWay = folder.filePath(QStringLiteral("dump.rdb"));
        test::RedisServer server({QStringLiteral("--dir"), folder.path()});
        QVERIFY2(server.start(), server.output());
        server.line("SET lock:fine me PX 600000");
        QVERIFY(QDir().mkpath(inTheWay));
        server.lines({"CONFIG SET save \"900 1\"", "BGSAVE"});
        QTRY_VERIFY(server.line("PING").isError());
        ConsoleWindow console(test::setupFor(server.url()));
        QVERIFY(openFindings(console, 1));
        const QString address = cell(console, 0, FindingModel::NameColumn);
        QCOMPARE(address, console.session().url().endpoint());
        auto* bar =
            ConsoleWindow::button<NavigationButton>(console.window, QStringLiteral("Findings"));
        QCOMPARE(bar->accessibleDescription(),
                 QStringLiteral("findings: 1, highest severity: warning"));
        choose(console, address);
        for (const char* part :
             {"The last snapshot failed", "Server", "cannot-save", "Free disk space on the server"})
            QVERIFY2(detail(console).contains(QLatin1String(part)), part);
        test::shoot(console.window, QStringLiteral("findings-server"));
        console.press(Qt::Key_Return);
        QCOMPARE(console.window.currentBoard(), int(test::ServerBoard));

        console.window.showBoard(test::FindingsBoard);
        QTest::mouseDClick(table(console).viewport(), Qt::LeftButton, {},
                           placeOf(console, address));
        QCOMPARE(console.window.currentBoard(), int(test::ServerBoard));
        console.window.showBoard(test::FindingsBoard);
        QTest::mouseClick(button(console, QStringLiteral("Show the server")), Qt::LeftButton);
        QCOMPARE(console.window.currentBoard(), int(test::ServerBoard));

        QVERIFY(QDir().rmdir(inTheWay));
        server.line("BGSAVE");
        QTRY_COMPARE_WITH_TIMEOUT(bar->accessibleDescription(), QStringLiteral("no findings"),
                                  20'000);
    }

    void nothingFound()
    {
        m_server.line("SET lock:fine me PX 600000");
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(1));
        console.window.showBoard(test::FindingsBoard);
        QTRY_COMPARE_WITH_TIMEOUT(empty(console), QStringLiteral("No findings"), 15'000);
        QTRY_VERIFY(
            ConsoleWindow::texts(page(console)).contains(QStringLiteral("Primitives checked: 1")));
        test::shoot(console.window, QStringLiteral("findings-none"));
    }

    void rowsStandStillUnderThePointer()
    {
        m_server.lines({"SET lock:b me", "SET lock:c me"});
        ConsoleWindow console(setup());
        QVERIFY(openFindings(console, 2));
        QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
        QCoreApplication::sendEvent(table(console).viewport(), &enter);
        m_server.lines({"SET lock:a me", "DEL lock:b"});
        console.session().polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(table(console).model()->rowCount(), 3, 20'000);
        QCOMPARE(cell(console, 2, FindingModel::NameColumn), QStringLiteral("lock:a"));
        QTRY_COMPARE_WITH_TIMEOUT(cell(console, 0, FindingModel::SeverityColumn),
                                  QStringLiteral("resolved"), 20'000);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(table(console).viewport(), &leave);
        QTRY_COMPARE(table(console).model()->rowCount(), 2);
        QCOMPARE(cell(console, 0, FindingModel::NameColumn), QStringLiteral("lock:a"));
    }

    void theMenuIsOfTheRowUnderThePointer()
    {
        m_server.lines({"SET lock:a me", "SET lock:b me"});
        ConsoleWindow console(setup());
        QVERIFY(openFindings(console, 2));
        choose(console, QStringLiteral("lock:a"));
        choose(console, QStringLiteral("lock:b"), Qt::ControlModifier);
        QVERIFY(detail(console).contains(QStringLiteral("lock:b")));
        QMenu* menu = rightClick(console, QStringLiteral("lock:a"));
        QVERIFY(menu);
        // Both stay selected while others come.
        m_server.line("SET lock:c me");
        console.session().polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(table(console).model()->rowCount(), 3, 20'000);
        QCOMPARE(table(console).selectionModel()->selectedRows().size(), 2);
        pick(menu, QStringLiteral("Show"));
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QTRY_VERIFY(console.detail(test::Locks).contains(QStringLiteral("lock:a")));

        console.window.showBoard(test::FindingsBoard);
        menu = rightClick(console, QStringLiteral("lock:a"));
        QVERIFY(menu);
        pick(menu, QStringLiteral("Set lock TTL…"));
        auto* dialog = console.window.findChild<ActionDialog*>();
        QTRY_VERIFY(dialog && dialog->isVisible());
        showPlan(*dialog);
        QTRY_VERIFY2(ConsoleWindow::texts(*dialog).contains(QStringLiteral("lock:a")),
                     qPrintable(ConsoleWindow::texts(*dialog)));
        QVERIFY(!ConsoleWindow::texts(*dialog).contains(QStringLiteral("lock:b")));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!console.window.findChild<ActionDialog*>());

        // One that is gone stays while the pointer is over the rows: nothing is left to fix.
        QEnterEvent enter({5, 5}, {5, 5}, {5, 5});
        QCoreApplication::sendEvent(table(console).viewport(), &enter);
        m_server.line("PEXPIRE lock:a 600000");
        console.session().polling().rescan();
        QTRY_VERIFY_WITH_TIMEOUT(cell(console, rowOf(console, QStringLiteral("lock:a")),
                                      FindingModel::SeverityColumn) == QStringLiteral("resolved"),
                                 20'000);
        menu = rightClick(console, QStringLiteral("lock:a"));
        QVERIFY(menu);
        QVERIFY(!entry(menu, QStringLiteral("Set lock TTL…"))->isEnabled());
        menu->close();
    }

    void theSmallestWindow()
    {
        makeMistakes();
        const QByteArray unbroken = "lock:" + QByteArray(150, 'x');
        m_server.run({"SET", unbroken, "me"});
        ConsoleWindow console(setup(), {960, 600});
        QVERIFY(openFindings(console, 6));
        choose(console, QString::fromLatin1(unbroken));
        auto* scroll = page(console).findChild<QScrollArea*>();
        QVERIFY(detail(console).contains(QString::fromLatin1(unbroken)));
        QTRY_COMPARE(scroll->widget()->width(), scroll->viewport()->width());
        choose(console, test::tokenRow("code:c17bd6"));
        QTRY_COMPARE(test::clippedTexts(page(console)).join(QLatin1Char('|')), QString());
        test::shoot(console.window, QStringLiteral("findings-960"));
        console.window.showBoard(test::Tokens);
        console.page(test::Tokens).selectFirst();
        test::shoot(console.window, QStringLiteral("tokens-960"));
    }

private:
    Session::Setup setup(const QByteArray& toml = {}) const
    {
        Session::Setup setup = test::setupFor(
            m_server.url(), "[[limiter]]\nkey = \"spawn:gate:*\"\nlayout = \"gate\"\n"
                            "window = \"20s\"\n" +
                                toml);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    void makeMistakes()
    {
        m_server.lines({"SETEX code:c17bd6 3600000 payload", // seconds for milliseconds
                        "HSET user_token:0an3dks7000xcj201ls some_metadata x used_by 0",
                        "HINCRBY user_token:4f8a1c0d77b2e9a6530f used_by 1", // was never issued
                        "SET lock:myresource ef1f63c NX", "SET lock:fine ef1f63c NX PX 600000",
                        "INCR spawn:gate:7", "PEXPIRE spawn:gate:7 20000"});
    }
    void prolongTheGate()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_server.line("PTTL spawn:gate:7").integer < 19'000, 5000);
        m_server.lines({"INCR spawn:gate:7", "PEXPIRE spawn:gate:7 20000"});
    }

    static FindingsPage& page(ConsoleWindow& console)
    {
        return *console.window.findChild<FindingsPage*>();
    }
    static QTableView& table(ConsoleWindow& console) { return *page(console).table(); }
    static QAbstractButton* button(ConsoleWindow& console, const QString& text)
    {
        return ConsoleWindow::button(page(console), text);
    }
    static bool openFindings(ConsoleWindow& console, int rows)
    {
        console.window.showBoard(test::FindingsBoard);
        return QTest::qWaitFor([&] { return table(console).model()->rowCount() == rows; }, 20'000);
    }
    static QString cell(ConsoleWindow& console, int row, int column)
    {
        return table(console).model()->index(row, column).data().toString();
    }
    static QString detail(ConsoleWindow& console)
    {
        return ConsoleWindow::texts(
            *page(console).findChild<QWidget*>(QStringLiteral("findingDetail")));
    }
    static QString empty(ConsoleWindow& console)
    {
        for (const EmptyState* state : page(console).findChildren<EmptyState*>()) {
            if (state->isVisible() && state->parent() == page(console).table()->parent())
                return state->headline();
        }
        return {};
    }
    /// Shows the plan of a new lease.
    static void showPlan(ActionDialog& dialog)
    {
        QTest::keyClicks(dialog.findChild<QLineEdit*>(QStringLiteral("ttl")),
                         QStringLiteral("10m"));
        QTest::mouseClick(ConsoleWindow::button(dialog, QStringLiteral("Plan")), Qt::LeftButton);
    }
    static int rowOf(ConsoleWindow& console, const QString& name)
    {
        int row = table(console).model()->rowCount() - 1;
        while (row >= 0 && cell(console, row, FindingModel::NameColumn) != name)
            --row;
        return row;
    }
    static QPoint placeOf(ConsoleWindow& console, const QString& name)
    {
        return table(console)
            .visualRect(
                table(console).model()->index(rowOf(console, name), FindingModel::NameColumn))
            .center();
    }
    static void choose(ConsoleWindow& console, const QString& name,
                       Qt::KeyboardModifiers modifiers = {})
    {
        QVERIFY2(rowOf(console, name) >= 0, qPrintable(name));
        QTest::mouseClick(table(console).viewport(), Qt::LeftButton, modifiers,
                          placeOf(console, name));
    }
    /// The menu that comes; null: none.
    static QMenu* rightClick(ConsoleWindow& console, const QString& name)
    {
        QWidget* viewport = table(console).viewport();
        const QPoint place = placeOf(console, name);
        QTest::mouseClick(viewport, Qt::RightButton, {}, place);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, place, viewport->mapToGlobal(place));
        QCoreApplication::sendEvent(viewport, &asked);
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    }
    static QAction* entry(QMenu* menu, const QString& text)
    {
        for (QAction* action : menu->actions()) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    }
    static void pick(QMenu* menu, const QString& text)
    {
        QVERIFY2(entry(menu, text), qPrintable(text));
        menu->setActiveAction(entry(menu, text));
        QTest::keyClick(menu, Qt::Key_Return);
    }
    /// The right end of the cell has something in the colour of an error.
    static bool marked(ConsoleWindow& console, const QModelIndex& index)
    {
        QTableView& view = console.table(test::Locks);
        const QRect cell = view.visualRect(index);
        const QRect end(cell.right() - 28, cell.top(), 28, cell.height());
        const QImage image = view.viewport()->grab(end).toImage();
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 0; y < image.height(); ++y) {
                const QColor color = image.pixelColor(x, y); // thin lines are blended
                if (color.red() - std::max(color.green(), color.blue()) > 60)
                    return true;
            }
        }
        return false;
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestFindings);
#include "tst_findings.moc"
