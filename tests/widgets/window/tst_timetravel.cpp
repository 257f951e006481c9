// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/recordedincident.h"
#include "tests/widgets/timecharts.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/tables/rowdelegate.h"
#include "widgets/detail/seriesfeed.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>

using namespace lk;
using namespace lk::test;

/// A recording answers questions about an incident afterwards.
class TestTimeTravel : public RecordedIncident
{
    Q_OBJECT

private slots:
    void initTestCase() { happen(); }
    void init() { theme().choose(ThemeChoice::Light); }
    void cleanup();
    void cleanupTestCase() { m_recorded.reset(); }

    void theBarIsThereOnceThereIsARecording();
    void whoHeldTheLockThen();
    void theQueueAsItWasThen();
    void howLongTheQueueWasStuck();
    void whenTheTenantHitItsLimit();
    void whoReleasedWhat();
    void aClickOnTheStripAndKeysMoveTheTime();
    void aClickInAChartShowsThatMoment();
    void aJournalLineLeadsToItsMoment();
    void whatWasTypedWrongIsSaid();
    void eventsOneAfterTheOther();
    void itPlaysToTheEnd();
    void theLifeCanBeTakenAlong();

private:
    /// The row that has this text in one of its cells is clicked, once it is there.
    bool clickOn(const char* table, const QString& text)
    {
        auto* rows = console().window.findChild<QTableView*>(QLatin1String(table));
        return rows && QTest::qWaitFor(
                           [&] {
                               const QAbstractItemModel& model = *rows->model();
                               for (int row = 0; row < model.rowCount(); ++row) {
                                   for (int column = 0; column < model.columnCount(); ++column) {
                                       const QModelIndex index = model.index(row, column);
                                       if (!index.data().toString().contains(text))
                                           continue;
                                       rows->scrollTo(index);
                                       QTest::mouseClick(rows->viewport(), Qt::LeftButton, {},
                                                         rows->visualRect(index).center());
                                       return true;
                                   }
                               }
                               return false;
                           },
                           15'000);
    }
    QPushButton* buttonOf(const char* pane, const char* name)
    {
        auto* found = console().window.findChild<QWidget*>(QLatin1String(pane));
        return found ? found->findChild<QPushButton*>(QLatin1String(name)) : nullptr;
    }
};

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
    QVERIFY2(lines.contains(QStringLiteral("no more stuck jobs, after ")), qPrintable(lines));
    const auto& all = dialog->model().lines();
    const auto ended = std::ranges::find_if(all, [](const TimelineEntry& line) {
        return line.text.startsWith(QStringLiteral("no more stuck jobs"));
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
        all, [](const TimelineEntry& line) { return line.text == QStringLiteral("at its limit"); });
    QVERIFY2(full != all.end(), qPrintable(linesOf(*dialog)));
    QVERIFY(full->fromMs > m_heldMs - 500 && full->fromMs < m_stuckMs);
}

void TestTimeTravel::whoReleasedWhat()
{
    console().window.showBoard(Queues);
    LifeDialog* dialog = openLife(QStringLiteral("jobs"));
    QVERIFY(dialog);
    QVERIFY2(linesOf(*dialog).contains(QStringLiteral("requeue")), qPrintable(linesOf(*dialog)));
    // No time is cut. Its own line leads to the moment.
    auto* table = dialog->findChild<QTableView*>(QStringLiteral("lifeTable"));
    for (int row = 0; row < dialog->model().rowCount(); ++row) {
        const QString when = dialog->model().index(row, LifeModel::WhenColumn).data().toString();
        QVERIFY(table->fontMetrics().horizontalAdvance(when) + 2 * RowDelegate::margin <=
                table->columnWidth(LifeModel::WhenColumn));
        if (dialog->model().lines()[size_t(row)].sort == TimeMark::Sort::Action)
            table->selectRow(row);
    }
    QVERIFY(table->currentIndex().isValid());
    const qint64 tMs = dialog->model().lines()[size_t(table->currentIndex().row())].fromMs;
    QTest::keyClick(table, Qt::Key_Return);
    QVERIFY(m_recorded->shows(tMs));
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

void TestTimeTravel::aJournalLineLeadsToItsMoment()
{
    console().window.showBoard(JournalBoard);
    QVERIFY(clickOn("journalTable", QStringLiteral("requeue")));
    auto* button = buttonOf("journalDetail", "showMoment");
    QTRY_VERIFY_WITH_TIMEOUT(button && button->isVisible(), 15'000);
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(m_recorded->travel().isPast());
    QTRY_VERIFY(m_recorded->strip().moment());
    const qint64 tMs = *m_recorded->strip().moment();
    QVERIFY2(tMs > m_stuckMs && tMs < m_afterMs + 2000, qPrintable(QString::number(tMs)));
    QVERIFY(m_recorded->shows(tMs));
    // The step's effect is visible then: no job is stuck any more.
    console().window.showBoard(Queues);
    QVERIFY(choose(Queues, QStringLiteral("jobs")));
    QTRY_COMPARE_WITH_TIMEOUT(console().figure(Queues, 0), QStringLiteral("7"), 15'000);
    QCOMPARE(console().figure(Queues, 1), QStringLiteral("0"));
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
    QVERIFY2(text.contains(QStringLiteral("expired")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("held by worker-b for")), qPrintable(text));
    QVERIFY(dialog->csv().contains(QStringLiteral("\"worker-a\"")));
    const QImage report = dialog->report();
    QVERIFY(report.width() > 1000 && report.height() > 300);
    auto* filter = dialog->findChild<QLineEdit*>();
    const int all = dialog->model().rowCount();
    QTest::keyClicks(filter, QStringLiteral("worker-b"));
    QVERIFY(dialog->model().rowCount() > 0 && dialog->model().rowCount() < all);
    filter->clear();
    // Another theme reaches all of it.
    auto* save = ConsoleWindow::button<QToolButton>(*dialog, QStringLiteral("Save"));
    QVERIFY(save);
    const QImage light = save->icon().pixmap(16).toImage();
    theme().choose(ThemeChoice::Dark);
    QTRY_VERIFY(save->icon().pixmap(16).toImage() != light);
    shoot(*dialog, QStringLiteral("past-life-dark"));
    theme().choose(ThemeChoice::Light);
    QTRY_COMPARE(save->icon().pixmap(16).toImage(), light);
    if (const QString folder = qEnvironmentVariable("LOCKKEEPER_SHOTS"); !folder.isEmpty())
        QVERIFY(report.save(QDir(folder).filePath(QStringLiteral("past-report.png"))));
    shoot(*dialog, QStringLiteral("past-life"));
}

LK_WIDGET_TEST(TestTimeTravel);
#include "tst_timetravel.moc"
