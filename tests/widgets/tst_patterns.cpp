// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/patternsamples.h"
#include "widgets/actions/actionbar.h"
#include "widgets/actions/actiondialog.h"
#include "widgets/charts/timechart.h"
#include "widgets/detail/patterntable.h"

using namespace lk;
using test::ConsoleWindow;

// The board of patterns: what its rows and the pane say is what redis-cli would.
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
    void sortsByWhatTheyHoldAndWhatTheyAre();
    void aRotationShowsWhoIsDue();
    void turnsAreCounted();
    void aTrailSlides();
    void aCacheAndItsLock();
    void bitmapsByDay();
    void bitmapsTooLargeToCount();
    void weightsAreChances();
    void recordsOfAnArray();
    void anArrayOfUnknownRecords();
    void aCounterCounts();
    void unknownIsNeverNan();
    void bytesThatAreNoText();
    void actionsOfALayout();
    void eventsThatWait();

private:
    void show(ConsoleWindow& console, const char* name, int board = test::Patterns)
    {
        QVERIFY(console.waitForScan(test::patternPrimitives));
        console.window.showBoard(board);
        QTRY_VERIFY(console.rowOf(board, QLatin1String(name)) >= 0);
        console.clickRow(board, QLatin1String(name));
        QTRY_VERIFY(console.detail(board).contains(QLatin1String(name)));
    }
    static QString figure(ConsoleWindow& console, int index)
    {
        return console.figure(test::Patterns, index);
    }
    /// A column of the pane's rows, from the top.
    static QStringList rows(ConsoleWindow& console, int column = PatternModel::LabelColumn)
    {
        auto* table = console.page(test::Patterns).findChild<PatternTable*>();
        QStringList texts;
        for (int row = 0; table->isVisible() && row < table->model()->rowCount(); ++row)
            texts << table->model()->index(row, column).data().toString();
        return texts;
    }
    static QStringList list(std::initializer_list<const char*> texts)
    {
        QStringList all;
        for (const char* text : texts)
            all << QString::fromUtf8(text);
        return all;
    }
    QByteArray ask(const QByteArray& line)
    {
        const Reply reply = m_server.line(line);
        return reply.text.isEmpty() ? QByteArray::number(reply.integer) : reply.text;
    }
    /// The recorded number of the primitive that is selected.
    static double recorded(ConsoleWindow& console, int metric)
    {
        const Handle handle = console.page(test::Patterns).selected();
        const Series* series = console.session().series().find(handle, metric);
        const auto points =
            series ? series->points(0, series->lastMs(), 100) : std::vector<SeriesPoint>();
        return points.empty() ? -999 : points.back().value;
    }
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::patternConfig); }

    test::RedisServer m_server;
};

void TestPatterns::rowsSayWhatEachHolds_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("cells");
    const auto row = [](const char* name, std::initializer_list<const char*> cells) {
        QTest::newRow(name) << QString::fromLatin1(name) << list(cells);
    };
    row("sites:rotation", {"present", "3 members", "none", "Circular list"});
    row("sorted:ids", {"rebuilding", "3 items", "4 m", "Cached sort"});
    row("users:active:YYYY-MM-DD", {"present", "4 users", "none", "Bitmaps by period"});
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
    QTRY_COMPARE(console.sortedNames(test::Patterns), list({"plain:array", "seats:main"}));
    QTest::mouseClick(chip("Show only: Counter"), Qt::LeftButton);
    QTRY_COMPARE(console.cells(test::Patterns), list({"mycounter"}));
    QTest::mouseClick(chip("Show all"), Qt::LeftButton);
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
}

void TestPatterns::sortsByWhatTheyHoldAndWhatTheyAre()
{
    ConsoleWindow console(setup());
    QVERIFY(console.waitForScan(test::patternPrimitives));
    console.window.showBoard(test::Patterns);
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount);
    console.clickHeader(test::Patterns, 2);
    QTRY_COMPARE(console.cells(test::Patterns).last(), QStringLiteral("plain:array"));
    QCOMPARE(console.cells(test::Patterns, 2).mid(5), list({"4 users", "42", "100 bytes"}));
    console.clickHeader(test::Patterns, 4);
    QTRY_COMPARE(console.cells(test::Patterns, 4).value(0), QStringLiteral("Array of records"));
    QStringList sorted = console.cells(test::Patterns, 4);
    sorted.sort(); // by the titles that are seen
    QCOMPARE(console.cells(test::Patterns, 4), sorted);
}

void TestPatterns::aRotationShowsWhoIsDue()
{
    ConsoleWindow console(setup());
    show(console, "sites:rotation");
    QTRY_COMPARE(rows(console), list({"a", "b", "c"}));
    QCOMPARE(rows(console, PatternModel::PlaceColumn), list({"due now", "next", "3"}));
    QCOMPARE(figure(console, 0), QStringLiteral("3"));
    m_server.line("RPOPLPUSH sites:rotation sites:rotation");
    QTRY_COMPARE(rows(console), list({"b", "c", "a"}));
    QCOMPARE(rows(console).value(0).toLatin1(), ask("LINDEX sites:rotation -1"));
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("Whose turn it is")));
}

