// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/recordedincident.h"
#include "widgets/actions/actionbar.h"
#include "widgets/actions/writemode/writemode.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartwidget.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/detail/tables/patterntable.h"
#include "widgets/findings/findingmodel.h"

#include <QPushButton>
#include <QRegularExpression>

using namespace lk;
using namespace lk::test;

/// The window while it shows the past: its boards, counts and findings are those of that moment,
/// and no action is possible.
class TestPastBoards : public RecordedIncident
{
    Q_OBJECT

private slots:
    void initTestCase() { happen(); }
    void init() { theme().choose(ThemeChoice::Light); }
    void cleanup() { backToLive(); }
    void cleanupTestCase() { m_recorded.reset(); }

    void actionsAreOffInThePast();
    void theHeaderOffersNoWriteModeInThePast();
    void boardsAndCountsAreOfThen();
    void findingsAreOfThenWithTheirBeginning();
    void aFindingOfThenLeadsToItsBeginning();
    void whatIsNotRecordedIsSaid();
    void chartsShowWhatLedThere();
    void whatIsOnItsWayIsSaid();
    void whatExpiresIsAsOfThen();
    void selectionAndFilterStay();
    void everyBoard();
    void pictures_data();
    void pictures();
    void theServerIsOfThen();

private:
    TimeChart* chart(int board, const QString& title)
    {
        for (auto* chart : console().page(board).findChildren<TimeChart*>()) {
            if (chart->isVisible() && chart->accessibleName() == title)
                return chart;
        }
        return nullptr;
    }
};

