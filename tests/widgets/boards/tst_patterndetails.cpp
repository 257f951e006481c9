// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionseries.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/patternsamples.h"
#include "widgets/charts/time/timechart.h"

using namespace lk;
using test::ConsoleWindow;

// The pane of a pattern: what it says of each layout is what redis-cli would.
class TestPatternDetails : public QObject
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
    void chartsAreNamedAnewForEachPattern();

private:
    /// Names of the charts that are seen.
    static QStringList charts(ConsoleWindow& console)
    {
        QStringList names;
        for (const auto* chart : console.page(test::Patterns).findChildren<TimeChart*>()) {
            if (chart->isVisible())
                names << chart->accessibleName();
        }
        names.sort();
        return names;
    }
    static QString figure(ConsoleWindow& console, int index)
    {
        return console.figure(test::Patterns, index);
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
        const Series* series = console.session().series().store().find(handle, metric);
        const auto points =
            series ? series->points(0, series->lastMs(), 100) : std::vector<SeriesPoint>();
        return points.empty() ? -999 : points.back().value;
    }
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::patternConfig); }

    test::RedisServer m_server;
};

void TestPatternDetails::aRotationShowsWhoIsDue()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "sites:rotation");
    QTRY_COMPARE(test::patternRows(console), test::list({"a", "b", "c"}));
    QCOMPARE(test::patternRows(console, PatternModel::PlaceColumn),
             test::list({"due now", "next", "3"}));
    QCOMPARE(figure(console, 0), QStringLiteral("3"));
    m_server.line("RPOPLPUSH sites:rotation sites:rotation");
    QTRY_COMPARE(test::patternRows(console), test::list({"b", "c", "a"}));
    QCOMPARE(test::patternRows(console).value(0).toLatin1(), ask("LINDEX sites:rotation -1"));
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("Rotation order")));
}

void TestPatternDetails::turnsAreCounted()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "sites:rotation");
    QTRY_COMPARE(test::patternRows(console), test::list({"a", "b", "c"}));
    QCOMPARE(figure(console, 1), QStringLiteral("\u2013")); // not known yet
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

void TestPatternDetails::aTrailSlides()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "pagewviews.user:17");
    QTRY_COMPARE(test::patternRows(console), test::list({"/third", "/second", "/first"}));
    QVERIFY2(figure(console, 1).startsWith(QStringLiteral("4")), qPrintable(figure(console, 1)));
    QVERIFY(figure(console, 2).startsWith(QStringLiteral("1"))); // 60 s less the TTL
    m_server.lines({"RPUSH pagewviews.user:17 /fourth", "PEXPIRE pagewviews.user:17 60000"});
    QTRY_COMPARE(test::patternRows(console).value(0), QStringLiteral("/fourth"));
    QTRY_VERIFY(figure(console, 1).startsWith(QStringLiteral("5")));
    QTRY_VERIFY(recorded(console, 1) > 51'000);
    QVERIFY(recorded(console, 1) <= 60'000);
    QCOMPARE(recorded(console, 0), 4.0);
    m_server.line("DEL pagewviews.user:17");
    QTRY_COMPARE(figure(console, 1), QStringLiteral("\u2013"));
    QTRY_VERIFY(console.detail(test::Patterns).contains(QStringLiteral("ended")));
    QCOMPARE(test::patternRows(console), QStringList());
}

void TestPatternDetails::aCacheAndItsLock()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "sorted:ids");
    QTRY_COMPARE(test::patternRows(console), test::list({"1", "2", "3"}));
    QCOMPARE(figure(console, 2), QStringLiteral("held"));
    m_server.line("PERSIST sorted:ids:lock");
    QTRY_COMPARE(figure(console, 2), QStringLiteral("no TTL"));
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("blocked")));
    m_server.line("DEL sorted:ids:lock");
    QTRY_COMPARE(figure(console, 2), QStringLiteral("free"));
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("cached")));
    m_server.line("PERSIST sorted:ids");
    QTRY_COMPARE(figure(console, 1), QStringLiteral("never"));
}

