// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/board/board.h"
#include "widgets/controls/panels/panesplitter.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/main/deploymentviews.h"

#include <QComboBox>
#include <QFile>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;

namespace {

// As a hand does it: press, move, let go. Positions are the widget's own.
void drag(QWidget* widget, const QPoint& from, const QPoint& to)
{
    const auto send = [widget](QEvent::Type type, const QPoint& at, Qt::MouseButton button,
                               Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, widget->mapToGlobal(at), button, buttons, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    };
    send(QEvent::MouseMove, from, Qt::NoButton, Qt::NoButton);
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
}

} // namespace

// The user's arrangement is restored with the same deployment, and only there.
class TestViewState : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    void isFoundAsItWasLeft()
    {
        int width = 0;
        QList<int> sizes;
        {
            ConsoleWindow console(setup());
            QVERIFY(console.waitForScan(test::sampleCount));
            console.window.resize(960, 640);
            console.window.showBoard(test::Locks);
            QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
            console.clickHeader(test::Locks, ownerColumn);
            console.clickHeader(test::Locks, ownerColumn);
            dragEdge(console, stateColumn, 37);
            auto* splitter = console.page(test::Locks).findChild<PaneSplitter*>();
            drag(splitter->handle(1), {0, 40}, {-30, 40});
            sizes = splitter->sizes();
            width = console.table(test::Locks).columnWidth(stateColumn);
            console.clickRow(test::Locks, QStringLiteral("lock:two"));
            console.press(Qt::Key_D, Qt::ControlModifier);
            auto* rate = console.window.findChild<QComboBox*>();
            rate->setFocus();
            QTest::keyClick(rate, Qt::Key_Down);
            console.action(QStringLiteral("Dark theme"))->trigger();
            save(console);
        }
        ConsoleWindow console(setup());
        QSignalSpy themes(&console.window, &MainWindow::themeRestored);
        restore(console);
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QCOMPARE(console.window.height(), 640);
        QCOMPARE(console.session().polling().intervalMs(), 500);
        QCOMPARE(themes.size(), 1);
        QVERIFY(console.action(QStringLiteral("Dark theme"))->isChecked());
        QVERIFY(console.waitForScan(test::sampleCount));
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
        const QHeaderView* header = console.table(test::Locks).horizontalHeader();
        QCOMPARE(header->sortIndicatorSection(), int(ownerColumn));
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        QTRY_COMPARE(console.cells(test::Locks, ownerColumn).first(), QStringLiteral("owner-9"));
        QCOMPARE(console.table(test::Locks).columnWidth(stateColumn), width);
        QTRY_COMPARE(console.page(test::Locks).findChild<PaneSplitter*>()->sizes(), sizes);
        QTRY_COMPARE(pinned(console), QStringList{QStringLiteral("lock:two")});
    }

    void anotherDeploymentHasItsOwn()
    {
        {
            ConsoleWindow console(setup());
            QVERIFY(console.waitForScan(test::sampleCount));
            console.window.showBoard(test::Locks);
            QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
            console.clickHeader(test::Locks, ownerColumn);
            dragEdge(console, stateColumn, 37);
            save(console);
        }
        const ServerUrl here = m_server.url();
        ServerUrl other = here;
        other.database = 3;
        QVERIFY(!load(here, QStringLiteral("eu")).isEmpty());
        QVERIFY(load(other, QStringLiteral("eu")).isEmpty());
        QVERIFY(load(here, QStringLiteral("us")).isEmpty());

        // A deployment without a stored state gets the defaults, also in a window that was
        // arranged.
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
        const QVariantMap before = arranged(console);
        restore(console);
        QVERIFY(arranged(console) != before);
        console.window.setViewState({});
        QCOMPARE(arranged(console), before);
    }

    // Also those beside a board's rows, and of the overview of all deployments.
    void otherTablesKeepTheirWidths()
    {
        constexpr int width = 123;
        QVariantMap left;
        const auto tables = [](ConsoleWindow& console) { return arrangementsIn(console.window); };
        {
            ConsoleWindow console(setup());
            QVERIFY(console.waitForScan(test::sampleCount));
            QVERIFY(tables(console).isEmpty());
            for (const TableArrangement* one :
                 console.window.findChildren<TableArrangement*>(QRegularExpression(u".+"_s))) {
                auto* table = qobject_cast<QTableView*>(one->parent());
                QVERIFY(table);
                QVERIFY2(resizeByHand(*table, width), qPrintable(one->objectName()));
            }
            left = tables(console);
            QCOMPARE(left.keys(), (QStringList{u"deployments"_s, u"findings"_s, u"jobs"_s,
                                               u"nodes"_s, u"redlocks"_s, u"slots"_s}));
            save(console);
        }
        ConsoleWindow console(setup());
        restore(console);
        QVERIFY(console.waitForScan(test::sampleCount));
        QCOMPARE(tables(console), left);
        console.window.setViewState({});
        QVERIFY(tables(console).isEmpty());
    }

    // Stores neither the login nor a token's code: anyone with the code can redeem it.
    void noSecretIsKept()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        for (const char* name : {"code:a1fa5c", "lock:one"}) {
            for (const Handle handle : console.session().states().handlesWith({name}))
                console.session().polling().setPinned(handle, true);
        }
        QCOMPARE(console.session().polling().pinned().size(), 2);
        ServerUrl url = m_server.url();
        url.user = QStringLiteral("anna-the-user");
        url.password = QStringLiteral("S3CRET-PASSWORD");
        {
            QSettings settings(path(), QSettings::IniFormat);
            DeploymentViews(settings).save(url, QStringLiteral("eu"), console.window.viewState());
        }
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray kept = file.readAll();
        QVERIFY2(kept.contains("lock:one"), kept.constData());
        for (const char* secret : {"a1fa5c", "anna-the-user", "S3CRET"})
            QVERIFY2(!kept.contains(secret), kept.constData());
        QVERIFY(!load(m_server.url(), QStringLiteral("eu")).isEmpty()); // by whomever
    }

    void pinsWaitForWhatIsNotThereYet()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        const QVariantMap state{
            {QStringLiteral("pins"), QStringList{QStringLiteral("set-nx-px lock:%C3%A9 1")}}};
        console.window.setViewState(state);
        QCOMPARE(console.window.viewState().value(QStringLiteral("pins")).toStringList(),
                 QStringList{QStringLiteral("set-nx-px lock:%C3%A9%201")});
        QCOMPARE(console.session().polling().pinned().size(), 0);
        m_server.run({"SET", "lock:\xc3\xa9 1", "me", "PX", "60000"});
        console.session().polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(console.session().polling().pinned().size(), 1, 15'000);
        QCOMPARE(console.window.viewState().value(QStringLiteral("pins")).toStringList(),
                 QStringList{QStringLiteral("set-nx-px lock:%C3%A9%201")});
    }

    // Columns follow what they hold until a person says otherwise, and again after a double click.
    void aWidthByHandStaysUntilItIsGivenBack()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
        QTableView& table = console.table(test::Locks);
        const int before = table.columnWidth(stateColumn);
        dragEdge(console, stateColumn, 37);
        QCOMPARE(table.columnWidth(stateColumn), before + 37);
        m_server.line("SET lock:three owner-3 PX 600000");
        console.session().polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(table.model()->rowCount(), 5, 15'000);
        QCOMPARE(table.columnWidth(stateColumn), before + 37);
        QTest::mouseDClick(table.horizontalHeader()->viewport(), Qt::LeftButton, {},
                           edge(table, stateColumn));
        QCOMPARE(table.columnWidth(stateColumn), before);
    }

    void theLongestUnusedAreForgotten()
    {
        QSettings settings(path(), QSettings::IniFormat);
        DeploymentViews kept(settings);
        ServerUrl url;
        for (int port = 1; port <= DeploymentViews::limit + 3; ++port) {
            url.port = quint16(port);
            kept.save(url, {}, {{QStringLiteral("polling-ms"), port}});
        }
        settings.beginGroup(QStringLiteral("deployments"));
        QCOMPARE(settings.childGroups().size(), int(DeploymentViews::limit));
        settings.endGroup();
        QCOMPARE(kept.load(url, {}).value(QStringLiteral("polling-ms")).toInt(),
                 DeploymentViews::limit + 3);
    }

    void eachBoardSaysWhatItIs()
    {
        MainWindow window;
        QStringList ids;
        for (const Board* board : window.boards()) {
            QVERIFY(!board->title().isEmpty());
            QVERIFY(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(board->iconName())));
            ids << board->id();
        }
        QVERIFY(!ids.contains(QString()));
        QCOMPARE(ids.removeDuplicates(), 0);
        QCOMPARE(ids.size(), window.boardCount());
    }

    void theMenuOffersWhatTheBoardDoes()
    {
        ConsoleWindow console(setup());
        const auto offered = [&](int board, const char* text) {
            console.window.showBoard(board);
            return console.action(QString::fromUtf8(text))->isEnabled();
        };
        QVERIFY(!offered(test::Overview, "Filter"));
        QVERIFY(!offered(test::Overview, "Save the table as CSV…"));
        QVERIFY(offered(test::Locks, "Filter"));
        QVERIFY(offered(test::Locks, "Pin or unpin"));
        QVERIFY(!offered(test::Locks, "Reveal or hide the code"));
        QVERIFY(offered(test::Tokens, "Reveal or hide the code"));
        QVERIFY(offered(test::FindingsBoard, "Actions for the selection…"));
        QVERIFY(!offered(test::FindingsBoard, "Pin or unpin"));
        QVERIFY(offered(test::JournalBoard, "Save the table as CSV…"));
        QVERIFY(!offered(test::ServerBoard, "Copy selected rows"));
    }

