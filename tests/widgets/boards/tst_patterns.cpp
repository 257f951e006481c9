// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/patternsamples.h"
#include "widgets/actions/actionbar.h"

#include <QMenu>

using namespace lk;
using test::ConsoleWindow;

// The board of patterns: rows, chips, order; and the event queue, which is a queue.
class TestPatterns : public QObject
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
        m_server.flush();
        test::fillWithPatterns(m_server);
    }

    void rowsSayWhatEachHolds_data();
    void rowsSayWhatEachHolds();
    void chipsFilterByLayout();
    void chipsInAMenuWhereThereIsNoRoom();
    void sortsByWhatTheyHoldAndWhatTheyAre();
    void unknownIsNeverNan();
    void bytesThatAreNoText();
    void actionsOfALayout();
    void eventsThatWait();

private:
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::patternConfig); }

    test::RedisServer m_server;
};

void TestPatterns::rowsSayWhatEachHolds_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("cells");
    const auto row = [](const char* name, std::initializer_list<const char*> cells) {
        QTest::newRow(name) << QString::fromLatin1(name) << test::list(cells);
    };
    row("sites:rotation", {"present", "3 members", "none", "Circular list"});
    row("sorted:ids", {"rebuilding", "3 items", "4 m", "Cached sort"});
    row("users:active:YYYY-MM-DD", {"present", "4 users", "none", "Bitmap per period"});
    row("markov:the", {"present", "3 members", "none", "Weighted set"});
    row("mycounter", {"present", "42", "none", "Counter"});
    row("seats:main", {"present", "3 records", "none", "Array of records"});
    row("plain:array", {"present", "100 bytes", "none", "Array of records"});
    row("pagewviews.user:17", {"live", "3 pages", "4", "Navigation session"});
}

void TestPatterns::rowsSayWhatEachHolds()
{
    QFETCH(QString, name);
    QFETCH(QStringList, cells);
    ConsoleWindow console(setup());
    QVERIFY(console.waitForScan(test::patternPrimitives));
    console.press(Qt::Key_6, Qt::ControlModifier);
    QCOMPARE(console.window.currentBoard(), int(test::Patterns));
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
    const int row = console.rowOf(test::Patterns, name);
    QVERIFY(row >= 0);
    for (int c = 0; c < cells.size(); ++c) {
        const QString said = console.cells(test::Patterns, c + 1).value(row);
        QVERIFY2(c == 2 ? said.startsWith(cells[c]) : said == cells[c], qPrintable(said));
    }
}

void TestPatterns::chipsFilterByLayout()
{
    ConsoleWindow console(setup());
    QVERIFY(console.waitForScan(test::patternPrimitives));
    console.window.showBoard(test::Patterns);
    const auto chip = [&](const char* name) {
        return ConsoleWindow::button<QToolButton>(console.page(test::Patterns),
                                                  QLatin1String(name));
    };
    QTRY_VERIFY(chip("Show only: Array of records"));
    QCOMPARE(chip("Show only: Array of records")->text(), QStringLiteral("Array of records 2"));
    QTest::mouseClick(chip("Show only: Array of records"), Qt::LeftButton);
    QTRY_COMPARE(console.sortedNames(test::Patterns), test::list({"plain:array", "seats:main"}));
    QTest::mouseClick(chip("Show only: Counter"), Qt::LeftButton);
    QTRY_COMPARE(console.cells(test::Patterns), test::list({"mycounter"}));
    QTest::mouseClick(chip("Show all"), Qt::LeftButton);
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
}

void TestPatterns::chipsInAMenuWhereThereIsNoRoom()
{
    ConsoleWindow console(setup(), {960, 600});
    QVERIFY(console.waitForScan(test::patternPrimitives));
    console.window.showBoard(test::Patterns);
    const auto button = [&](const char* name) {
        return ConsoleWindow::button<QToolButton>(console.page(test::Patterns),
                                                  QLatin1String(name));
    };
    QTRY_VERIFY(button("Show only"));
    QVERIFY(!button("Show all"));
    QCOMPARE(button("Show only")->text(), QStringLiteral("All 8"));
    const auto choose = [&](const char* text) {
        QMenu* menu = button("Show only")->menu();
        emit menu->aboutToShow();
        for (QAction* entry : menu->actions()) {
            if (entry->text() == QLatin1String(text))
                entry->trigger();
        }
    };
    choose("Array of records 2");
    QTRY_COMPARE(console.sortedNames(test::Patterns), test::list({"plain:array", "seats:main"}));
    QCOMPARE(button("Show only")->text(), QStringLiteral("Array of records 2"));
    choose("All 8");
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
    console.window.resize(1280, 800);
    QTRY_VERIFY(button("Show all"));
    QVERIFY(!button("Show only"));
}

