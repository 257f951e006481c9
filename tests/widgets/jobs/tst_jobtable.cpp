// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/bullqueue.h"
#include "tests/widgets/dialogshots.h"
#include "tests/widgets/jobdriver.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"

#include <QPlainTextEdit>
#include <QScrollBar>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

// The jobs of a library that names them: paged, searched, opened, chosen.
class TestJobTable : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.line("FLUSHALL"); }

    void aStateHasItsOwnColumns()
    {
        fillWithBullQueue(m_server, 20);
        ConsoleWindow console(setup());
        console.window.resize(1420, 800); // beside all columns of the board
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        QTRY_VERIFY(stateButton(console, QStringLiteral("Failed 20")));
        QTRY_COMPARE(titles(console), (QStringList{u"No."_s, u"ID"_s, u"Name"_s,
                                                   u"In progress for"_s, u"Worker"_s}));
        QTRY_COMPARE(ids(console), (QStringList{u"a1"_s, u"a2"_s}));
        QVERIFY(cell(console, 1, JobModel::TimeColumn).endsWith(QStringLiteral("stuck")));
        QVERIFY(!cell(console, 0, JobModel::TimeColumn).endsWith(QStringLiteral("stuck")));
        chooseState(console, "Failed 20");
        QTRY_COMPARE(jobTable(console).model()->rowCount(), 20);
        QTRY_COMPARE(cell(console, 0, JobModel::IdColumn), QStringLiteral("20"));
        QCOMPARE(cell(console, 0, JobModel::ErrorColumn), QStringLiteral("no such file"));
        QCOMPARE(cell(console, 0, JobModel::AttemptsColumn), QStringLiteral("3 / 3"));
        QCOMPARE(titles(console),
                 (QStringList{u"No."_s, u"ID"_s, u"Name"_s, u"Since failure"_s, u"Error"_s}));
        openWide(console);
        QCOMPARE(titles(console), (QStringList{u"No."_s, u"ID"_s, u"Name"_s, u"Since failure"_s,
                                               u"Attempts"_s, u"Size"_s, u"Error"_s}));
        chooseState(console, "Delayed 1");
        QTRY_COMPARE(ids(console), QStringList{u"d1"_s});
        QVERIFY(cell(console, 0, JobModel::TimeColumn).startsWith(QStringLiteral("59 m")));
    }

    // In a pane a UUID and a dotted name leave room for how long the job has been in progress, and
    // both are told by their ends.
    void aLongIdLeavesRoomForTheTime()
    {
        constexpr qint64 now = 1'700'000'000'000;
        JobTable table;
        table.resize(376, 200);
        table.show();
        std::vector<QueueJob> jobs(2);
        for (QueueJob& job : jobs) {
            job.facts.id =
                "5be83ccd-cb44-4d3e-9a0c-52177abcaf5" + QByteArray::number(&job - &jobs[0]);
            job.facts.name = "shop.tasks.sync_inventory_of_all_warehouses";
            job.facts.startedMs = now - 990'000;
            job.fingerprint = fingerprintOf(job.facts.id);
        }
        table.setJobs("celery", {JobRole::Processing, now, 60'000, false}, jobs, {0, 1});
        QCoreApplication::processEvents();
        const int end = table.columnViewportPosition(JobModel::TimeColumn) +
                        table.columnWidth(JobModel::TimeColumn);
        QVERIFY(!table.isColumnHidden(JobModel::TimeColumn));
        QVERIFY2(end <= table.viewport()->width(), QByteArray::number(end).constData());
        const QFontMetrics mono(monoFont(TextSize::Body));
        QVERIFY(table.columnWidth(JobModel::IdColumn) > mono.horizontalAdvance(u"5be83..abcaf5"_s));
    }

    // Only what is on screen is read, wherever that is.
    void aHundredThousandJobs()
    {
        m_server.line("RPUSH jobs:processing p2 p1");
        m_server.run({"EVAL", "for i = 0, 99999 do redis.call('LPUSH', 'jobs', i) end", "0"});
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs"), 1));
        chooseState(console, "Waiting 100,000");
        QTRY_COMPARE(jobTable(console).model()->rowCount(), 100'000);
        QTRY_COMPARE(cell(console, 0, JobModel::PayloadColumn), QStringLiteral("0"));
        openWide(console);
        for (const int row : {50'000, 99'999, 12'345}) {
            jobTable(console).scrollTo(jobTable(console).model()->index(row, 0));
            QTRY_COMPARE(cell(console, row, JobModel::PayloadColumn), QString::number(row));
        }
        QVERIFY2(jobTable(console).jobs().readRows() < 1000,
                 qPrintable(QString::number(jobTable(console).jobs().readRows())));
    }

    void aSearchSaysHowFarItGot()
    {
        fillWithBullQueue(m_server, 12'000);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        chooseState(console, "Failed 12,000");
        QTRY_COMPARE(jobTable(console).model()->rowCount(), 12'000);
        search(console, QStringLiteral("1234"));
        // Failed last comes first: 11234 is among the first 10,000, 1234 is not.
        QTRY_VERIFY_WITH_TIMEOUT(progress(console).endsWith(QStringLiteral("10,000 of 12,000")),
                                 20'000);
        QTest::mouseClick(
            ConsoleWindow::button<QToolButton>(console.page(Queues), QStringLiteral("Search more")),
            Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(progress(console), QStringLiteral("2 found, searched all 12,000"),
                                  20'000);
        QCOMPARE(ids(console), (QStringList{u"11234"_s, u"1234"_s}));
        // Where it stands among all.
        QCOMPARE(cell(console, 1, JobModel::NumberColumn), QStringLiteral("10,767"));
        QTest::keyClick(field(console), Qt::Key_Escape);
        QTRY_COMPARE(jobTable(console).model()->rowCount(), 12'000);
    }

    void aJobIsOpenedAndItsPayloadHidden()
    {
        fillWithBullQueue(m_server, 3);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        chooseState(console, "Failed 3");
        QTRY_COMPARE(ids(console), (QStringList{u"3"_s, u"2"_s, u"1"_s}));
        jobTable(console).setFocus();
        jobTable(console).selectRow(1);
        QTest::keyClick(&jobTable(console), Qt::Key_Return);
        QTRY_VERIFY(console.window.findChild<JobDialog*>());
        auto* dialog = console.window.findChild<JobDialog*>();
        auto* payload = dialog->findChild<QPlainTextEdit*>(QStringLiteral("payload"));
        auto* error = dialog->findChild<QPlainTextEdit*>(QStringLiteral("error"));
        QTRY_VERIFY(
            error->toPlainText().contains(QStringLiteral("\n    at deliver (mail.js:4:2)")));
        QVERIFY(payload->toPlainText().isEmpty());
        const QString said = ConsoleWindow::texts(*dialog);
        QVERIFY2(said.contains(QStringLiteral("3 of 3")) &&
                     !said.contains(QStringLiteral("S3CRET")),
                 qPrintable(said));
        shoot(*dialog, QStringLiteral("job"));
        QTest::mouseClick(
            ConsoleWindow::button<QPushButton>(*dialog, QStringLiteral("Show payload")),
            Qt::LeftButton);
        QCOMPARE(payload->toPlainText(), QStringLiteral("{\n  \"to\": \"S3CRET-2\"\n}"));
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!console.window.findChild<JobDialog*>());
    }

    void failuresAreGroupedAndLeadToTheirJobs()
    {
        fillWithBullQueue(m_server, 40);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        QTRY_VERIFY(rows(console, "failures") && rows(console, "failures")->isVisible());
        QTableView& failures = *rows(console, "failures");
        QTRY_COMPARE(failures.model()->rowCount(), 2);
        QCOMPARE(text(failures, 0, 0), QStringLiteral("36"));
        QCOMPARE(text(failures, 0, 1), QStringLiteral("mailbox full"));
        QCOMPARE(text(failures, 1, 1), QStringLiteral("no such file"));
        QVERIFY(console.detail(Queues).contains(QStringLiteral("Of all 40 failed jobs")));
        failures.selectRow(1);
        failures.setFocus();
        QTest::keyClick(&failures, Qt::Key_Return);
        QTRY_COMPARE(progress(console), QStringLiteral("4 found, searched all 40"));
        QCOMPARE(ids(console), (QStringList{u"40"_s, u"30"_s, u"20"_s, u"10"_s}));
    }

    // Groups, plan and action are about all failed jobs, not the newest ones.
    void failuresOfThousandsAreCounted()
    {
        fillWithBullQueue(m_server, 2500);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        QTRY_VERIFY(console.detail(Queues).contains(QStringLiteral("Of all 2,500 failed jobs")));
        QTableView& failures = *rows(console, "failures");
        QCOMPARE(failures.model()->rowCount(), 2);
        QCOMPARE(text(failures, 0, 0), QStringLiteral("2,250"));
        QCOMPARE(text(failures, 1, 0), QStringLiteral("250"));
        QCOMPARE(text(failures, 1, 1), QStringLiteral("no such file"));
    }

    void workersAndTheirJobs()
    {
        fillWithBullQueue(m_server, 1);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        QTRY_VERIFY(rows(console, "workers") && rows(console, "workers")->isVisible());
        QTableView& workers = *rows(console, "workers");
        QTRY_COMPARE(workers.model()->rowCount(), 1);
        QCOMPARE(text(workers, 0, 0), QStringLiteral("worker-1"));
        QCOMPARE(text(workers, 0, 1), QStringLiteral("alive"));
        QCOMPARE(text(workers, 0, 3), QStringLiteral("2"));
    }

    // A selected job stays selected while it is off screen, until another one is selected.
    void aSelectionOutlivesScrolling()
    {
        fillWithBullQueue(m_server, 5000);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        chooseState(console, "Failed 5,000");
        QTRY_COMPARE(cell(console, 0, JobModel::IdColumn), QStringLiteral("5000"));
        openWide(console);
        click(console, 1);
        click(console, 3, Qt::ControlModifier);
        QCOMPARE(jobTable(console).chosen().given.at("job"), chosen(console, {"4999", "4997"}));
        jobTable(console).scrollTo(jobTable(console).model()->index(4000, 0));
        QTRY_COMPARE(cell(console, 4000, JobModel::IdColumn), QStringLiteral("1000"));
        QTRY_COMPARE(jobTable(console).chosen().count, 2);
        jobTable(console).scrollToTop();
        QTRY_COMPARE(cell(console, 1, JobModel::IdColumn), QStringLiteral("4999"));
        QTRY_COMPARE(selectedRows(console), (QList<int>{1, 3}));
        click(console, 2);
        QCOMPARE(jobTable(console).chosen().count, 1);
        QCOMPARE(jobTable(console).chosen().given.at("job"), QByteArray("4998"));
    }

    // By its id, as its library retries it.
    void chosenJobsAreRetried()
    {
        fillWithBullQueue(m_server, 5);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        QVERIFY(enableWriteMode(console));
        chooseState(console, "Failed 5");
        QTRY_COMPARE(cell(console, 0, JobModel::IdColumn), QStringLiteral("5"));
        click(console, 1);
        emit jobTable(console).customContextMenuRequested(
            jobTable(console).visualRect(jobTable(console).model()->index(1, 0)).center());
        choose(QStringLiteral("Retry (1)\u2026"));
        QTRY_VERIFY(button(console, QStringLiteral("Plan")));
        QTest::mouseClick(button(console, QStringLiteral("Plan")), Qt::LeftButton);
        runPlan(console);
        QCOMPARE(m_server.line("ZCARD bull:email:failed").integer, 4);
        QVERIFY(!m_server.line("ZSCORE bull:email:failed 4").isText());

        // The receipt reports whether a worker takes the job.
        QVERIFY(said(console).contains(QStringLiteral("waiting for a worker")));
        m_server.line("LPUSH bull:email:active 4");
        m_server.line("LREM bull:email:wait 1 4");
        QTRY_VERIFY2(said(console).contains(QStringLiteral("taken after")),
                     qPrintable(said(console)));
        shoot(*dialog(console), QStringLiteral("jobs-retried"));
    }

    void returnOpensAndEscapeLeaves()
    {
        fillWithBullQueue(m_server, 5);
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        console.table(Queues).setFocus();
        QTest::keyClick(&console.table(Queues), Qt::Key_Return);
        QTRY_VERIFY(!console.table(Queues).isVisible());
        QVERIFY(jobTable(console).isVisible());
        QTRY_VERIFY(jobTable(console).width() > 800);
        QTest::keyClick(&jobTable(console), Qt::Key_Escape);
        QTRY_VERIFY(console.table(Queues).isVisible());
    }

    void pictures_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize& size : {QSize(1280, 800), QSize(1024, 700)})
            QTest::addRow("%d", size.width()) << size;
    }
    void pictures()
    {
        QFETCH(QSize, size);
        fillWithBullQueue(m_server, 2500);
        ConsoleWindow console(setup(), size);
        QVERIFY(openBoard(console, Queues, QStringLiteral("email"), 1));
        QTRY_VERIFY(stateButton(console, QStringLiteral("Failed 2,500")));
        QTRY_COMPARE(jobTable(console).model()->rowCount(), 2);
        shoot(console.window, QStringLiteral("jobs-pane-%1").arg(size.width()));
        chooseState(console, "Failed 2,500");
        QTRY_COMPARE(cell(console, 0, JobModel::IdColumn), QStringLiteral("2500"));
        shoot(console.window, QStringLiteral("jobs-failed-%1").arg(size.width()));
        openWide(console);
        QTRY_VERIFY(jobTable(console).width() > 700);
        click(console, 2);
        click(console, 4, Qt::ControlModifier);
        shoot(console.window, QStringLiteral("jobs-wide-%1").arg(size.width()));
        search(console, QStringLiteral("no such"));
        QTRY_VERIFY_WITH_TIMEOUT(progress(console).contains(QStringLiteral("all 2,500")), 20'000);
        shoot(console.window, QStringLiteral("jobs-search-%1").arg(size.width()));
        QCOMPARE(
            clippedTexts(*console.page(Queues).findChild<QWidget*>(QStringLiteral("detailPane"))),
            QStringList());
    }

private:
    static QTableView* rows(ConsoleWindow& console, const char* name)
    {
        return console.page(Queues).findChild<QTableView*>(QLatin1String(name));
    }
    static QString text(const QTableView& view, int row, int column)
    {
        return view.model()->index(row, column).data().toString();
    }
    static QString cell(ConsoleWindow& console, int row, int column)
    {
        return text(jobTable(console), row, column);
    }
    static QStringList ids(ConsoleWindow& console)
    {
        QStringList all;
        for (int row = 0; row < jobTable(console).model()->rowCount(); ++row)
            all << cell(console, row, JobModel::IdColumn);
        return all;
    }
    static QStringList titles(ConsoleWindow& console)
    {
        QStringList all;
        for (int column = 0; column < JobModel::ColumnTotal; ++column) {
            if (!jobTable(console).isColumnHidden(column))
                all << jobTable(console).model()->headerData(column, Qt::Horizontal).toString();
        }
        return all;
    }
    static QList<int> selectedRows(ConsoleWindow& console)
    {
        QList<int> all;
        for (const QModelIndex& index : jobTable(console).selectionModel()->selectedRows())
            all << index.row();
        std::sort(all.begin(), all.end());
        return all;
    }
    // The ids in the order in which the table gives them.
    static QByteArray chosen(ConsoleWindow& console, const QByteArrayList& ids)
    {
        const QByteArrayList given = jobTable(console).chosen().given.at("job").split(',');
        const bool same = QSet<QByteArray>(given.begin(), given.end()) ==
                          QSet<QByteArray>(ids.begin(), ids.end());
        return same ? jobTable(console).chosen().given.at("job") : ids.join(',');
    }
    static void click(ConsoleWindow& console, int row, Qt::KeyboardModifiers modifiers = {})
    {
        const QModelIndex index = jobTable(console).model()->index(row, JobModel::NumberColumn);
        QTest::mouseClick(jobTable(console).viewport(), Qt::LeftButton, modifiers,
                          jobTable(console).visualRect(index).center());
    }
    static void openWide(ConsoleWindow& console)
    {
        QTest::mouseClick(console.page(Queues).findChild<QToolButton*>(QStringLiteral("openJobs")),
                          Qt::LeftButton);
        QTRY_VERIFY(!console.table(Queues).isVisible());
    }
    static QLineEdit* field(ConsoleWindow& console)
    {
        return console.page(Queues).findChild<QLineEdit*>(QStringLiteral("jobSearch"));
    }
    static void search(ConsoleWindow& console, const QString& text)
    {
        field(console)->setFocus();
        QTest::keyClicks(field(console), text);
        QTest::keyClick(field(console), Qt::Key_Return);
    }
    static QString progress(ConsoleWindow& console)
    {
        return console.page(Queues).findChild<QLabel*>(QStringLiteral("jobSearchProgress"))->text();
    }
    Session::Setup setup() const
    {
        Session::Setup setup = setupFor(m_server.url());
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestJobTable);
#include "tst_jobtable.moc"