void TestPastBoards::actionsAreOffInThePast()
{
    console().window.showBoard(Locks);
    QTRY_VERIFY(console().rowOf(Locks, QStringLiteral("lock:report")) >= 0);
    console().clickRow(Locks, QStringLiteral("lock:report"));
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    auto* bar = console().page(Locks).findChild<ActionBar*>();
    const auto release = [&] {
        return ConsoleWindow::button<QToolButton>(*bar, QStringLiteral("Release…"));
    };
    QTRY_VERIFY_WITH_TIMEOUT(release() && !release()->isEnabled(), 15'000);
    QVERIFY2(release()->toolTip().contains(QStringLiteral("past")),
             qPrintable(release()->toolTip()));
    auto* frame = console().window.findChild<QWidget*>(QStringLiteral("writeModeFrame"));
    QVERIFY(frame->isVisible());
    QVERIFY(frame->accessibleName().contains(QStringLiteral("Past")));
    auto* live =
        ConsoleWindow::button<QToolButton>(m_recorded->bar(), QStringLiteral("Back to live"));
    QVERIFY(live);
    QTest::mouseClick(live, Qt::LeftButton);
    QVERIFY(!m_recorded->travel().isPast());
    QTRY_VERIFY_WITH_TIMEOUT(release() && release()->isEnabled(), 15'000);
}

void TestPastBoards::theHeaderOffersNoWriteModeInThePast()
{
    auto* button = console().window.findChild<WriteModeButton*>();
    QVERIFY(console().session().acting().isWriteModeOn());
    QVERIFY2(button->text().startsWith(QStringLiteral("Write mode, ")), qPrintable(button->text()));
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    QCOMPARE(button->text(), QStringLiteral("Actions are off"));
    QVERIFY(!button->isEnabled());
    QVERIFY2(button->toolTip().contains(QStringLiteral("past")), qPrintable(button->toolTip()));
    QVERIFY(!console().action(QStringLiteral("Turn on write mode…"))->isEnabled());
    // The write mode of the live session can still be turned off.
    QVERIFY(console().action(QStringLiteral("Turn off write mode"))->isEnabled());
    backToLive();
    QVERIFY(button->isEnabled());
    QVERIFY2(button->text().startsWith(QStringLiteral("Write mode, ")), qPrintable(button->text()));
    QVERIFY(console().action(QStringLiteral("Turn on write mode…"))->isEnabled());
}

// Each board, also those that were never in front, and the counts beside them.
void TestPastBoards::boardsAndCountsAreOfThen()
{
    const auto count = [&](int board) {
        return console().window.boards()[size_t(board)]->badge().count;
    };
    const QStringList locks{QStringLiteral("lock:idle"), QStringLiteral("lock:report")};
    for (const qint64 moment : {m_heldMs, m_stuckMs, m_afterMs}) {
        console().window.showBoard(Locks);
        m_recorded->typeTime(RecordedConsole::iso(moment));
        QVERIFY(m_recorded->shows(moment));
        QTRY_COMPARE_WITH_TIMEOUT(console().sortedNames(Locks), locks, 15'000);
        QTRY_COMPARE_WITH_TIMEOUT(count(Locks), qint64(locks.size()), 15'000);
        QCOMPARE(count(Queues), qint64(1));
        QCOMPARE(count(Limiters), qint64(1));
        for (const auto& [board, row] :
             {std::pair(int(Queues), QStringLiteral("jobs")),
              std::pair(int(Limiters), QStringLiteral("quota:berlin"))}) {
            console().window.showBoard(board);
            QTRY_COMPARE_WITH_TIMEOUT(console().cells(board), QStringList{row}, 15'000);
        }
    }
}

void TestPastBoards::findingsAreOfThenWithTheirBeginning()
{
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    const auto stuck = [&]() -> LiveFindingPtr {
        const LiveFindingsPtr found = console().window.shownSession()->findings().latest();
        if (!found)
            return nullptr;
        const auto it = std::ranges::find_if(found->rows, [](const LiveFindingPtr& live) {
            return live->finding.code == "queue-stuck";
        });
        return it == found->rows.end() ? nullptr : *it;
    };
    QTRY_VERIFY_WITH_TIMEOUT(stuck(), 15'000);
    QVERIFY2(stuck()->sinceMs > m_heldMs && stuck()->sinceMs < m_stuckMs,
             qPrintable(QString::number(stuck()->sinceMs - m_stuckMs)));
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    QTRY_VERIFY_WITH_TIMEOUT(!stuck(), 15'000);
}

void TestPastBoards::aFindingOfThenLeadsToItsBeginning()
{
    console().window.showBoard(FindingsBoard);
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    auto* table = console().window.findChild<QTableView*>(QStringLiteral("findingsTable"));
    const auto select = [&] {
        const QAbstractItemModel& model = *table->model();
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.index(row, FindingModel::CodeColumn).data().toString() == u"queue-stuck") {
                table->selectRow(row);
                return true;
            }
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(select(), 15'000);
    auto* detail = console().window.findChild<QWidget*>(QStringLiteral("findingDetail"));
    auto* button = detail->findChild<QPushButton*>(QStringLiteral("showBeginning"));
    QTRY_VERIFY_WITH_TIMEOUT(button->isVisible() && button->isEnabled(), 15'000);
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(*m_recorded->strip().moment() < m_stuckMs, 15'000);
    const qint64 began = *m_recorded->strip().moment();
    QVERIFY(began > m_heldMs);
    QVERIFY(m_recorded->shows(began));
    // It is the same one that is shown, and it has just begun.
    QTRY_VERIFY_WITH_TIMEOUT(button->isVisible() && !button->isEnabled(), 15'000);
    QVERIFY2(ConsoleWindow::texts(*detail).contains(QStringLiteral("just now")),
             qPrintable(ConsoleWindow::texts(*detail)));
}

void TestPastBoards::whatIsNotRecordedIsSaid()
{
    console().window.showBoard(Patterns);
    QVERIFY(choose(Patterns, QStringLiteral("rota")));
    auto* rows = console().page(Patterns).findChild<PatternTable*>();
    QTRY_VERIFY_WITH_TIMEOUT(rows->isVisible() && rows->model()->rowCount() == 3, 15'000);
    const QString live = console().figure(Patterns, 0);
    QCOMPARE(live, QStringLiteral("3"));
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    QTRY_VERIFY_WITH_TIMEOUT(
        console().detail(Patterns).contains(QStringLiteral("is not recorded, only its size")),
        15'000);
    QVERIFY(!rows->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(console().figure(Patterns, 0), live, 15'000);
    backToLive();
    QTRY_VERIFY_WITH_TIMEOUT(rows->isVisible(), 15'000);
    QVERIFY(!console().detail(Patterns).contains(QStringLiteral("not recorded")));
}

// The charts of a moment that is shown first: before it, at it and after it.
void TestPastBoards::chartsShowWhatLedThere()
{
    const auto says = [&](TimeChart* chart, qint64 tMs, const QString& text) {
        const auto there = [&] { return chart->valuesAt(tMs).contains(text); };
        const bool said = QTest::qWaitFor(there, 15'000);
        if (!said)
            qWarning().noquote() << chart->valuesAt(tMs) << chart->csv();
        return said;
    };
    console().window.showBoard(Queues);
    QVERIFY(choose(Queues, QStringLiteral("jobs")));
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    TimeChart* depth = nullptr;
    QTRY_VERIFY(depth = chart(Queues, QStringLiteral("Depth")));
    QVERIFY(says(depth, m_heldMs, QStringLiteral("waiting 2")));
    QVERIFY(says(depth, m_stuckMs, QStringLiteral("waiting 5")));
    QVERIFY(says(depth, m_stuckMs, QStringLiteral("in progress 2")));
    QVERIFY(says(depth, m_afterMs, QStringLiteral("waiting 7")));
    // While it is recorded, its end is no gap.
    QVERIFY2(
        depth->csv().trimmed().section(QLatin1Char('\n'), -1).contains(QStringLiteral(",7,0,")),
        qPrintable(depth->csv()));
    backToLive();
    console().window.showBoard(Locks);
    QVERIFY(choose(Locks, QStringLiteral("lock:report")));
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    TimeChart* ttl = nullptr;
    QTRY_VERIFY(ttl = chart(Locks, QStringLiteral("TTL")));
    QVERIFY(says(ttl, m_stuckMs, QStringLiteral("no TTL")));
    static const QRegularExpression left(QStringLiteral("TTL [0-9]"));
    QTRY_VERIFY2_WITH_TIMEOUT(ttl->valuesAt(m_heldMs).contains(left),
                              qPrintable(ttl->valuesAt(m_heldMs)), 15'000);
}

// Until the recording has answered it is unknown whether it contains anything.
void TestPastBoards::whatIsOnItsWayIsSaid()
{
    console().window.showBoard(Queues);
    QVERIFY(choose(Queues, QStringLiteral("jobs")));
    QVERIFY(waitUntil([&] { return chart(Queues, QStringLiteral("Depth")) != nullptr; }));
    TimeChart* depth = chart(Queues, QStringLiteral("Depth"));
    bool claimed = false;
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    const auto drawn = [&] {
        const QString said = depth->accessibleDescription();
        claimed = claimed || said == QStringLiteral("No samples yet");
        return said.contains(QStringLiteral("Past: ")) &&
               said.contains(QStringLiteral("waiting 5"));
    };
    QVERIFY2(waitUntil(drawn), qPrintable(depth->accessibleDescription()));
    QVERIFY(!claimed);
}

void TestPastBoards::whatExpiresIsAsOfThen()
{
    console().window.showBoard(Overview);
    ExpiryHistogram* leases = nullptr;
    for (auto* one : console().window.boards()[Overview]->findChildren<ExpiryHistogram*>()) {
        if (one->accessibleName() == QStringLiteral("Locks expiring"))
            leases = one;
    }
    QVERIFY(leases);
    const auto saysPast = [&] {
        const auto* header = leases->findChild<ChartHeader*>();
        return header && header->isStill();
    };
    QVERIFY(!saysPast());
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    QVERIFY(waitUntil(saysPast));
    // lock:report was free then; the other lock's TTL is counted from that moment.
    QVERIFY(waitUntil([&] {
        int locks = leases->later();
        for (const ExpiryHistogram::Bin& bin : leases->bins())
            locks += bin.count;
        return locks == 1;
    }));
    shoot(console().window, QStringLiteral("past-overview"));
    m_recorded->travel().goLive();
    QVERIFY(waitUntil([&] { return !saysPast(); }));
}

void TestPastBoards::selectionAndFilterStay()
{
    console().window.showBoard(Locks);
    console().filter(Locks).setText(QStringLiteral("report"));
    QTRY_COMPARE_WITH_TIMEOUT(console().cells(Locks).size(), 1, 15'000);
    console().clickRow(Locks, QStringLiteral("lock:report"));
    const Handle chosen = console().page(Locks).selected();
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    QCOMPARE(console().window.currentBoard(), int(Locks));
    QTRY_COMPARE_WITH_TIMEOUT(console().cells(Locks).size(), 1, 15'000);
    QCOMPARE(console().filter(Locks).text(), QStringLiteral("report"));
    QCOMPARE(console().page(Locks).selected(), chosen);
    backToLive();
    QTRY_COMPARE_WITH_TIMEOUT(console().cells(Locks).size(), 1, 15'000);
    QCOMPARE(console().page(Locks).selected(), chosen);
    console().filter(Locks).clear();
}

void TestPastBoards::everyBoard()
{
    console().window.resize(1280, 800);
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    for (int board = Overview; board <= JournalBoard; ++board) {
        console().window.showBoard(board);
        console().window.boards()[size_t(board)]->selectFirst();
        waitForDrawing();
        shoot(console().window, QStringLiteral("past-all-%1").arg(board));
    }
}

void TestPastBoards::pictures_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280") << QSize(1280, 800);
    QTest::newRow("1024") << QSize(1024, 700);
}

void TestPastBoards::pictures()
{
    QFETCH(QSize, size);
    console().window.resize(size);
    for (const auto& [board, row] : {std::pair(int(Queues), QStringLiteral("jobs")),
                                     std::pair(int(Locks), QStringLiteral("lock:report"))}) {
        console().window.showBoard(board);
        QTRY_VERIFY_WITH_TIMEOUT(console().rowOf(board, row) >= 0, 15'000);
        console().clickRow(board, row);
        m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
        QVERIFY(m_recorded->shows(m_stuckMs));
        const QString there = board == Locks ? QStringLiteral("lock:idle") : row;
        QTRY_VERIFY_WITH_TIMEOUT(console().rowOf(board, there) >= 0, 15'000);
        waitForDrawing();
        shoot(
            console().window,
            QStringLiteral("past-%1-%2").arg(console().window.boardTitle(board)).arg(size.width()));
        QCOMPARE(clippedTexts(m_recorded->bar()), QStringList());
        backToLive();
    }
    waitForDrawing();
    for (auto* chart : console().page(Locks).findChildren<ChartWidget*>())
        QVERIFY2(!chart->accessibleDescription().contains(QStringLiteral("Past")),
                 qPrintable(chart->accessibleDescription()));
    shoot(console().window, QStringLiteral("past-live-%1").arg(size.width()));
}

// Its master fails over, and the window is asked what it was before.
void TestPastBoards::theServerIsOfThen()
{
    console().window.showBoard(ServerBoard);
    const auto role = [&] {
        const QWidget& board = *console().window.boards()[size_t(ServerBoard)];
        for (const auto* grid : board.findChildren<FactGrid*>()) {
            for (const FactGrid::Row& row : grid->rows()) {
                if (row.label == QStringLiteral("Role"))
                    return row.value;
            }
        }
        return QString();
    };
    QTRY_COMPARE_WITH_TIMEOUT(role(), QStringLiteral("master"), 15'000);
    const QString version = console().session().info().version();
    m_server.line("REPLICAOF 127.0.0.1 1");
    QTRY_COMPARE_WITH_TIMEOUT(role(), QStringLiteral("replica"), 30'000);
    QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs()));
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    QTRY_COMPARE_WITH_TIMEOUT(role(), QStringLiteral("master"), 15'000);
    QCOMPARE(console().window.shownSession()->info().version(), version);
    waitForDrawing();
    shoot(console().window, QStringLiteral("past-server"));
    backToLive();
    QTRY_COMPARE_WITH_TIMEOUT(role(), QStringLiteral("replica"), 15'000);
}

LK_WIDGET_TEST(TestPastBoards);
#include "tst_pastboards.moc"