void TestPatterns::sortsByWhatTheyHoldAndWhatTheyAre()
{
    ConsoleWindow console(setup());
    QVERIFY(console.waitForScan(test::patternPrimitives));
    console.window.showBoard(test::Patterns);
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
    console.clickHeader(test::Patterns, 2);
    QTRY_COMPARE(console.cells(test::Patterns, 2).mid(5),
                 test::list({"4 users", "42", "100 bytes"}));
    const QStringList before = console.cells(test::Patterns, 4);
    QStringList sorted = before;
    sorted.sort(); // by the titles that are seen
    QVERIFY(sorted != before);
    console.clickHeader(test::Patterns, 4);
    QTRY_COMPARE(console.cells(test::Patterns, 4), sorted);
}

void TestPatterns::unknownIsNeverNan()
{
    m_server.line("SETBIT users:active:2026-11-21T05 100000000 1");
    ConsoleWindow console(setup());
    test::selectRow(console, "mycounter");
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount + 1);
    for (const QString& name : console.cells(test::Patterns)) {
        console.clickRow(test::Patterns, name);
        QTRY_VERIFY(console.detail(test::Patterns).contains(name));
        QString said = console.detail(test::Patterns) +
                       test::patternRows(console).join(QLatin1Char(' ')) +
                       test::patternRows(console, PatternModel::BarColumn).join(QLatin1Char(' '));
        for (int c = 0; c < 5; ++c)
            said += console.cells(test::Patterns, c).join(QLatin1Char(' '));
        QVERIFY2(!said.contains(QStringLiteral("nan"), Qt::CaseInsensitive), qPrintable(said));
    }
}

void TestPatterns::bytesThatAreNoText()
{
    m_server.run({"ZADD", "markov:the", "1.5",
                  QByteArray("\xff\x00"
                             "end",
                             5)});
    m_server.run({"RPUSH", "\xfe:rotation", "x"});
    ConsoleWindow console(setup());
    test::selectRow(console, "markov:the");
    QTRY_COMPARE(test::patternRows(console).value(3), QStringLiteral("\\xff\\x00end"));
    QVERIFY(console.cells(test::Patterns).contains(QStringLiteral("\\xfe:rotation")));
}

void TestPatterns::actionsOfALayout()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "sites:rotation");
    auto* bar = console.page(test::Patterns).findChild<ActionBar*>();
    auto* rotate = ConsoleWindow::button<QToolButton>(*bar, QStringLiteral("Rotate…"));
    QStringList said;
    for (const QToolButton* button : bar->findChildren<QToolButton*>())
        said << button->text();
    QVERIFY2(rotate, qPrintable(said.join(QLatin1Char('|'))));
    QVERIFY(rotate->isEnabled());
    console.clickRow(test::Patterns, QStringLiteral("mycounter"));
    QTRY_VERIFY(!ConsoleWindow::button<QToolButton>(*bar, QStringLiteral("Rotate…")));
    QVERIFY(bar->isVisible());
}

void TestPatterns::eventsThatWait()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "events:pending", test::Queues);
    QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("3"));
    QCOMPARE(console.figure(test::Queues, 1), QStringLiteral("2"));
    const QString text = console.detail(test::Queues);
    for (const char* said : {"events waiting", "wake-ups"})
        QVERIFY2(text.contains(QLatin1String(said)), qPrintable(text));
    for (const char* said : {"stuck", "In progress", "dead"})
        QVERIFY2(!text.contains(QLatin1String(said)), qPrintable(text));
    m_server.lines({"RPOP events:pending:helper", "SPOP events:pending"});
    QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("2"));
    QCOMPARE(console.figure(test::Queues, 1), QStringLiteral("1"));
}

LK_WIDGET_TEST(TestPatterns);
#include "tst_patterns.moc"
