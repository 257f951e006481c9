// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/board/filterbar.h"

#include <QClipboard>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

using namespace lk;
using test::ConsoleWindow;

// A board's table by mouse and keyboard over a server that others write to.
class TestBoards : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        // The same dialog on every desktop, and one that a test can fill in.
        QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    // Whatever room there is: beside the field, below it, on two lines or in a menu.
    void chipsAreSeenWhole()
    {
        FilterBar bar(QStringLiteral("Filter queues"));
        bar.addTrailing(new QPushButton(QStringLiteral("Export")));
        std::vector<FilterChip> chips;
        for (const char* state : {"dead letters", "waiting", "working", "stuck"})
            chips.push_back({QLatin1String(state), QLatin1String(state), 2});
        bar.setChips(8, chips);
        bar.show();
        int seen = 0;
        for (int width = 240; width < 900; width += 10) {
            bar.resize(width, 100);
            QCoreApplication::sendPostedEvents();
            for (const auto* chip : bar.findChildren<QToolButton*>()) {
                if (!chip->isVisible() || chip->text().isEmpty())
                    continue; // the field's own buttons have no text
                ++seen;
                QVERIFY2(chip->width() >= chip->sizeHint().width(),
                         qPrintable(QStringLiteral("%1 at %2").arg(chip->text()).arg(width)));
                const QRect inRow = chip->parentWidget()->rect();
                QVERIFY2(inRow.contains(chip->geometry()), qPrintable(chip->text()));
                const QRect inBar(chip->mapTo(&bar, QPoint()), chip->size());
                QVERIFY(bar.rect().contains(inBar));
                auto* field = bar.findChild<QLineEdit*>();
                QVERIFY2(!field->geometry().intersects(inBar), qPrintable(chip->text()));
            }
        }
        QVERIFY(seen > 100);
    }

    void rowsAreWhatRedisHolds()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        QStringList tokens{test::tokenRow("code:a1fa5c"), test::tokenRow("code:be7a5d")};
        tokens.sort();
        const std::pair<int, QStringList> boards[] = {
            {test::Limiters, names({"quota:a", "quota:b", "quota:c"})},
            {test::Locks, names({"lock:one", "lock:orphan", "lock:two", "lock:zed"})},
            {test::Queues, names({"jobs"})},
            {test::Tokens, tokens},
            {test::Patterns, names({"orders:counter"})}};
        for (const auto& [board, expected] : boards) {
            console.window.showBoard(board);
            QTRY_COMPARE_WITH_TIMEOUT(console.sortedNames(board), expected, 10'000);
        }
        m_server.lines({"DEL lock:two", "SET lock:alpha me PX 60000"});
        console.window.showBoard(test::Locks);
        console.press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(console.cells(test::Locks).contains(QStringLiteral("lock:alpha")),
                                 15'000);
    }

    // Their library calls both "email": on the board, in the details and on the overview they have
    // their prefixes.
    void queuesOfOneNameAreToldApart()
    {
        m_server.flush();
        for (const QByteArray& key : {QByteArray("eu:email"), QByteArray("us:email")})
            m_server.lines({"HSET " + key + ":meta version bullmq:5.81.5 opts.maxLenEvents 10000",
                            "XADD " + key + ":events * event added jobId 1",
                            "HSET " + key + ":1 name send data {} opts {} timestamp 1 priority 0",
                            "LPUSH " + key + ":wait 1"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(2));
        console.window.showBoard(test::Queues);
        const auto hasBoth = [](const QStringList& all) {
            const QString text = all.join(QLatin1Char(' '));
            return text.contains(QStringLiteral("eu:email")) &&
                   text.contains(QStringLiteral("us:email"));
        };
        QTRY_VERIFY(hasBoth(console.cells(test::Queues)));
        const auto row = int(console.cells(test::Queues).indexOf(QStringLiteral("us:email")));
        console.table(test::Queues).selectRow(row);
        QTRY_VERIFY2(console.detail(test::Queues).contains(QStringLiteral("us:email")),
                     qPrintable(console.detail(test::Queues)));
        console.window.showBoard(test::Overview);
        const auto lines = [&] {
            QStringList all;
            for (auto* list : console.window.findChildren<QListView*>()) {
                for (int i = 0; i < list->model()->rowCount(); ++i)
                    all << list->model()->index(i, 0).data().toString();
            }
            return all;
        };
        QTRY_VERIFY2(hasBoth(lines()), qPrintable(lines().join(QLatin1Char('\n'))));
    }

    void theWorstIsFirst()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
        QCOMPARE(console.cells(test::Locks).value(0), QStringLiteral("lock:orphan"));
        console.window.showBoard(test::Limiters);
        QTRY_COMPARE(console.table(test::Limiters).model()->rowCount(), 3);
        QCOMPARE(console.cells(test::Limiters).value(0), QStringLiteral("quota:a"));
    }

    void filtersByTyping()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.press(Qt::Key_3, Qt::ControlModifier);
        QTRY_COMPARE(console.table(test::Locks).model()->rowCount(), 4);
        console.press(Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), &console.filter(test::Locks));
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("TWO"));
        QTRY_COMPARE(console.cells(test::Locks), names({"lock:two"}));
        console.press(Qt::Key_F, Qt::ControlModifier); // selects what is there
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("owner-1"));
        QTRY_COMPARE(console.sortedNames(test::Locks), names({"lock:one", "lock:orphan"}));
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("no such"));
        QTRY_VERIFY(ConsoleWindow::texts(console.page(test::Locks))
                        .contains(QStringLiteral("Nothing matches")));
        console.filter(test::Locks).clear();
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QVERIFY(console.table(test::Locks).isVisible());
    }

    void filtersByChips()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        const auto chip = [&](const char* name) {
            return ConsoleWindow::button<QToolButton>(console.page(test::Locks),
                                                      QLatin1String(name));
        };
        QTRY_VERIFY(chip("Show only: held"));
        QCOMPARE(chip("Show all")->text(), QStringLiteral("All 4"));
        QCOMPARE(chip("Show only: held")->text(), QStringLiteral("held 3"));
        QTest::mouseClick(chip("Show only: held"), Qt::LeftButton);
        QTRY_COMPARE(console.sortedNames(test::Locks), names({"lock:one", "lock:two", "lock:zed"}));
        QVERIFY(!chip("Show all")->isChecked());
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks), names({"lock:zed"}));
        QTest::mouseClick(chip("Show all"), Qt::LeftButton);
        console.filter(test::Locks).clear();
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
    }

    // Counted within the text; what counts nothing stays where it was and cannot be pressed.
    void chipsKeepTheirPlaces()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        const auto chips = [&] {
            QStringList texts;
            for (const auto* chip : console.page(test::Locks).findChildren<QToolButton*>()) {
                if (chip->isCheckable() && chip->isVisible())
                    texts << chip->text() +
                                 (chip->isEnabled() ? QString() : QStringLiteral(" off"));
            }
            return texts;
        };
        QTRY_COMPARE(chips().size(), 3);
        const QStringList all = chips();
        QCOMPARE(all.front(), QStringLiteral("All 4"));
        console.filter(test::Locks).setText(QStringLiteral("lock:t*"));
        QTRY_COMPARE(console.cells(test::Locks), names({"lock:two"}));
        QStringList within{QStringLiteral("All 1")};
        for (const QString& chip : all.mid(1)) {
            within << (chip == QStringLiteral("held 3")
                           ? QStringLiteral("held 1")
                           : chip.chopped(1) + QStringLiteral("0 off"));
        }
        QCOMPARE(chips(), within);
        // The last of its state goes; its chip stays.
        console.filter(test::Locks).clear();
        m_server.line("PEXPIRE lock:orphan 600000");
        QTRY_VERIFY_WITH_TIMEOUT(chips().contains(QStringLiteral("held 4")), 15'000);
        QStringList later = all;
        for (QString& chip :
             later.replaceInStrings(QStringLiteral("held 3"), QStringLiteral("held 4"))) {
            if (!chip.startsWith(QStringLiteral("All")) && !chip.startsWith(QStringLiteral("held")))
                chip = chip.chopped(1) + QStringLiteral("0 off");
        }
        QCOMPARE(chips(), later);
    }

    void escapeClearsTheFilter()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        const auto narrow = [&] {
            QTest::mouseClick(ConsoleWindow::button<QToolButton>(console.page(test::Locks),
                                                                 QStringLiteral("Show only: held")),
                              Qt::LeftButton);
            console.press(Qt::Key_F, Qt::ControlModifier);
            QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("two"));
            QTRY_COMPARE(console.cells(test::Locks), names({"lock:two"}));
        };
        narrow();
        console.press(Qt::Key_Escape); // in the field
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QCOMPARE(console.filter(test::Locks).text(), QString());
        console.press(Qt::Key_Escape); // nothing to clear: on to the rows
        QCOMPARE(QApplication::focusWidget(), &console.table(test::Locks));
        narrow();
        console.clickRow(test::Locks, QStringLiteral("lock:two"));
        console.press(Qt::Key_Escape); // in the table
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QCOMPARE(selected(console, test::Locks), names({"lock:two"}));
    }

    // Filtered away and back, sorted the other way, read anew: it is the same one.
    void theSelectionStaysOnItsItem()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        console.clickRow(test::Locks, QStringLiteral("lock:two"));
        const Handle two = console.page(test::Locks).selected();
        const auto isOnTwo = [&] {
            return selected(console, test::Locks) == names({"lock:two"}) &&
                   console.page(test::Locks).selected() == two &&
                   console.detail(test::Locks).contains(QStringLiteral("lock:two"));
        };
        console.filter(test::Locks).setText(QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks), names({"lock:zed"}));
        QCOMPARE(console.page(test::Locks).selected(), two);
        QVERIFY(selected(console, test::Locks).isEmpty());
        console.filter(test::Locks).clear();
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QVERIFY(isOnTwo());
        console.clickHeader(test::Locks, 0);
        console.clickHeader(test::Locks, 0);
        QTRY_COMPARE(console.cells(test::Locks).front(), QStringLiteral("lock:zed"));
        QVERIFY(isOnTwo());
        m_server.lines({"DEL lock:one", "SET lock:a x PX 90000", "SET lock:zz x PX 90000"});
        console.press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Locks).front(), QStringLiteral("lock:zz"),
                                  15'000);
        QVERIFY(isOnTwo());
    }

    void headersSort()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        const QStringList names = this->names({"lock:one", "lock:orphan", "lock:two", "lock:zed"});
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        const QStringList worstFirst = console.cells(test::Locks);
        console.clickHeader(test::Locks, 0);
        QTRY_COMPARE(console.cells(test::Locks), names);
        console.clickHeader(test::Locks, 0);
        QTRY_COMPARE(console.cells(test::Locks), QStringList(names.rbegin(), names.rend()));
        console.clickHeader(test::Locks, 0);
        QTRY_COMPARE(console.cells(test::Locks), worstFirst);
    }

    // Not by its text: 100 s is more than 99 s, unknown comes last.
    void durationsSortByTheirLength()
    {
        m_server.lines({"SET lock:long x PX 6000000", "SET lock:short x PX 60000"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount + 2));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 6);
        console.clickHeader(test::Locks, 3);
        const QStringList shortestFirst =
            names({"lock:short", "lock:two", "lock:one", "lock:zed", "lock:long", "lock:orphan"});
        QTRY_COMPARE(console.cells(test::Locks), shortestFirst);
        console.clickHeader(test::Locks, 3);
        QTRY_COMPARE(console.cells(test::Locks).mid(0, 2), names({"lock:long", "lock:zed"}));
        QCOMPARE(console.cells(test::Locks).value(5), QStringLiteral("lock:orphan"));
    }

    // Rows change places below a selection: the same primitives stay selected.
    void selectionsMoveWithTheirRows()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Limiters);
        console.clickHeader(test::Limiters, 0);
        QTRY_COMPARE(console.cells(test::Limiters), names({"quota:a", "quota:b", "quota:c"}));
        console.clickRow(test::Limiters, QStringLiteral("quota:b"));
        console.clickRow(test::Limiters, QStringLiteral("quota:c"), Qt::ControlModifier);
        m_server.lines({"SET quota:aa 2 PX 200000", "SET quota:bb 2 PX 200000"});
        console.press(Qt::Key_F5);
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Limiters).size(), 5, 15'000);
        QCOMPARE(selected(console, test::Limiters), names({"quota:b", "quota:c"}));
        console.clickHeader(test::Limiters, 0);
        QTRY_COMPARE(console.cells(test::Limiters).value(0), QStringLiteral("quota:c"));
        QCOMPARE(selected(console, test::Limiters), names({"quota:b", "quota:c"}));
        m_server.line("DEL quota:a quota:aa");
        QTRY_COMPARE(console.cells(test::Limiters).indexOf(QStringLiteral("quota:c")), 0);
        QCOMPARE(selected(console, test::Limiters), names({"quota:b", "quota:c"}));
    }

    // A click on one of several makes it the current one; the order comes anew all the time.
    void severalStaySelectedWhenTheOrderComes()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Limiters);
        console.clickHeader(test::Limiters, 0);
        QTRY_COMPARE(console.cells(test::Limiters), names({"quota:a", "quota:b", "quota:c"}));
        QTableView& table = console.table(test::Limiters);
        console.clickRow(test::Limiters, QStringLiteral("quota:a"));
        console.clickRow(test::Limiters, QStringLiteral("quota:b"), Qt::ControlModifier);
        QTest::mouseClick(table.viewport(), Qt::RightButton, {},
                          table.visualRect(table.model()->index(0, 0)).center());
        QCOMPARE(table.currentIndex().row(), 0);
        m_server.line("SET quota:d 1 PX 200000");
        console.session().polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Limiters).size(), 4, 15'000);
        QCOMPARE(selected(console, test::Limiters), names({"quota:a", "quota:b"}));
        // One that is let go again does not take the others with it.
        console.clickRow(test::Limiters, QStringLiteral("quota:c"), Qt::ControlModifier);
        console.clickRow(test::Limiters, QStringLiteral("quota:a"), Qt::ControlModifier);
        m_server.line("SET quota:e 1 PX 200000");
        console.session().polling().rescan();
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Limiters).size(), 5, 15'000);
        QCOMPARE(selected(console, test::Limiters), names({"quota:b", "quota:c"}));
        // Who asks for one by name gets it alone.
        console.page(test::Limiters).select(console.page(test::Limiters).selected());
        QCOMPARE(selected(console, test::Limiters), names({"quota:c"}));
    }

    void theMenuCopies()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Queues);
        QTRY_COMPARE(console.cells(test::Queues), names({"jobs"}));
        console.clickRow(test::Queues, QStringLiteral("jobs"));
        QTableView& table = console.table(test::Queues);
        const QPoint place = table.visualRect(table.model()->index(0, 0)).center();
        const auto choose = [&](std::initializer_list<const char*> path) {
            emit table.customContextMenuRequested(place);
            for (const char* text : path) {
                auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
                QVERIFY(menu);
                const auto there = [&] {
                    return menu->activeAction() &&
                           menu->activeAction()->text() == QLatin1String(text);
                };
                for (int i = 0; i < 20 && !there(); ++i)
                    QTest::keyClick(menu, Qt::Key_Down);
                QVERIFY2(there(), text);
                QTest::keyClick(menu,
                                menu->activeAction()->menu() ? Qt::Key_Right : Qt::Key_Return);
            }
            QTRY_VERIFY(!QApplication::activePopupWidget());
        };
        choose({"Copy name"});
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("jobs"));
        choose({"Copy key", "jobs:processing"});
        QTRY_COMPARE(QApplication::clipboard()->text(), QStringLiteral("jobs:processing"));
        choose({"Copy selected rows"});
        QTRY_VERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("Name,State,")));
    }

    void copiesRows()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        console.clickHeader(test::Locks, 0);
        QTRY_COMPARE(console.cells(test::Locks).value(0), QStringLiteral("lock:one"));
        console.clickRow(test::Locks, QStringLiteral("lock:zed"));
        console.clickRow(test::Locks, QStringLiteral("lock:one"), Qt::ControlModifier);
        QApplication::clipboard()->clear();
        console.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QStringList lines; // titles, two rows, the end of the last line
        QTRY_COMPARE((lines = QApplication::clipboard()->text().split(QLatin1Char('\n'))).size(),
                     4);
        QVERIFY(lines[0].startsWith(QStringLiteral("Name,State,Owner")));
        QVERIFY(lines[1].startsWith(QStringLiteral("lock:one,held,owner-1")));
        QVERIFY(lines[2].startsWith(QStringLiteral("lock:zed,held,owner-9")));
    }

    void savesTheTable()
    {
        m_server.run({"SET", "lock:=cmd,\"x\"", "me", "PX", "60000"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount + 1));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 5);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("locks.csv"));
        save(console, path);
        QTRY_VERIFY(QFile::exists(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QCOMPARE(text.count(QLatin1Char('\n')), 6);
        for (const QString& name : names({"\nlock:one,", "\nlock:two,", "\nlock:zed,",
                                          "\nlock:orphan,", "\n\"lock:=cmd,\"\"x\"\"\","}))
            QVERIFY2(text.contains(name), qPrintable(text));
        QVERIFY(!QApplication::activeModalWidget());
    }

    void saysWhatCannotBeSaved()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        save(console, QStringLiteral("/proc/locks.csv"));
        QTRY_VERIFY(QApplication::activeModalWidget());
        QVERIFY(ConsoleWindow::texts(*QApplication::activeModalWidget())
                    .contains(QStringLiteral("could not be written")));
        QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
        QTRY_VERIFY(!QApplication::activeModalWidget());
    }

    void denied()
    {
        m_server.lines({"ACL SETUSER blind on >pw ~* +@connection +info +time +scan +client"});
        Session::Setup blind = setup();
        blind.url.user = QStringLiteral("blind");
        blind.url.password = QStringLiteral("pw");
        ConsoleWindow console(blind);
        console.window.showBoard(test::Locks);
        const auto said = [&] { return ConsoleWindow::texts(console.page(test::Locks)); };
        QTRY_VERIFY2_WITH_TIMEOUT(said().contains(QStringLiteral("+type is missing")),
                                  qPrintable(said()), 15'000);
        QVERIFY(said().contains(QStringLiteral("+@read")));
        m_server.line("ACL DELUSER blind");
    }

private:
    static QStringList names(std::initializer_list<const char*> texts)
    {
        QStringList list;
        for (const char* text : texts)
            list << QString::fromLatin1(text);
        return list;
    }
    static QStringList selected(ConsoleWindow& console, int board)
    {
        QStringList list;
        for (const QModelIndex& index : console.table(board).selectionModel()->selectedRows())
            list << index.data().toString();
        list.sort();
        return list;
    }
    void save(ConsoleWindow& console, const QString& path)
    {
        console.press(Qt::Key_S, Qt::ControlModifier);
        ConsoleWindow::fillInFileName(path);
    }
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::sampleConfig); }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestBoards);
#include "tst_boards.moc"
