// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/console.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/deployments/deploymentstatus.h"
#include "widgets/main/navigation/navigationbutton.h"
#include "widgets/overview/summarylist.h"
#include "widgets/redlock/redlockdetail.h"
#include "widgets/redlock/redlockdialog.h"
#include "widgets/redlock/redlockmodel.h"

#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>

#include <array>

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;
using test::RedisServer;

namespace {

constexpr int size = 5;
constexpr int patienceMs = 30'000;

} // namespace

/// The locks of several servers in the window, by clicks and keys, on five real servers.
class TestRedlockBoard : public QObject
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
        for (RedisServer& server : m_servers)
            QVERIFY2(server.start(), server.output());
    }

    void init()
    {
        for (RedisServer& server : m_servers)
            server.flush();
        hold({0, 1, 2, 3}, "lock:invoice:42", "worker-1");
        hold({0, 1}, "lock:split", "worker-1");
        hold({2, 3}, "lock:split", "worker-2");
        hold({4}, "lock:leftover", "worker-3");
        m_servers[0].run({"SET", "mutex:own", "worker-9", "PX", "600000"});
        declare();
        m_console = std::make_unique<Console>(*qApp);
        window().resize(1280, 800);
        window().show();
        window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window()));
        ConnectionChoice choice;
        choice.url = m_servers[0].url();
        choice.name = u"orders"_s;
        choice.configFile = config();
        m_console->open(choice);
        window().showBoard(test::Locks);
        QTRY_COMPARE_WITH_TIMEOUT(
            names(), (QStringList{u"lock:leftover"_s, u"lock:split"_s, u"lock:invoice:42"_s}),
            patienceMs);
    }
    void cleanup()
    {
        for (RedisServer& server : m_servers)
            server.thaw();
        m_console.reset();
    }

    // One row for each lock, those in trouble first. The pane shows it server by server.
    void aRowForEachLock()
    {
        QVERIFY(table()->isVisible());
        QCOMPARE(cell(2, RedlockModel::StateColumn), u"quorum reached"_s);
        // The columns are fitted after the rows have come.
        QTRY_COMPARE(cell(2, RedlockModel::CountColumn), u"4 of 5"_s);
        QVERIFY(cell(2, RedlockModel::ValidColumn).startsWith(u"9 m"));
        QCOMPARE(cell(1, RedlockModel::StateColumn), u"split between owners"_s);
        QCOMPARE(cell(0, RedlockModel::StateColumn), u"no quorum"_s);
        QVERIFY(ConsoleWindow::texts(page()).contains(u"without a quorum: 2"_s));
        click(u"lock:invoice:42"_s);
        QVERIFY(detail() && detail()->isVisible());
        QCOMPARE(detail()->findChild<FigureRow*>()->figure(0), u"4 of 5"_s);
        QCOMPARE(serverCells(0).size(), size);
        QCOMPARE(serverCells(0).front(), m_servers[0].url().endpoint());
        QCOMPARE(serverCells(1), (QStringList{u"worker-1"_s, u"worker-1"_s, u"worker-1"_s,
                                              u"worker-1"_s, u"free"_s}));
        QVERIFY(serverCells(2).front().startsWith(u"9 m"));
        QVERIFY(serverCells(3).front().endsWith(u" ms"));
        test::shoot(window(), u"redlock-held"_s);
        click(u"lock:split"_s);
        QTRY_VERIFY(ConsoleWindow::texts(*detail()).contains(u"must release what they acquired"_s));
        test::shoot(window(), u"redlock-split"_s);
    }

    // The overview counts what is wrong with them, and a key of one of them is a vote: whether the
    // lock is held, one server does not tell.
    void theOverviewKnowsAndAKeyIsAVote()
    {
        QTableView* board = page().findChild<QTableView*>(u"boardTable"_s);
        const auto word = [&](const QString& name) {
            const int row = rowNamed(*board, name);
            return row < 0 ? QString() : board->model()->index(row, 1).data().toString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(word(u"lock:split"_s), u"one vote"_s, patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(word(u"mutex:own"_s), u"held"_s, patienceMs);
        test::shoot(window(), u"redlock-votes"_s);
        window().showBoard(test::Overview);
        SummaryList* attention = nullptr;
        for (SummaryList* list : window().findChildren<SummaryList*>()) {
            if (list->accessibleName() == u"Needs attention"_s)
                attention = list;
        }
        QVERIFY(attention);
        const auto lines = [&] {
            QStringList all;
            for (int row = 0; row < attention->model()->rowCount(); ++row)
                all << attention->model()->index(row, 0).data().toString();
            return all.join(u'\n');
        };
        QTRY_VERIFY_WITH_TIMEOUT(lines().contains(u"lock:split: "_s) &&
                                     lines().contains(u"lock:leftover: "_s),
                                 patienceMs);
        QVERIFY(!ConsoleWindow::texts(window()).contains(u"Needs attention (0)"_s));
        test::shoot(window(), u"redlock-overview"_s);
    }

    // Only one of the two tables has the selection, and its pane.
    void aRowOfTheBoardTakesThePaneBack()
    {
        QTableView* board = page().findChild<QTableView*>(u"boardTable"_s);
        QTRY_VERIFY_WITH_TIMEOUT(rowNamed(*board, u"mutex:own"_s) >= 0, patienceMs);
        auto* pane = page().findChild<QWidget*>(u"detailPane"_s);
        for (int i = 0; i < 2; ++i) {
            click(u"lock:split"_s);
            QVERIFY(detail()->isVisible() && !pane->isVisible());
            QVERIFY(!board->selectionModel()->hasSelection());
            const QModelIndex row = board->model()->index(rowNamed(*board, u"mutex:own"_s), 0);
            QTest::mouseClick(board->viewport(), Qt::LeftButton, {},
                              board->visualRect(row).center());
            QVERIFY(pane->isVisible() && !detail()->isVisible());
            QVERIFY(!table()->selectionModel()->hasSelection());
        }
    }

    void theFilterIsForBoth()
    {
        auto* filter = page().findChild<QLineEdit*>(u"filterField"_s);
        filter->setFocus();
        QTest::keyClicks(filter, u"worker-2"_s);
        QTRY_COMPARE(names(), QStringList{u"lock:split"_s}); // an owner's name is enough
        QTest::keyClicks(filter, u"nobody"_s);
        QTRY_VERIFY(ConsoleWindow::texts(page()).contains(u"nothing matches the filter"_s));
        filter->clear();
        QTRY_COMPARE(names().size(), 3);
    }

    void aServerThatDoesNotAnswer()
    {
        click(u"lock:invoice:42"_s);
        m_servers[3].freeze();
        QTRY_VERIFY_WITH_TIMEOUT(serverCells(1).value(3).startsWith(u"unreachable: "_s),
                                 patienceMs);
        QVERIFY(cell(rowNamed(*table(), u"lock:invoice:42"_s), RedlockModel::CountColumn)
                    .startsWith(u"3 of 5"_s));
        test::shoot(window(), u"redlock-unreachable"_s);
        m_servers[3].thaw();
        QTRY_COMPARE_WITH_TIMEOUT(serverCells(1).value(3), u"worker-1"_s, patienceMs);
        // A selected lock that is released is shown as free.
        for (const int i : {0, 1, 2, 3})
            m_servers[size_t(i)].run({"DEL", "lock:invoice:42"});
        QTRY_VERIFY_WITH_TIMEOUT(rowNamed(*table(), u"lock:invoice:42"_s) < 0, patienceMs);
        QTRY_COMPARE_WITH_TIMEOUT(serverCells(1).value(3), u"free"_s, patienceMs);
        QVERIFY(!button()->isEnabled());
    }

    // From the row to the receipts, and back.
    void releasesOnAllServersAndUndoes()
    {
        click(u"lock:invoice:42"_s);
        QTest::mouseClick(button(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(dialog() && planTitle().startsWith(u"Release lock:invoice:42"_s) &&
                                     planTitle().contains(u"on 4 of 5"_s),
                                 patienceMs);
        QVERIFY(!verb()); // write mode is off
        QVERIFY(said().contains(u"read-only"_s));
        test::shoot(*dialog(), u"redlock-plan"_s);
        enableWriteMode();
        QTRY_VERIFY(verb() && verb()->isEnabled());
        QCOMPARE(verb()->text(), u"Release (4)"_s);
        QTest::keyClicks(dialog()->findChild<QLineEdit*>(u"reason"_s), u"worker 1 is dead"_s);
        QTest::mouseClick(verb(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(receiptTitle(), u"Succeeded"_s, patienceMs);
        test::shoot(*dialog(), u"redlock-receipts"_s);
        QCOMPARE(where("lock:invoice:42", "worker-1"), u"00000"_s);
        QCOMPARE(where("lock:split", "worker-1"), u"11000"_s);
        auto* undo = ConsoleWindow::button<QPushButton>(*dialog(), u"Undo all 4…"_s);
        QVERIFY(undo);
        QTest::mouseClick(undo, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(planTitle().startsWith(u"Undo the release"_s) && verb() &&
                                     verb()->isEnabled(),
                                 patienceMs);
        QTest::mouseClick(verb(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(receiptTitle(), u"Succeeded"_s, patienceMs);
        QCOMPARE(where("lock:invoice:42", "worker-1"), u"11110"_s);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
        QTRY_COMPARE_WITH_TIMEOUT(serverCells(1).value(0), u"worker-1"_s, patienceMs);
    }

    // By keys; one of two owners, and one of his servers has another by then.
    void oneServerIsAConflict()
    {
        click(u"lock:split"_s);
        QTRY_VERIFY(button()->menu());
        QCOMPARE(button()->menu()->actions().size(), 2);
        test::shoot(*detail(), u"redlock-owners"_s);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(dialog() && planTitle().contains(u"on 2 of 5"_s), patienceMs);
        enableWriteMode();
        m_servers[1].run({"SET", "lock:split", "worker-7", "PX", "600000"});
        QTRY_VERIFY(verb() && verb()->isEnabled());
        QTest::mouseClick(verb(), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(receiptTitle(), u"Partly succeeded"_s, patienceMs);
        QCOMPARE(where("lock:split", "worker-1"), u"00000"_s);
        QCOMPARE(where("lock:split", "worker-7"), u"01000"_s);
        QCOMPARE(where("lock:split", "worker-2"), u"00110"_s);
        test::shoot(*dialog(), u"redlock-conflict"_s);
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QTRY_VERIFY(!dialog());
    }

    // While the board is hidden it is read now and then, for the findings; during a pause not at
    // all.
    void readsLessWhileItIsNotSeen()
    {
        QVERIFY(clients(3) > 0);
        window().showBoard(test::Queues);
        m_servers[2].run({"DEL", "lock:split"});
        m_servers[3].run({"DEL", "lock:split"});
        QTRY_COMPARE_WITH_TIMEOUT(codes().count("redlock-no-quorum"), 2, patienceMs);
        QVERIFY(!codes().contains("redlock-split"));
        m_console->session()->polling().setPaused(true);
        QTRY_COMPARE_WITH_TIMEOUT(clients(3), 0, patienceMs);
        m_console->session()->polling().setPaused(false);
        QTRY_VERIFY_WITH_TIMEOUT(clients(3) > 0, patienceMs);
        window().showBoard(test::Locks);
        QTRY_COMPARE_WITH_TIMEOUT(
            cell(rowNamed(*table(), u"lock:split"_s), RedlockModel::StateColumn), u"no quorum"_s,
            patienceMs);
    }

    // Where findings are: on their board, in the navigation, in the overview of deployments.
    void whatIsWrongIsAmongTheFindings()
    {
        QTRY_COMPARE_WITH_TIMEOUT(codes(), (QByteArrayList{"redlock-no-quorum", "redlock-split"}),
                                  patienceMs);
        QTRY_VERIFY(badge(u"Locks"_s).endsWith(u", warnings"_s));
        QTRY_COMPARE(badge(u"Findings"_s), u"findings: 2, highest severity: warning"_s);
        QVERIFY(worstFindingWord(*m_console->session()).text.startsWith(u"2 warning"_s));
        window().showBoard(test::FindingsBoard);
        Board& board = *window().boards()[test::FindingsBoard];
        auto* findings = board.findChild<QTableView*>(u"findingsTable"_s);
        QVERIFY(findings);
        QTRY_COMPARE(findings->model()->rowCount(), 2);
        const QModelIndex split = findings->model()->index(1, 0);
        QTest::mouseClick(findings->viewport(), Qt::LeftButton, {},
                          findings->visualRect(split).center());
        QTRY_VERIFY(ConsoleWindow::texts(board).contains(u"none of them holds it"_s));
        test::shoot(window(), u"redlock-finding"_s);
        auto* go = ConsoleWindow::button<QPushButton>(board, u"Show rows"_s);
        QVERIFY(go && go->isEnabled());
        QTest::mouseClick(go, Qt::LeftButton);
        QTRY_COMPARE(names(), QStringList{u"lock:split"_s});
        QVERIFY(table()->isVisible());
        page().findChild<QLineEdit*>(u"filterField"_s)->clear();
        // Released locks are no findings any more.
        for (RedisServer& server : m_servers)
            server.run({"DEL", "lock:split", "lock:leftover"});
        QTRY_COMPARE_WITH_TIMEOUT(codes(), QByteArrayList(), patienceMs);
        QTRY_COMPARE(badge(u"Findings"_s), u"no findings"_s);
        QTRY_VERIFY(!badge(u"Locks"_s).contains(u"warnings"_s));
    }

    void whatIsNoLongerDeclaredGoes()
    {
        click(u"lock:split"_s);
        QFile file(config());
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.close();
        m_console->session()->noteConfigEdited();
        QTRY_VERIFY_WITH_TIMEOUT(!table()->isVisible(), patienceMs);
        QVERIFY(!detail()->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(clients(3), 0, patienceMs);
        declare();
        m_console->session()->noteConfigEdited();
        QTRY_COMPARE_WITH_TIMEOUT(names().size(), 3, patienceMs);
    }

    void theSmallestWindowHasRoomForIt()
    {
        window().resize(960, 600);
        click(u"lock:split"_s);
        QTRY_VERIFY(detail()->isVisible());
        QTRY_COMPARE(test::clippedTexts(*detail()), QStringList());
        for (const int column : {VoteModel::ServerColumn, VoteModel::StateColumn})
            QTRY_COMPARE(shortened(*detail()->findChild<QTableView*>(u"redlockServers"_s), column),
                         QStringList());
        QVERIFY(!detail()
                     ->findChild<QTableView*>(u"redlockServers"_s)
                     ->horizontalScrollBar()
                     ->isVisible());
        test::shoot(window(), u"redlock-small"_s);
        QCOMPARE(shortened(*table(), RedlockModel::NameColumn), QStringList());
        window().resize(1280, 800); // what a name and a state take others leave them
        QTRY_COMPARE(shortened(*table(), RedlockModel::NameColumn), QStringList());
        QCOMPARE(shortened(*table(), RedlockModel::StateColumn), QStringList());
        test::shoot(window(), u"redlock-usual"_s);
        window().resize(1800, 900); // and a large one for what else there is to say
        QTRY_COMPARE(cell(rowNamed(*table(), u"lock:invoice:42"_s), RedlockModel::CountColumn),
                     u"4 of 5; 1 free"_s);
        test::shoot(window(), u"redlock-large"_s);
        window().resize(960, 600);
        QTRY_VERIFY(!table()->horizontalScrollBar()->isVisible());
    }

private:
    MainWindow& window() { return m_console->window(); }
    QWidget& page() { return *window().boards()[test::Locks]; }
    QTableView* table() { return page().findChild<QTableView*>(u"redlockTable"_s); }
    RedlockDetail* detail() { return page().findChild<RedlockDetail*>(); }
    QPushButton* button() { return detail()->findChild<QPushButton*>(u"redlockRelease"_s); }
    RedlockDialog* dialog()
    {
        auto* found = window().findChild<RedlockDialog*>();
        return found && found->isVisible() ? found : nullptr;
    }
    QString said() { return dialog() ? ConsoleWindow::texts(*dialog()) : QString(); }
    QString titled(const QString& name)
    {
        auto* title = dialog() ? dialog()->findChild<QLabel*>(name) : nullptr;
        return title && title->isVisible() ? title->text() : QString();
    }
    QString planTitle() { return titled(u"planTitle"_s); }
    QString receiptTitle() { return titled(u"receiptTitle"_s); }
    QPushButton* verb()
    {
        auto* found = dialog() ? dialog()->findChild<QPushButton*>(u"verb"_s) : nullptr;
        return found && found->isVisible() ? found : nullptr;
    }
    void enableWriteMode()
    {
        m_console->session()->acting().enableWriteMode(300'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_console->session()->acting().isWriteModeOn(), patienceMs);
    }

    /// The texts of that column that do not fit into their cells.
    static QStringList shortened(const QTableView& view, int column)
    {
        QStringList texts;
        for (int row = 0; row < view.model()->rowCount(); ++row) {
            const QModelIndex index = view.model()->index(row, column);
            const QVariant font = index.data(Qt::FontRole);
            const QFontMetrics metrics(font.isValid() ? font.value<QFont>() : view.font());
            const bool hasIcon = index.data(Qt::DecorationRole).isValid();
            const QString text = index.data().toString();
            if (metrics.horizontalAdvance(text) + (hasIcon ? 20 : 0) + 8 > view.columnWidth(column))
                texts << text;
        }
        return texts;
    }
    static QStringList columnOf(const QTableView& view, int column)
    {
        QStringList texts;
        for (int row = 0; row < view.model()->rowCount(); ++row)
            texts << view.model()->index(row, column).data().toString();
        return texts;
    }
    static int rowNamed(const QTableView& view, const QString& name)
    {
        return int(columnOf(view, 0).indexOf(name));
    }
    QStringList names() { return columnOf(*table(), RedlockModel::NameColumn); }
    QString cell(int row, int column)
    {
        return table()->model()->index(row, column).data().toString();
    }
    QStringList serverCells(int column)
    {
        return columnOf(*detail()->findChild<QTableView*>(u"redlockServers"_s), column);
    }
    void click(const QString& name)
    {
        const QModelIndex index = table()->model()->index(rowNamed(*table(), name), 0);
        QVERIFY2(index.isValid(), qPrintable(name));
        table()->scrollTo(index);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(index).center());
    }

    /// The codes of the session's findings, in their order.
    QByteArrayList codes()
    {
        QByteArrayList all;
        if (const LiveFindingsPtr found = m_console->session()->findings().latest()) {
            for (const LiveFindingPtr& live : found->rows)
                all << live->finding.code;
        }
        return all;
    }
    QString badge(const QString& title)
    {
        return ConsoleWindow::button<NavigationButton>(window(), title)->accessibleDescription();
    }

    QString config() const { return m_folder.filePath(u"lockkeeper.toml"_s); }
    void declare()
    {
        QStringList urls;
        for (const RedisServer& server : m_servers)
            urls << u"\"%1\""_s.arg(server.urlText());
        QFile file(config());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(u"[[redlock]]\nservers = [%1]\nmatch = \"lock:*\"\n"_s.arg(urls.join(u", "_s))
                       .toUtf8());
    }
    void hold(std::initializer_list<int> on, const QByteArray& name, const QByteArray& owner)
    {
        for (const int i : on)
            m_servers[size_t(i)].run({"SET", name, owner, "PX", "600000"});
    }
    QString where(const QByteArray& name, const QByteArray& owner)
    {
        QString servers;
        for (RedisServer& server : m_servers)
            servers += server.run({"GET", name}).text == owner ? u'1' : u'0';
        return servers;
    }
    // Connections of the console to that server.
    int clients(int server)
    {
        return int(m_servers[size_t(server)].run({"CLIENT", "LIST"}).text.count("name=lockkeeper"));
    }

    std::array<RedisServer, size> m_servers;
    QTemporaryDir m_folder;
    std::unique_ptr<Console> m_console;
};

LK_WIDGET_TEST(TestRedlockBoard);
#include "tst_redlockboard.moc"
