// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/consolewindow.h"
#include "widgets/overview/digestlist.h"
#include "widgets/server/serverpage.h"

using namespace lk;
using test::ConsoleWindow;

// The two boards without a table.
class TestOverview : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    void saysWhatNeedsAttention()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        const auto title = [&] { return ConsoleWindow::texts(console.window); };
        QTRY_VERIFY(title().contains(QStringLiteral("Needs attention (")));
        QTRY_VERIFY(
            !lines(console, "Needs attention").filter(QStringLiteral("lock:orphan")).isEmpty());
        QTRY_VERIFY(!lines(console, "Fullest limiters").isEmpty());
        QVERIFY(lines(console, "Fullest limiters").front().startsWith(QStringLiteral("quota:a")));
        QCOMPARE(lines(console, "Deepest queues").size(), 1);
        // A lease ends the worry.
        m_server.lines({"PEXPIRE lock:orphan 600000", "SET quota:a 1 PX 290000"});
        console.press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(
            lines(console, "Needs attention").filter(QStringLiteral("lock:orphan")).isEmpty(),
            20'000);
    }

    void nothingNeedsAttention()
    {
        m_server.lines({"FLUSHALL", "SET lock:one me PX 60000"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan());
        QTRY_VERIFY(ConsoleWindow::texts(console.window)
                        .contains(QStringLiteral("Nothing needs attention right now.")));
    }

    void theTilesCountAndLead()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        QTRY_VERIFY(ConsoleWindow::texts(console.window).contains(QStringLiteral("1 full")));
        const std::pair<const char*, int> tiles[] = {{"Open the board Limiters", test::Limiters},
                                                     {"Open the board Locks", test::Locks},
                                                     {"Open the board Queues", test::Queues},
                                                     {"Open the board Tokens", test::Tokens},
                                                     {"Open the board Patterns", test::Patterns}};
        for (const auto& [name, board] : tiles) {
            console.window.showBoard(test::Overview);
            auto* tile = ConsoleWindow::button<QToolButton>(console.window, QLatin1String(name));
            QVERIFY2(tile, name);
            QTest::mouseClick(tile, Qt::LeftButton);
            QCOMPARE(console.window.currentBoard(), board);
        }
    }

    // The whole card is a way to what is wrong there, whatever the board showed before.
    void aCardOpensWhatIsWorst()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        console.clickHeader(test::Locks, 0);
        console.filter(test::Locks).setText(QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks).size(), 1);
        console.window.showBoard(test::Overview);
        auto* tile = ConsoleWindow::button<QToolButton>(console.window,
                                                        QStringLiteral("Open the board Locks"));
        QTRY_VERIFY(tile->toolTip().contains(QStringLiteral("with what is")));
        QWidget* card = tile->parentWidget()->parentWidget();
        QTest::mouseClick(card, Qt::LeftButton, {}, {card->width() / 2, card->height() - 4});
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QTRY_COMPARE(console.cells(test::Locks), QStringList{QStringLiteral("lock:orphan")});
        console.press(Qt::Key_Escape);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QCOMPARE(console.cells(test::Locks).front(), QStringLiteral("lock:orphan")); // the worst
    }

    void aDoubleClickGoesThere()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        DigestList* attention = list(console, "Needs attention");
        QTRY_VERIFY(
            !lines(console, "Needs attention").filter(QStringLiteral("lock:orphan")).isEmpty());
        int row = 0;
        while (!attention->model()->index(row, 0).data().toString().startsWith(
            QStringLiteral("lock:orphan")))
            ++row;
        const QPoint place = attention->visualRect(attention->model()->index(row, 0)).center();
        QTest::mouseClick(attention->viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(attention->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(console.window.currentBoard(), int(test::Locks));
        QTRY_VERIFY(console.detail(test::Locks).contains(QStringLiteral("lock:orphan")));
        QTRY_COMPARE(console.table(test::Locks).selectionModel()->selectedRows().size(), 1);
        QCOMPARE(console.table(test::Locks).currentIndex().data().toString(),
                 QStringLiteral("lock:orphan"));
    }

    void leadersByKeyboard()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        DigestList* fullest = list(console, "Fullest limiters");
        QTRY_VERIFY(!lines(console, "Fullest limiters").isEmpty());
        fullest->setFocus();
        QTest::keyClick(fullest, Qt::Key_Down);
        QTest::keyClick(fullest, Qt::Key_Home);
        QTest::keyClick(fullest, Qt::Key_Return);
        QCOMPARE(console.window.currentBoard(), int(test::Limiters));
        QTRY_VERIFY(console.detail(test::Limiters).contains(QStringLiteral("quota:a")));
    }

    void theFilterDoesNotHideWhatWasChosen()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks).size(), 1);
        console.window.showBoard(test::Overview);
        DigestList* attention = list(console, "Needs attention");
        QTRY_VERIFY(!lines(console, "Needs attention").isEmpty());
        attention->setFocus();
        attention->setCurrentIndex(attention->model()->index(0, 0));
        const QString name =
            attention->currentIndex().data().toString().section(QStringLiteral(": "), 0, 0);
        QTest::keyClick(attention, Qt::Key_Return);
        QVERIFY(console.detail(console.window.currentBoard()).contains(name));
    }

    void theServerInWords()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::ServerBoard);
        const auto text = [&] {
            return ConsoleWindow::texts(*console.window.findChild<ServerPage*>());
        };
        QTRY_VERIFY2(text().contains(QStringLiteral("neither snapshots nor an append-only file")),
                     qPrintable(text()));
        for (const char* said : {"A master without replicas", "Is what I see durable?", "7.0",
                                 "Own cost", "every 250 ms", "Primitives known"})
            QVERIFY2(text().contains(QLatin1String(said)), said);
        m_server.line("CONFIG SET appendonly yes");
        QTRY_VERIFY_WITH_TIMEOUT(text().contains(QStringLiteral("Yes: an append-only file")),
                                 20'000);
        m_server.lines({"CONFIG SET appendonly no", "CONFIG SET save \"60 1\""});
        QTRY_VERIFY_WITH_TIMEOUT(text().contains(QStringLiteral("Partly: only snapshots")), 20'000);
        m_server.line("CONFIG SET save \"\"");
    }

    void theServerWithoutInfo()
    {
        m_server.line("ACL SETUSER quiet on >pw ~* +@read +@connection +scan +time +client");
        Session::Setup quiet = setup();
        quiet.url.user = QStringLiteral("quiet");
        quiet.url.password = QStringLiteral("pw");
        ConsoleWindow console(quiet);
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::ServerBoard);
        QTRY_VERIFY(ConsoleWindow::texts(*console.window.findChild<ServerPage*>())
                        .contains(QStringLiteral("this user may not use INFO")));
        m_server.line("ACL DELUSER quiet");
    }

    // What only CONFIG GET tells is not known, and not "on" or "off".
    void theServerWithoutConfig()
    {
        m_server.line("CONFIG SET save \"\"");
        m_server.line("ACL SETUSER quiet on >pw ~* +@read +@connection +scan +time +client +info");
        Session::Setup quiet = setup();
        quiet.url.user = QStringLiteral("quiet");
        quiet.url.password = QStringLiteral("pw");
        ConsoleWindow console(quiet);
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::ServerBoard);
        const auto text = [&] {
            return ConsoleWindow::texts(*console.window.findChild<ServerPage*>());
        };
        QTRY_VERIFY2(text().contains(QStringLiteral("Not known: no append-only file is written")),
                     qPrintable(text()));
        QVERIFY(!text().contains(QStringLiteral("only snapshots are written")));
        QVERIFY(!text().contains(QStringLiteral("neither snapshots")));
        QVERIFY2(text().contains(QStringLiteral("makes keys recently used"))
                     || text().contains(QStringLiteral("leaves keys as they are")),
                 qPrintable(text()));
        m_server.line("ACL DELUSER quiet");
    }

private:
    static DigestList* list(ConsoleWindow& console, const char* name)
    {
        for (DigestList* list : console.window.findChildren<DigestList*>()) {
            if (list->accessibleName() == QLatin1String(name))
                return list;
        }
        return nullptr;
    }
    static QStringList lines(ConsoleWindow& console, const char* name)
    {
        QStringList texts;
        const QAbstractItemModel& model = *list(console, name)->model();
        for (int row = 0; row < model.rowCount(); ++row)
            texts << model.index(row, 0).data().toString();
        return texts;
    }
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::sampleConfig); }

    test::RedisServer m_server;
};

QTEST_MAIN(TestOverview)
#include "tst_overview.moc"
