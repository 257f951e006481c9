// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/actions/writemode/writemodeframe.h"
#include "widgets/controls/labels/elidedlabel.h"
#include "widgets/deployments/deploymentbutton.h"
#include "widgets/deployments/deploymentspage.h"
#include "widgets/deployments/deploymentswitcher.h"
#include "widgets/main/header/sessionheader.h"
#include "widgets/search/searchdialog.h"
#include "widgets/search/searchmodel.h"

#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

namespace {

constexpr int patienceMs = 30'000;

} // namespace

// Several deployments in one window, by clicks and keys: what belongs to one never reaches another.
class TestDeployments : public QObject
{
    Q_OBJECT

public:
    static void initMain()
    {
        static const QTemporaryDir home;
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            qputenv(name, home.path().toUtf8());
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus"); // no keyring
    }

private slots:
    void initTestCase()
    {
        for (test::RedisServer* server : {&m_staging, &m_production, &m_third})
            QVERIFY2(server->start(), server->output());
    }
    void init()
    {
        for (test::RedisServer* server : {&m_staging, &m_production})
            server->lines({"FLUSHALL", "SET lock:one owner-1 NX PX 600000"});
        m_staging.line("SET lock:staging owner-2 NX PX 600000");
        m_production.lines({"SET lock:orphan owner-3", "SET lock:production o NX PX 600000"});
        m_console = std::make_unique<Console>(*qApp);
        MainWindow& window = m_console->window();
        window.resize(1280, 800);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        open(m_staging, QStringLiteral("orders-staging"), QStringLiteral("staging"));
        m_first = m_console->session();
        open(m_production, QStringLiteral("orders-eu"), QStringLiteral("production"));
        m_second = m_console->session();
        QVERIFY(m_first && m_second && m_first != m_second);
        for (Session* session : {m_first, m_second})
            QTRY_VERIFY_WITH_TIMEOUT(session->report().scan.complete &&
                                         session->findings().latest() && session->board().summary(),
                                     patienceMs);
    }
    void cleanup() { m_console.reset(); }

    void switchesByClickAndKey()
    {
        QCOMPARE(buttons().size(), 2);
        QVERIFY(window().windowTitle().startsWith(QStringLiteral("orders-eu")));
        window().showBoard(test::Locks);
        QTRY_VERIFY_WITH_TIMEOUT(names().contains(QStringLiteral("lock:production")), patienceMs);
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_console->session(), m_first);
        QCOMPARE(window().session(), m_first);
        QVERIFY(window().windowTitle().startsWith(QStringLiteral("orders-staging")));
        window().showBoard(test::Locks);
        QTRY_VERIFY_WITH_TIMEOUT(names().contains(QStringLiteral("lock:staging")), patienceMs);
        QVERIFY(!names().contains(QStringLiteral("lock:production")));
        QTest::mouseClick(buttons()[1], Qt::LeftButton);
        QCOMPARE(m_console->session(), m_second);
        QVERIFY(buttons()[1]->isChecked() && !buttons()[0]->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(names().contains(QStringLiteral("lock:production")), patienceMs);
        QVERIFY(!names().contains(QStringLiteral("lock:staging")));
        // There is no ninth.
        press(Qt::Key_9, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_console->session(), m_second);
    }