void TestPatternDetails::bitmapsByDay()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "users:active:YYYY-MM-DD");
    const QStringList keys = test::list({"2026-11-21", "2026-11-20"});
    QTRY_COMPARE(test::patternRows(console), keys);
    for (int i = 0; i < 2; ++i)
        QCOMPARE(test::patternRows(console, PatternModel::BarColumn).value(i).toLatin1(),
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

void TestPatternDetails::bitmapsTooLargeToCount()
{
    m_server.line("SETBIT users:active:2026-11-21T05 100000000 1");
    ConsoleWindow console(setup());
    test::selectRow(console, "users:active:YYYY-MM-DDTHH");
    QTRY_COMPARE(test::patternRows(console), test::list({"2026-11-21T05"}));
    QCOMPARE(test::patternRows(console, PatternModel::BarColumn), test::list({"\u2013"}));
    QCOMPARE(figure(console, 0), QStringLiteral("\u2013"));
    const auto* model = console.page(test::Patterns).findChild<PatternTable*>()->model();
    QVERIFY(!model->index(0, PatternModel::BarColumn).data(PatternModel::ShareRole).isValid());
}

void TestPatternDetails::weightsAreChances()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "markov:the");
    QTRY_COMPARE(test::patternRows(console), test::list({"cat", "dog", "house"}));
    QCOMPARE(test::patternRows(console, PatternModel::BarColumn),
             test::list({"50.0 %", "25.0 %", "25.0 %"}));
    QCOMPARE(figure(console, 1), QStringLiteral("50.0 %"));
    QCOMPARE(figure(console, 2), QStringLiteral("1"));
    m_server.line("ZADD markov:the 0.1 cat");
    QTRY_COMPARE(test::patternRows(console, PatternModel::BarColumn),
                 test::list({"10.0 %", "65.0 %", "25.0 %"}));
}

void TestPatternDetails::recordsOfAnArray()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "seats:main");
    QTRY_COMPARE(test::patternRows(console), test::list({"parzival", "(empty)", "aech"}));
    QCOMPARE(test::patternRows(console, PatternModel::PlaceColumn), test::list({"0", "1", "2"}));
    QCOMPARE(figure(console, 1), QStringLiteral("2"));
    m_server.line("SETRANGE seats:main 8 shoto");
    QTRY_COMPARE(test::patternRows(console).value(1), QStringLiteral("shoto"));
    QCOMPARE(ask("GETRANGE seats:main 8 12"), QByteArray("shoto"));
    QCOMPARE(figure(console, 1), QStringLiteral("3"));
}

void TestPatternDetails::anArrayOfUnknownRecords()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "plain:array");
    QTRY_COMPARE(figure(console, 0), QStringLiteral("100"));
    QCOMPARE(test::patternRows(console), QStringList());
    QVERIFY(console.detail(test::Patterns).contains(QStringLiteral("declare it as \"record\"")));
}

void TestPatternDetails::aCounterCounts()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "mycounter");
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
    QTRY_VERIFY(console.detail(test::Patterns).contains(QStringLiteral("not a whole number")));
    QCOMPARE(figure(console, 0), QStringLiteral("\u2013"));
}

// Several patterns are counted in the same unit: the titles depend on more than that.
void TestPatternDetails::chartsAreNamedAnewForEachPattern()
{
    ConsoleWindow console(setup());
    test::selectRow(console, "markov:the");
    QTRY_COMPARE(charts(console), QStringList());
    test::selectRow(console, "sites:rotation");
    QTRY_COMPARE(charts(console), test::list({"Holds", "Rotations per minute"}));
    test::selectRow(console, "mycounter");
    QTRY_COMPARE(charts(console), test::list({"Count", "Counts per minute"}));
    test::selectRow(console, "pagewviews.user:17");
    QTRY_COMPARE(charts(console), test::list({"Holds", "Time left"}));
}

LK_WIDGET_TEST(TestPatternDetails);
#include "tst_patterndetails.moc"