void TestPatterns::turnsAreCounted()
{
    ConsoleWindow console(setup());
    show(console, "sites:rotation");
    QTRY_COMPARE(rows(console), list({"a", "b", "c"}));
    QCOMPARE(figure(console, 1), QStringLiteral("\u2013")); // nobody knows yet
    QCOMPARE(figure(console, 2), QStringLiteral("\u2013"));
    m_server.line("RPOPLPUSH sites:rotation sites:rotation");
    // One turn since the pane was opened: 12 a minute once five seconds are over, and then fewer.
    QTRY_VERIFY2_WITH_TIMEOUT(figure(console, 1).startsWith(QStringLiteral("\u2265\u2009")),
                              qPrintable(figure(console, 1)), 15'000);
    const double pace = figure(console, 1).mid(2).toDouble();
    QVERIFY2(pace > 3 && pace <= 12, qPrintable(figure(console, 1)));
    QVERIFY(figure(console, 2).startsWith(QStringLiteral("\u2264\u2009")));
    QTRY_VERIFY(recorded(console, 2) > 3);
}

void TestPatterns::aTrailSlides()
{
    ConsoleWindow console(setup());
    show(console, "pagewviews.user:17");
    QTRY_COMPARE(rows(console), list({"/third", "/second", "/first"}));
    QVERIFY2(figure(console, 1).startsWith(QStringLiteral("4")), qPrintable(figure(console, 1)));
    QVERIFY(figure(console, 2).startsWith(QStringLiteral("1"))); // 60 s less the TTL
    m_server.lines({"RPUSH pagewviews.user:17 /fourth", "PEXPIRE pagewviews.user:17 60000"});
    QTRY_COMPARE(rows(console).value(0), QStringLiteral("/fourth"));
    QTRY_VERIFY(figure(console, 1).startsWith(QStringLiteral("5")));
    QTRY_VERIFY(recorded(console, 1) > 51'000);
    QCOMPARE(recorded(console, 0), 4.0);
    m_server.line("DEL pagewviews.user:17");
    QTRY_COMPARE(figure(console, 1), QStringLiteral("\u2013"));
    QTRY_VERIFY(console.detail(test::Patterns).contains(QStringLiteral("ended")));
    QCOMPARE(rows(console), QStringList());
}

void TestPatterns::aCacheAndItsLock()
{
    ConsoleWindow console(setup());
    show(console, "sorted:ids");
    QTRY_COMPARE(rows(console), list({"1", "2", "3"}));
    QCOMPARE(figure(console, 2), QStringLiteral("held"));
    m_server.line("PERSIST sorted:ids:lock");
    QTRY_COMPARE(figure(console, 2), QStringLiteral("never ends"));
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("blocked")));
    m_server.line("DEL sorted:ids:lock");
    QTRY_COMPARE(figure(console, 2), QStringLiteral("free"));
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("cached")));
    m_server.line("PERSIST sorted:ids");
    QTRY_COMPARE(figure(console, 1), QStringLiteral("never"));
}

void TestPatterns::bitmapsByDay()
{
    ConsoleWindow console(setup());
    show(console, "users:active:YYYY-MM-DD");
    const QStringList keys = list({"2026-11-21", "2026-11-20"});
    QTRY_COMPARE(rows(console), keys);
    for (int i = 0; i < 2; ++i)
        QCOMPARE(rows(console, PatternModel::BarColumn).value(i).toLatin1(),
                 ask("BITCOUNT users:active:" + keys[i].toLatin1()));
    QCOMPARE(figure(console, 0).toLatin1(), ask("BITCOUNT users:active:2026-11-21"));
    // Five different users, says BITOP: between the fuller day and both together.
    m_server.line("BITOP OR week users:active:2026-11-21 users:active:2026-11-20");
    QCOMPARE(ask("BITCOUNT week"), QByteArray("5"));
    QCOMPARE(figure(console, 1), QStringLiteral("4\u20136"));
    m_server.line("DEL week");
    const auto* model = console.page(test::Patterns).findChild<PatternTable*>()->model();
    const auto share = [&](int row) {
        return model->index(row, PatternModel::BarColumn).data(PatternModel::ShareRole).toDouble();
    };
    QCOMPARE(share(0), 1.0);
    QCOMPARE(share(1), 0.5);
    m_server.line("SETBIT users:active:2026-11-21 77 1");
    QTRY_COMPARE(figure(console, 0), QStringLiteral("5"));
    QTRY_COMPARE(share(1), 0.4);
}