    void eachIsFoundAsItWasLeft()
    {
        window().showBoard(test::Queues);
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        window().showBoard(test::Tokens);
        press(Qt::Key_2, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window().currentBoard(), int(test::Queues));
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window().currentBoard(), int(test::Tokens));
    }

    // Both are told by words: of one that is not in front, too.
    void theSwitcherTellsStateAndWorstFinding()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_second->findings().latest()->worst().has_value(), patienceMs);
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(buttons()[1]->accessibleName(),
                                  QStringLiteral("production, orders-eu, connected, 1 warning(s)"),
                                  patienceMs);
        QVERIFY(buttons()[0]->accessibleName().startsWith(
            QStringLiteral("staging, orders-staging, connected, ")));
        // It goes on while another is in front.
        m_production.line("SET lock:second owner-4");
        m_second->polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(buttons()[1]->accessibleName(),
                                  QStringLiteral("production, orders-eu, connected, 2 warning(s)"),
                                  patienceMs);
        test::shoot(window(), QStringLiteral("deployments-switcher"));
    }

    // Buttons do without their texts before the server's version does.
    void aNarrowHeaderTellsTheVersion()
    {
        window().resize(1024, 700);
        const auto* header = window().findChild<SessionHeader*>();
        QTRY_VERIFY_WITH_TIMEOUT(!m_second->info().isEmpty(), patienceMs);
        const QString version = m_second->info().facts({}).version;
        QVERIFY(!version.isEmpty());
        const auto tellsIt = [&] {
            const QList<QLabel*> labels = header->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                return label->text().contains(version) &&
                       label->fontMetrics().horizontalAdvance(label->text()) <= label->width();
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(tellsIt(), patienceMs);
        auto* more = ConsoleWindow::button<QToolButton>(window(), QStringLiteral("Connect\u2026"));
        QVERIFY(more && more->toolButtonStyle() == Qt::ToolButtonIconOnly);
        window().resize(1600, 900);
        QTRY_COMPARE(more->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        QTRY_VERIFY(tellsIt());
    }

    void writeModeIsNeverCarriedAlong()
    {
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        m_first->acting().enableWriteMode(60'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_first->acting().isWriteModeOn(), patienceMs);
        QTRY_VERIFY(frame().isVisible());
        press(Qt::Key_2, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_second->acting().isWriteModeOn());
        QVERIFY(!frame().isVisible());
        QCOMPARE(writeButton().text(), QStringLiteral("Read-only"));
        QVERIFY(buttons()[0]->accessibleName().endsWith(QStringLiteral("write mode")));
        // The key that ends write mode ends it for the deployment in front.
        press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(m_first->acting().isWriteModeOn());
        QVERIFY(frame().isVisible());
        QVERIFY(frame().accessibleName().contains(QStringLiteral("orders-staging")));
        QCOMPARE(frame().text(), QStringLiteral("Write mode: orders-staging"));
        test::shoot(window(), QStringLiteral("write-mode-name"));
    }

    // To come back to production by a key is not to be in write mode there.
    void productionIsReadOnlyOnceItWasLeft()
    {
        m_second->acting().enableWriteMode(60'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_second->acting().isWriteModeOn(), patienceMs);
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY_WITH_TIMEOUT(!m_second->acting().isWriteModeOn(), patienceMs);
        press(Qt::Key_2, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_second->acting().isWriteModeOn());
        QVERIFY(!frame().isVisible());
    }

    void keysReachTheOneInFrontAlone()
    {
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_P, Qt::ControlModifier);
        QVERIFY(m_first->polling().isPaused());
        QVERIFY(!m_second->polling().isPaused());
        press(Qt::Key_2, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!m_second->polling().isPaused());
        press(Qt::Key_P, Qt::ControlModifier);
        QVERIFY(m_second->polling().isPaused());
        press(Qt::Key_P, Qt::ControlModifier);
        QVERIFY(m_first->polling().isPaused() && !m_second->polling().isPaused());
    }

    // Both servers have a lock of that name.
    void aPlanBelongsToItsOwnDeployment()
    {
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        m_first->acting().enableWriteMode(60'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_first->acting().isWriteModeOn(), patienceMs);
        window().showBoard(test::Locks);
        const std::vector<Handle> handles = m_first->states().handlesWith({"lock:one"});
        QCOMPARE(handles.size(), size_t(1));
        const StatePtr lock = m_first->states().at(handles.front());
        const Layout* layout = findLayout(lock->primitive->id.layout);
        QVERIFY(layout);
        ActionDraft draft;
        draft.action = findAction(*layout, QByteArrayLiteral("lock.release"));
        QVERIFY(draft.action);
        draft.targets = {lock};
        const QPointer<ActionDialog> dialog = ActionDialog::open(m_first, draft, &window());
        auto* verb = dialog->findChild<QPushButton*>(QStringLiteral("verb"));
        QTRY_VERIFY_WITH_TIMEOUT(verb->isVisible() && verb->isEnabled(), patienceMs);
        const auto* name = dialog->findChild<ElidedLabel*>(QStringLiteral("deployment"));
        QVERIFY2(name->text().startsWith(QStringLiteral("orders-staging")),
                 qPrintable(name->text()));
        // A deployment that is opened meanwhile waits.
        open(m_third, QStringLiteral("third"), {});
        QCOMPARE(m_console->session(), m_first);
        QCOMPARE(buttons().size(), 3);
        m_console->bringToFront(m_second);
        QCOMPARE(window().session(), m_second);
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(name->text().startsWith(QStringLiteral("orders-staging")));
        QTest::mouseClick(verb, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(exists(m_staging), qint64(0), patienceMs);
        QCOMPARE(exists(m_production), qint64(1));
        QVERIFY(m_second->acting().lastUndoable().isEmpty());
        QTRY_VERIFY(!m_first->acting().lastUndoable().isEmpty());
        delete dialog;
    }

    // Deployments without room are in the menu. The one in front always has a button.
    void aNarrowWindowHasAllOfThem()
    {
        window().resize(1024, 700);
        for (int database = 1; database <= 8; ++database) {
            ConnectionChoice choice;
            choice.url = m_third.url();
            choice.url.database = database;
            choice.name = QStringLiteral("a deployment with a long name %1").arg(database);
            m_console->open(choice);
        }
        QCOMPARE(m_console->sessions().count(), 10);
        QTRY_VERIFY(buttons().size() < 10);
        QVERIFY(buttons().back()->isChecked());
        int right = 0;
        for (const DeploymentButton* button : buttons()) {
            QVERIFY(button->x() >= right);
            QVERIFY(button->width() >= DeploymentButton::narrowest);
            right = button->x() + button->width();
        }
        QVERIFY(right <= switcher().width());
        auto* more =
            ConsoleWindow::button<QToolButton>(switcher(), QStringLiteral("List all deployments"));
        QVERIFY(more);
        emit more->menu()->aboutToShow();
        QCOMPARE(more->menu()->actions().size(), 10);
        test::shoot(window(), QStringLiteral("deployments-narrow"));
        // One that has no button is reached all the same.
        more->menu()->actions()[6]->trigger();
        QCOMPARE(m_console->session(), m_console->sessions().at(6));
        const QList<DeploymentButton*> shown = buttons();
        QVERIFY(std::any_of(shown.begin(), shown.end(),
                            [](const DeploymentButton* button) { return button->isChecked(); }));
        press(Qt::Key_0, Qt::ControlModifier | Qt::ShiftModifier);
        test::shoot(window(), QStringLiteral("deployments-narrow-overview"));
    }

    void closesTheOneInFront()
    {
        press(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(m_console->sessions().count(), 1);
        QCOMPARE(m_console->session(), m_first);
        QVERIFY(!switcher().isVisible());
        QVERIFY(window().windowTitle().startsWith(QStringLiteral("orders-staging")));
        press(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(m_console->sessions().count(), 0);
        QCOMPARE(window().session(), nullptr);
    }

    void whatIsOpenComesToTheFront()
    {
        open(m_staging, QStringLiteral("orders-staging"), QStringLiteral("staging"));
        QCOMPARE(m_console->sessions().count(), 2);
        QCOMPARE(m_console->session(), m_first);
    }

    void theOverviewOpensAFindingInItsDeployment()
    {
        QTRY_VERIFY_WITH_TIMEOUT(m_second->findings().latest()->total() > 0, patienceMs);
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_0, Qt::ControlModifier | Qt::ShiftModifier);
        auto* page = window().findChild<DeploymentsPage*>();
        QVERIFY(page->isVisible());
        auto* table = page->findChild<QTableView*>(QStringLiteral("deploymentsTable"));
        QCOMPARE(table->model()->rowCount(), 2);
        QVERIFY(table->hasFocus());
        QCOMPARE(table->currentIndex().row(), 0);
        QTRY_VERIFY(
            table->model()->index(1, 2).data().toString().contains(QStringLiteral("warning")));
        auto* findings = page->findChild<QTableView*>(QStringLiteral("allFindingsTable"));
        const auto rowOf = [&](const char* name) {
            for (int row = 0; row < findings->model()->rowCount(); ++row) {
                if (findings->model()->index(row, 2).data().toString() == QLatin1String(name))
                    return row;
            }
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowOf("lock:orphan") >= 0, patienceMs);
        QCOMPARE(findings->model()->index(rowOf("lock:orphan"), 1).data().toString(),
                 QStringLiteral("orders-eu"));
        test::shoot(window(), QStringLiteral("deployments-overview"));
        for (const QSize& size : {QSize(1024, 700), QSize(1280, 800)}) {
            window().resize(size);
            QTRY_COMPARE(window().size(), size);
            // Each row is whole, whether or not the table scrolls sideways.
            QTRY_VERIFY2(table->visualRect(table->model()->index(1, 0)).bottom() <
                             table->viewport()->height(),
                         qPrintable(QString::number(size.width())));
            QCOMPARE(table->verticalScrollBar()->maximum(), 0);
        }
        QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
        findings->setCurrentIndex(findings->model()->index(rowOf("lock:orphan"), 0));
        QTest::keyClick(findings, Qt::Key_Return);
        QCOMPARE(m_console->session(), m_second);
        QVERIFY(!page->isVisible());
        QCOMPARE(window().currentBoard(), int(test::FindingsBoard));
        // A row of it goes to that deployment, as its key does.
        press(Qt::Key_0, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(page->isVisible());
        QTest::keyClick(table, Qt::Key_Up);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(m_console->session(), m_first);
        QVERIFY(!page->isVisible());
    }

    void oneSearchFindsWhatAnotherDeploymentHas()
    {
        press(Qt::Key_1, Qt::ControlModifier | Qt::ShiftModifier);
        press(Qt::Key_K, Qt::ControlModifier);
        auto* dialog = window().findChild<SearchDialog*>();
        QVERIFY(dialog);
        auto* field = dialog->findChild<QLineEdit*>(QStringLiteral("searchField"));
        QTest::keyClicks(field, QStringLiteral("lock:production"));
        const auto* model = dialog->findChild<SearchModel*>();
        QTRY_COMPARE_WITH_TIMEOUT(model->rowCount(), 1, patienceMs);
        QCOMPARE(model->index(0, SearchModel::DeploymentColumn).data().toString(),
                 QStringLiteral("orders-eu"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_console->session(), m_second);
        QCOMPARE(window().currentBoard(), int(test::Locks));
        QTRY_VERIFY_WITH_TIMEOUT(page().selected() != noHandle, patienceMs);
    }

private:
    void open(const test::RedisServer& server, const QString& name, const QString& environment)
    {
        ConnectionChoice choice;
        choice.url = server.url();
        choice.name = name;
        choice.environment = environment;
        m_console->open(choice);
    }
    static qint64 exists(test::RedisServer& server)
    {
        return server.run({"EXISTS", "lock:one"}).integer;
    }
    MainWindow& window() { return m_console->window(); }
    DeploymentSwitcher& switcher() { return *window().findChild<DeploymentSwitcher*>(); }
    WriteModeFrame& frame() { return *window().findChild<WriteModeFrame*>(); }
    WriteModeButton& writeButton() { return *window().findChild<WriteModeButton*>(); }
    BoardPage& page() { return *qobject_cast<BoardPage*>(window().boards()[test::Locks]); }
    // From the left.
    QList<DeploymentButton*> buttons()
    {
        QList<DeploymentButton*> all;
        for (DeploymentButton* button : switcher().findChildren<DeploymentButton*>()) {
            if (!button->isHidden())
                all << button;
        }
        std::sort(all.begin(), all.end(),
                  [](const auto* a, const auto* b) { return a->x() < b->x(); });
        return all;
    }
    QStringList names()
    {
        QStringList all;
        const QAbstractItemModel& model = *page().table()->model();
        for (int row = 0; row < model.rowCount(); ++row)
            all << model.index(row, 0).data().toString();
        return all;
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(&window(), key, modifiers);
    }

    test::RedisServer m_staging;
    test::RedisServer m_production;
    test::RedisServer m_third;
    std::unique_ptr<Console> m_console;
    Session* m_first = nullptr;
    Session* m_second = nullptr;
};

LK_WIDGET_TEST(TestDeployments);
#include "tst_deployments.moc"
