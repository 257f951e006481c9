// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/actiondriver.h"
#include "tests/widgets/recordedconsole.h"
#include "tests/widgets/timecharts.h"
#include "widgets/actions/actionbar.h"
#include "widgets/charts/locktimeline.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/detail/life/lifedialog.h"
#include "widgets/detail/life/lifemodel.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/journal/journalpage.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>

using namespace lk;
using namespace lk::test;

namespace {

// Short, so that the incident is over within seconds.
constexpr auto incidentConfig = R"(
[[lock]]
key = "lock:*"
layout = "set-nx-px"
[[limiter]]
key = "quota:*"
layout = "fixed-window"
limit = 10
window = "5m"
[[queue]]
key = "jobs"
layout = "reliable-list"
processing = "jobs:processing"
stuck_after = "1s"
)";

} // namespace

/// An incident that is recorded while it happens, and all that is asked about it afterwards: a
/// worker dies, its lock runs out, the queue grows, a tenant hits its limit, an operator requeues.
class TestTimeTravel : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    QTemporaryDir m_folder;
    std::unique_ptr<RecordedConsole> m_recorded;
    qint64 m_heldMs = 0;  ///< worker-a has the lock, the tenant is below its limit
    qint64 m_stuckMs = 0; ///< it has died: the lock is free, jobs are stuck, more wait
    qint64 m_afterMs = 0; ///< all is well again

    ConsoleWindow& console() { return *m_recorded->console; }
    LockState lock() const
    {
        for (const auto& [handle, state] : m_recorded->console->session().states()) {
            if (state->primitive->id.name == "lock:report")
                return *state->as<LockState>();
        }
        return {};
    }
    std::optional<QueueState> queue() const
    {
        for (const auto& [handle, state] : m_recorded->console->session().states()) {
            if (state->primitive->id.name == "jobs")
                return *state->as<QueueState>();
        }
        return std::nullopt;
    }
    LifeDialog* life()
    {
        for (auto* dialog : console().window.findChildren<LifeDialog*>()) {
            if (dialog->isVisible())
                return dialog;
        }
        return nullptr;
    }
    /// The dialog over the chosen row of the board in front, once it has its lines.
    LifeDialog* openLife(const QString& row)
    {
        if (!choose(console().window.currentBoard(), row))
            return nullptr;
        console().press(Qt::Key_H, Qt::ControlModifier);
        const bool there =
            QTest::qWaitFor([&] { return life() && life()->model().rowCount() > 0; }, 15'000);
        return there ? life() : nullptr;
    }
    /// The row, once it is there, and its pane shows it.
    bool choose(int board, const QString& row)
    {
        if (!QTest::qWaitFor([&] { return console().rowOf(board, row) >= 0; }, 15'000))
            return false;
        console().clickRow(board, row);
        return QTest::qWaitFor([&] { return console().detail(board).contains(row); }, 15'000);
    }
    static QString linesOf(LifeDialog& dialog)
    {
        QStringList lines;
        for (const LifeLine& line : dialog.model().lines())
            lines << line.text;
        return lines.join(QLatin1Char('\n'));
    }
    void backToLive()
    {
        m_recorded->travel().goLive();
        QVERIFY(!m_recorded->travel().isPast());
    }

private slots:
    void initTestCase();
    void init() { theme().choose(ThemeChoice::Light); }
    void cleanup();
    void cleanupTestCase() { m_recorded.reset(); }

    void theBarIsThereOnceThereIsARecording();
    void whoHeldTheLockThen();
    void theQueueAsItWasThen();
    void howLongTheQueueWasStuck();
    void whenTheTenantHitItsLimit();
    void whoReleasedWhat();
    void actionsAreOffInThePast();
    void selectionAndFilterStay();
    void aClickOnTheStripAndKeysMoveTheTime();
    void aClickInAChartShowsThatMoment();
    void whatWasTypedWrongIsSaid();
    void eventsOneAfterTheOther();
    void itPlaysToTheEnd();
    void theLifeCanBeTakenAlong();
    void pictures_data();
    void pictures();
};

void TestTimeTravel::initTestCase()
{
    theme().choose(ThemeChoice::Light);
    QVERIFY2(m_server.start(), m_server.output());
    m_server.lines({"SET lock:report worker-a PX 6000", "SET lock:idle nobody PX 600000",
                    "RPUSH jobs j1 j2", "SET quota:berlin 4 PX 290000"});
    Session::Setup setup = setupFor(m_server.url(), incidentConfig);
    setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                         m_folder.filePath(QStringLiteral("undo"))};
    m_recorded = std::make_unique<RecordedConsole>(std::move(setup));
    QVERIFY(console().waitForScan(4));
    QTRY_VERIFY_WITH_TIMEOUT(m_recorded->history(), 15'000);
    QTRY_COMPARE_WITH_TIMEOUT(lock().owner, QByteArray("worker-a"), 15'000);
    console().window.showBoard(Queues); // what is on screen is read all the time
    QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs()));
    m_heldMs = m_recorded->nowMs();

    // The worker takes two jobs and dies; its lock runs out; the queue grows; a tenant is busy.
    m_server.lines({"LMOVE jobs jobs:processing LEFT RIGHT",
                    "LMOVE jobs jobs:processing LEFT RIGHT", "RPUSH jobs j3 j4 j5 j6 j7",
                    "SET quota:berlin 10 PX 280000"});
    QTRY_VERIFY_WITH_TIMEOUT(queue() && queue()->stuck == 2 && queue()->ready == 5, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(lock().owner.isEmpty(), 30'000);
    QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs()));
    m_stuckMs = m_recorded->nowMs();

    // An operator requeues; another worker takes the lock.
    QVERIFY(enableWriteMode(console()));
    console().clickRow(Queues, QStringLiteral("jobs"));
    act(console(), QStringLiteral("Requeue…"));
    QTRY_VERIFY(dialog(console()));
    fill(console(), QStringLiteral("all"), {});
    QTRY_VERIFY(button(console(), QStringLiteral("Plan")));
    QTest::mouseClick(button(console(), QStringLiteral("Plan")), Qt::LeftButton);
    runPlan(console());
    QTest::keyClick(dialog(console()), Qt::Key_Escape);
    QTRY_VERIFY(!dialog(console()));
    m_server.line("SET lock:report worker-b PX 600000");
    QTRY_VERIFY_WITH_TIMEOUT(queue() && queue()->stuck == 0 && queue()->ready == 7, 30'000);
    QTRY_COMPARE_WITH_TIMEOUT(lock().owner, QByteArray("worker-b"), 30'000);
    QVERIFY(m_recorded->recordedUntil(m_recorded->nowMs() + 1000));
    m_afterMs = m_recorded->nowMs();
}

void TestTimeTravel::cleanup()
{
    for (auto* dialog : console().window.findChildren<LifeDialog*>())
        delete dialog;
    backToLive();
}

void TestTimeTravel::theBarIsThereOnceThereIsARecording()
{
    QVERIFY(m_recorded->bar().isVisible());
    QVERIFY(m_recorded->bar().sentence().isEmpty());
    QVERIFY(m_recorded->strip().accessibleDescription().contains(QStringLiteral("live")));
    QVERIFY(!m_recorded->strip().moment());
}

void TestTimeTravel::whoHeldTheLockThen()
{
    console().window.showBoard(Locks);
    const QString row = QStringLiteral("lock:report");
    QTRY_VERIFY_WITH_TIMEOUT(console().rowOf(Locks, row) >= 0, 15'000);
    QVERIFY(choose(Locks, row));
    QTRY_VERIFY_WITH_TIMEOUT(console().detail(Locks).contains(QStringLiteral("worker-b")), 15'000);
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    QTRY_VERIFY_WITH_TIMEOUT(console().detail(Locks).contains(QStringLiteral("worker-a")), 15'000);
    QVERIFY(!console().detail(Locks).contains(QStringLiteral("worker-b")));
    QVERIFY2(m_recorded->bar().sentence().contains(QStringLiteral("Actions are off")),
             qPrintable(m_recorded->bar().sentence()));
    QVERIFY(m_recorded->bar().sentence().contains(QStringLiteral("ago")));
    // The live session goes on meanwhile.
    QCOMPARE(lock().owner, QByteArray("worker-b"));
}

void TestTimeTravel::theQueueAsItWasThen()
{
    console().window.showBoard(Queues);
    QVERIFY(choose(Queues, QStringLiteral("jobs")));
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    QTRY_COMPARE_WITH_TIMEOUT(console().figure(Queues, 0), QStringLiteral("5"), 15'000);
    QCOMPARE(console().figure(Queues, 1), QStringLiteral("2"));
    QCOMPARE(console().figure(Queues, 2), QStringLiteral("2"));
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    QTRY_COMPARE_WITH_TIMEOUT(console().figure(Queues, 0), QStringLiteral("2"), 15'000);
}

void TestTimeTravel::howLongTheQueueWasStuck()
{
    console().window.showBoard(Queues);
    LifeDialog* dialog = openLife(QStringLiteral("jobs"));
    QVERIFY(dialog);
    const QString lines = linesOf(*dialog);
    QVERIFY2(lines.contains(QStringLiteral("2 job")), qPrintable(lines));
    QVERIFY2(lines.contains(QStringLiteral("no job stuck any more, after ")), qPrintable(lines));
    const auto& all = dialog->model().lines();
    const auto ended = std::ranges::find_if(all, [](const LifeLine& line) {
        return line.text.startsWith(QStringLiteral("no job stuck"));
    });
    QVERIFY(ended->fromMs > m_stuckMs && ended->fromMs < m_afterMs);
}

void TestTimeTravel::whenTheTenantHitItsLimit()
{
    console().window.showBoard(Limiters);
    QTRY_VERIFY(console().rowOf(Limiters, QStringLiteral("quota:berlin")) >= 0);
    LifeDialog* dialog = openLife(QStringLiteral("quota:berlin"));
    QVERIFY(dialog);
    const auto& all = dialog->model().lines();
    const auto full = std::ranges::find_if(
        all, [](const LifeLine& line) { return line.text == QStringLiteral("at its limit"); });
    QVERIFY2(full != all.end(), qPrintable(linesOf(*dialog)));
    QVERIFY(full->fromMs > m_heldMs - 500 && full->fromMs < m_stuckMs);
}

void TestTimeTravel::whoReleasedWhat()
{
    console().window.showBoard(Queues);
    LifeDialog* dialog = openLife(QStringLiteral("jobs"));
    QVERIFY(dialog);
    QVERIFY2(linesOf(*dialog).contains(QStringLiteral("requeue")), qPrintable(linesOf(*dialog)));
    // Its own line leads to the moment.
    auto* table = dialog->findChild<QTableView*>(QStringLiteral("lifeTable"));
    for (int row = 0; row < dialog->model().rowCount(); ++row) {
        if (dialog->model().lines()[size_t(row)].sort == TimeMark::Sort::Action)
            table->selectRow(row);
    }
    QVERIFY(table->currentIndex().isValid());
    const qint64 tMs = dialog->model().lines()[size_t(table->currentIndex().row())].fromMs;
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(m_recorded->shows(tMs));
}

void TestTimeTravel::actionsAreOffInThePast()
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

void TestTimeTravel::selectionAndFilterStay()
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

void TestTimeTravel::aClickOnTheStripAndKeysMoveTheTime()
{
    TimeStrip& strip = m_recorded->strip();
    const QPoint at(int(strip.xOf(m_stuckMs)), 10);
    QTest::mouseClick(&strip, Qt::LeftButton, {}, at);
    QVERIFY(strip.moment());
    QVERIFY(m_recorded->shows(*strip.moment()));
    const qint64 clicked = *strip.moment();
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(*strip.moment(), clicked - 1000);
    QTest::keyClick(&strip, Qt::Key_Home);
    QCOMPARE(*strip.moment(), m_recorded->history()->firstMs());
    QVERIFY(m_recorded->shows(*strip.moment()));
    QTest::keyClick(&strip, Qt::Key_PageDown);
    QVERIFY(!strip.moment() || *strip.moment() > m_recorded->history()->firstMs());
    QTest::keyClick(&strip, Qt::Key_End);
    QVERIFY(!strip.moment());
    QVERIFY(!m_recorded->travel().isPast());
}

void TestTimeTravel::aClickInAChartShowsThatMoment()
{
    console().window.showBoard(Queues);
    QVERIFY(choose(Queues, QStringLiteral("jobs")));
    TimeChart* chart = nullptr;
    QVERIFY(QTest::qWaitFor(
        [&] {
            for (auto* one : console().page(Queues).findChildren<TimeChart*>()) {
                if (one->isVisible() && one->fromMs() > 0)
                    chart = one;
            }
            return chart != nullptr;
        },
        15'000));
    QWidget* plot = plotOf(*chart);
    QVERIFY(plot);
    auto* feed = console().page(Queues).findChild<SeriesFeed*>();
    QSignalSpy chosen(feed->axis(), &TimeAxis::momentChosen);
    // From the right: labels, what is to come, now, and then what has been.
    for (int x = plot->width() - 1; x > 0 && !m_recorded->travel().isPast(); --x)
        QTest::mouseClick(plot, Qt::LeftButton, {}, {x, plot->height() / 2});
    QVERIFY(m_recorded->travel().isPast() && !chosen.isEmpty());
    const qint64 tMs = chosen.last()[0].toLongLong();
    QVERIFY2(m_recorded->shows(tMs), qPrintable(m_recorded->bar().sentence()));
}

void TestTimeTravel::whatWasTypedWrongIsSaid()
{
    m_recorded->typeTime(QStringLiteral("yesterday-ish"));
    QVERIFY(!m_recorded->travel().isPast());
    QTRY_VERIFY(!m_recorded->bar().sentence().isEmpty());
    auto* field = m_recorded->bar().findChild<QLineEdit*>(QStringLiteral("timeField"));
    QVERIFY(field->isVisible());
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(field->isHidden());
    m_recorded->typeTime(QStringLiteral("-9d"));
    QTRY_VERIFY2(m_recorded->bar().sentence().contains(QStringLiteral("Nothing was recorded")),
                 qPrintable(m_recorded->bar().sentence()));
    QVERIFY(!m_recorded->travel().isPast());
}

void TestTimeTravel::eventsOneAfterTheOther()
{
    m_recorded->typeTime(RecordedConsole::iso(m_heldMs));
    QVERIFY(m_recorded->shows(m_heldMs));
    auto* next =
        ConsoleWindow::button<QToolButton>(m_recorded->bar(), QStringLiteral("Next event"));
    QTest::mouseClick(next, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(*m_recorded->strip().moment() > m_heldMs, 15'000);
    const qint64 event = *m_recorded->strip().moment();
    QVERIFY(m_recorded->shows(event));
    QTRY_VERIFY(m_recorded->bar().sentence().contains(QStringLiteral("\u00b7")));
    console().press(Qt::Key_Right, Qt::AltModifier);
    QTRY_VERIFY_WITH_TIMEOUT(*m_recorded->strip().moment() > event, 15'000);
    console().press(Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE_WITH_TIMEOUT(*m_recorded->strip().moment(), event, 15'000);
}

void TestTimeTravel::itPlaysToTheEnd()
{
    m_recorded->typeTime(RecordedConsole::iso(m_stuckMs));
    QVERIFY(m_recorded->shows(m_stuckMs));
    auto* speed = m_recorded->bar().findChild<QComboBox*>();
    speed->setCurrentIndex(2); // 60 times
    auto* play = ConsoleWindow::button<QToolButton>(m_recorded->bar(), QStringLiteral("Play"));
    QTest::mouseClick(play, Qt::LeftButton);
    QCOMPARE(play->accessibleName(), QStringLiteral("Stop playing"));
    QTRY_VERIFY_WITH_TIMEOUT(!m_recorded->travel().isPast(), 60'000); // the end is the present
    QCOMPARE(play->accessibleName(), QStringLiteral("Play"));
}

void TestTimeTravel::theLifeCanBeTakenAlong()
{
    console().window.showBoard(Locks);
    LifeDialog* dialog = openLife(QStringLiteral("lock:report"));
    QVERIFY(dialog);
    QAbstractItemModelTester tester(&dialog->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QString text = dialog->text();
    QVERIFY2(text.contains(QStringLiteral("held by worker-a for")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("its lease ran out")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("held by worker-b for")), qPrintable(text));
    QVERIFY(dialog->csv().contains(QStringLiteral("\"worker-a\"")));
    const QImage report = dialog->report();
    QVERIFY(report.width() > 1000 && report.height() > 300);
    auto* filter = dialog->findChild<QLineEdit*>();
    const int all = dialog->model().rowCount();
    QTest::keyClicks(filter, QStringLiteral("worker-b"));
    QVERIFY(dialog->model().rowCount() > 0 && dialog->model().rowCount() < all);
    filter->clear();
    if (const QString folder = qEnvironmentVariable("LOCKKEEPER_SHOTS"); !folder.isEmpty())
        QVERIFY(report.save(QDir(folder).filePath(QStringLiteral("past-report.png"))));
    shoot(*dialog, QStringLiteral("past-life"));
}

void TestTimeTravel::pictures_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280") << QSize(1280, 800);
    QTest::newRow("1024") << QSize(1024, 700);
}

void TestTimeTravel::pictures()
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
        QTRY_VERIFY_WITH_TIMEOUT(console().rowOf(board, row) >= 0 || board == Locks, 15'000);
        QTest::qWait(150); // a redraw is at most 100 ms away
        shoot(
            console().window,
            QStringLiteral("past-%1-%2").arg(console().window.boardTitle(board)).arg(size.width()));
        QCOMPARE(clippedTexts(m_recorded->bar()), QStringList());
        backToLive();
    }
    shoot(console().window, QStringLiteral("past-live-%1").arg(size.width()));
}

QTEST_MAIN(TestTimeTravel)
#include "tst_timetravel.moc"