private:
    static constexpr int stateColumn = 1;
    static constexpr int ownerColumn = 2;

    Session::Setup setup() const
    {
        Session::Setup setup = test::setupFor(m_server.url(), test::sampleConfig);
        setup.name = QStringLiteral("eu");
        return setup;
    }
    QString path() const { return m_folder.filePath(QStringLiteral("views.ini")); }
    // A program that starts anew reads the file.
    QVariantMap load(const ServerUrl& url, const QString& label) const
    {
        QSettings settings(path(), QSettings::IniFormat);
        return DeploymentViews(settings).load(url, label);
    }
    void save(ConsoleWindow& console) const
    {
        QSettings settings(path(), QSettings::IniFormat);
        DeploymentViews(settings).save(console.session().url(), console.session().name(),
                                       console.window.viewState());
    }
    void restore(ConsoleWindow& console) const
    {
        console.window.setViewState(load(console.session().url(), console.session().name()));
    }
    static QVariantMap arranged(ConsoleWindow& console)
    {
        return console.window.viewState().value(QStringLiteral("boards")).toMap();
    }
    static QStringList pinned(ConsoleWindow& console)
    {
        QStringList names;
        for (const Handle handle : console.session().polling().pinned())
            names << QString::fromUtf8(console.session().states().at(handle)->primitive->id.name);
        return names;
    }
    // As a drag of a column's edge does it, also of a table that is not on screen.
    static bool resizeByHand(QTableView& table, int width)
    {
        QHeaderView* header = table.horizontalHeader();
        int column = 0;
        while (column < header->count() &&
               (header->isSectionHidden(column) ||
                header->sectionResizeMode(column) != QHeaderView::Interactive))
            ++column;
        const QPoint nowhere(-1, -1);
        QMouseEvent press(QEvent::MouseButtonPress, nowhere, nowhere, Qt::LeftButton,
                          Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(header->viewport(), &press);
        header->resizeSection(column, width);
        QMouseEvent release(QEvent::MouseButtonRelease, nowhere, nowhere, Qt::LeftButton,
                            Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(header->viewport(), &release);
        return table.columnWidth(column) == width;
    }
    static QPoint edge(QTableView& table, int column)
    {
        const QHeaderView* header = table.horizontalHeader();
        return {header->sectionViewportPosition(column) + header->sectionSize(column) - 1,
                header->height() / 2};
    }
    static void dragEdge(ConsoleWindow& console, int column, int by)
    {
        QTableView& table = console.table(test::Locks);
        const QPoint from = edge(table, column);
        drag(table.horizontalHeader()->viewport(), from, from + QPoint(by, 0));
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestViewState);
#include "tst_viewstate.moc"