void TestPatterns::bitmapsTooLargeToCount()
{
    m_server.line("SETBIT users:active:2026-11-21T05 100000000 1");
    ConsoleWindow console(setup());
    show(console, "users:active:YYYY-MM-DDTHH");
    QTRY_COMPARE(rows(console), list({"2026-11-21T05"}));
    QCOMPARE(rows(console, PatternModel::BarColumn), list({"\u2013"}));
    QCOMPARE(figure(console, 0), QStringLiteral("\u2013"));
    const auto* model = console.page(test::Patterns).findChild<PatternTable*>()->model();
    QVERIFY(!model->index(0, PatternModel::BarColumn).data(PatternModel::ShareRole).isValid());
}

void TestPatterns::weightsAreChances()
{
    ConsoleWindow console(setup());
    show(console, "markov:the");
    QTRY_COMPARE(rows(console), list({"cat", "dog", "house"}));
    QCOMPARE(rows(console, PatternModel::BarColumn), list({"50.0 %", "25.0 %", "25.0 %"}));
    QCOMPARE(figure(console, 1), QStringLiteral("50.0 %"));
    QCOMPARE(figure(console, 2), QStringLiteral("1"));
    m_server.line("ZADD markov:the 0.1 cat");
    QTRY_COMPARE(rows(console, PatternModel::BarColumn), list({"10.0 %", "65.0 %", "25.0 %"}));
}

void TestPatterns::recordsOfAnArray()
{
    ConsoleWindow console(setup());
    show(console, "seats:main");
    QTRY_COMPARE(rows(console), list({"parzival", "(empty)", "aech"}));
    QCOMPARE(rows(console, PatternModel::PlaceColumn), list({"0", "1", "2"}));
    QCOMPARE(figure(console, 1), QStringLiteral("2"));
    m_server.line("SETRANGE seats:main 8 shoto");
    QTRY_COMPARE(rows(console).value(1), QStringLiteral("shoto"));
    QCOMPARE(ask("GETRANGE seats:main 8 12"), QByteArray("shoto"));
    QCOMPARE(figure(console, 1), QStringLiteral("3"));
}

void TestPatterns::anArrayOfUnknownRecords()
{
    ConsoleWindow console(setup());
    show(console, "plain:array");
    QTRY_COMPARE(figure(console, 0), QStringLiteral("100"));
    QCOMPARE(rows(console), QStringList());
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("declare it as \"record\"")));
}

void TestPatterns::aCounterCounts()
{
    ConsoleWindow console(setup());
    show(console, "mycounter");
    QTRY_COMPARE(figure(console, 0), QStringLiteral("42"));
    QCOMPARE(figure(console, 1), QStringLiteral("\u2013"));
    m_server.line("INCRBY mycounter 1000");
    QTRY_COMPARE(figure(console, 0), QStringLiteral("1,042"));
    QTRY_COMPARE(recorded(console, 0), 1042.0);
    QTRY_VERIFY_WITH_TIMEOUT(figure(console, 1).startsWith(QStringLiteral("\u2265\u2009")), 15'000);
    QTRY_VERIFY(recorded(console, 2) > 1000);
    m_server.line("GETSET mycounter 0");
    QTRY_COMPARE(figure(console, 0), QStringLiteral("0"));
    m_server.line("SET mycounter abc");
    QTRY_VERIFY(console.detail(test::Patterns).contains(QStringLiteral("no whole number")));
    QCOMPARE(figure(console, 0), QStringLiteral("\u2013"));
}

void TestPatterns::unknownIsNeverNan()
{
    m_server.line("SETBIT users:active:2026-11-21T05 100000000 1");
    ConsoleWindow console(setup());
    show(console, "mycounter");
    QTRY_COMPARE(console.cells(test::Patterns).size(), test::patternCount + 1);
    for (const QString& name : console.cells(test::Patterns)) {
        console.clickRow(test::Patterns, name);
        QTRY_VERIFY(console.detail(test::Patterns).contains(name));
        QString said = console.detail(test::Patterns) + rows(console).join(QLatin1Char(' ')) +
                       rows(console, PatternModel::BarColumn).join(QLatin1Char(' '));
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
    show(console, "markov:the");
    QTRY_COMPARE(rows(console).value(3), QStringLiteral("\\xff\\x00end"));
    QVERIFY(console.cells(test::Patterns).contains(QStringLiteral("\\xfe:rotation")));
}

void TestPatterns::actionsOfALayout()
{
    ConsoleWindow console(setup());
    show(console, "sites:rotation");
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
    show(console, "events:pending", test::Queues);
    QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("3"));
    QCOMPARE(console.figure(test::Queues, 1), QStringLiteral("2"));
    const QString text = console.detail(test::Queues);
    for (const char* said : {"events waiting", "wake-ups"})
        QVERIFY2(text.contains(QLatin1String(said)), qPrintable(text));
    for (const char* said : {"stuck", "In processing", "dead"})
        QVERIFY2(!text.contains(QLatin1String(said)), qPrintable(text));
    m_server.lines({"RPOP events:pending:helper", "SPOP events:pending"});
    QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("2"));
    QCOMPARE(console.figure(test::Queues, 1), QStringLiteral("1"));
}

QTEST_MAIN(TestPatterns)
#include "tst_patterns.moc"
