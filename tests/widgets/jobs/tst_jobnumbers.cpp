// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/bullqueue.h"
#include "tests/widgets/jobdriver.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"
#include "widgets/detail/jobs/rows/rowstable.h"
#include "widgets/detail/pane/layoutcharts.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

// How long a queue's jobs waited and ran, what gets done, and which jobs belong together.
class TestJobNumbers : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        m_server.line("FLUSHALL");
        fillWithBullQueue(m_server, 3);
    }

    void chartsSayOfHowManyJobs();
    void withoutTimesNothingIsTold();
    void sinceWhenAQueueIsPaused();
    void aChildOpensByReturnAndItsParentByADoubleClick();
    void aJobOfAnotherQueueThatIsNotThere();
    void aBatchIsSearchedFor();

private:
    void complete(const QByteArray& id, qint64 waitedMs, qint64 ranMs)
    {
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        const auto ago = [&](qint64 ms) { return QByteArray::number(now - ms); };
        m_server.run({"HSET", "bull:email:" + id, "name", "send", "data", "{}", "opts", "{}",
                      "timestamp", ago(1000 + waitedMs + ranMs), "processedOn", ago(1000 + ranMs),
                      "finishedOn", ago(1000), "atm", "1"});
        m_server.run({"ZADD", "bull:email:completed", ago(1000), id});
    }
    // A parent that waits for one child and has another that is done.
    void addFlow()
    {
        const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
        for (const char* id : {"p1", "c1", "c2"})
            m_server.run({"HSET", QByteArray("bull:email:") + id, "name", "album", "data", "{}",
                          "opts", "{}", "timestamp", now});
        for (const char* id : {"c1", "c2"})
            m_server.run({"HSET", QByteArray("bull:email:") + id, "parentKey", "bull:email:p1"});
        m_server.run({"ZADD", "bull:email:waiting-children", now, "p1"});
        m_server.run({"SADD", "bull:email:p1:dependencies", "bull:email:c1"});
        m_server.run({"HSET", "bull:email:p1:processed", "bull:email:c2", "1"});
        m_server.run({"LPUSH", "bull:email:wait", "c1"});
    }
    static QString fact(ConsoleWindow& console, const QString& label)
    {
        for (const FactGrid* grid : console.page(Queues).findChildren<FactGrid*>()) {
            for (const FactGrid::Row& row : grid->rows()) {
                if (row.label == label)
                    return row.value;
            }
        }
        return {};
    }
    // Opens the first job of that state; null: there is none.
    static JobDialog* openFirst(ConsoleWindow& console, const QString& state)
    {
        if (!QTest::qWaitFor([&] { return stateButton(console, state) != nullptr; }, 10'000))
            return nullptr;
        QTest::mouseClick(stateButton(console, state), Qt::LeftButton);
        if (!QTest::qWaitFor([&] { return jobTable(console).model()->rowCount() == 1; }, 10'000))
            return nullptr;
        jobTable(console).setFocus();
        jobTable(console).selectRow(0);
        QTest::keyClick(&jobTable(console), Qt::Key_Return);
        return dialog(console, QString());
    }
    // The open one whose title ends like that.
    static JobDialog* dialog(ConsoleWindow& console, const QString& end)
    {
        JobDialog* found = nullptr;
        const auto find = [&] {
            for (JobDialog* each : console.window.findChildren<JobDialog*>()) {
                for (const QLabel* label : each->findChildren<QLabel*>()) {
                    if (label->text().endsWith(end))
                        found = each;
                }
            }
            return found != nullptr;
        };
        return QTest::qWaitFor(find, 10'000) ? found : nullptr;
    }
    static RowsTable* links(JobDialog* dialog)
    {
        auto* rows = dialog->findChild<RowsTable*>(QStringLiteral("jobLinks"));
        return QTest::qWaitFor([&] { return rows->isVisible(); }, 10'000) ? rows : nullptr;
    }
    static QStringList rows(const RowsTable& table)
    {
        QStringList all;
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < table.model()->columnCount(); ++column)
                cells << table.model()->index(row, column).data().toString();
            all << cells.join(u" | "_s);
        }
        return all;
    }
    Session::Setup setup() const { return setupFor(m_server.url(), sampleConfig); }

    RedisServer m_server;
};

void TestJobNumbers::chartsSayOfHowManyJobs()
{
    complete("7", 2000, 300);
    complete("8", 4000, 500);
    ConsoleWindow console(setup());
    QVERIFY(openBoard(console, Queues, u"email"_s, 1));
    auto* charts = console.page(Queues).findChild<LayoutCharts*>();
    QVERIFY(charts);
    QTRY_COMPARE(charts->findChildren<TimeChart*>().size(), 3);
    QStringList titles;
    for (const TimeChart* chart : charts->findChildren<TimeChart*>())
        titles << chart->accessibleName();
    QCOMPARE(titles, (QStringList{u"Throughput"_s, u"Waiting time"_s, u"Running time"_s}));
    TimeChart* ran = charts->findChildren<TimeChart*>()[2];
    QTRY_VERIFY2(ran->accessibleDescription().contains(u"500 ms"_s),
                 qPrintable(ran->accessibleDescription()));
    QVERIFY2(ran->accessibleDescription().contains(u"p99"_s),
             qPrintable(ran->accessibleDescription()));
    QTRY_VERIFY2(
        console.detail(Queues).contains(u"p50 300 ms, p95 500 ms, p99 500 ms, of 2 jobs"_s),
        qPrintable(console.detail(Queues)));
    QVERIFY(console.detail(Queues).contains(u"at least: of the jobs that are still kept"_s));
    complete("9", 4000, 9000);
    QTRY_VERIFY2(console.detail(Queues).contains(u"p50 500 ms, p95 9 s, p99 9 s, of 3 jobs"_s),
                 qPrintable(console.detail(Queues)));
    // Above its neighbours of the kind, and below the list of jobs.
    const auto top = [&](const QWidget* w) {
        return w->mapTo(&console.page(Queues), QPoint()).y();
    };
    QVERIFY(top(&jobTable(console)) < top(charts));
}

void TestJobNumbers::withoutTimesNothingIsTold()
{
    ConsoleWindow console(setup());
    QVERIFY(openBoard(console, Queues, u"email"_s, 1));
    auto* charts = console.page(Queues).findChild<LayoutCharts*>();
    QTRY_COMPARE(charts->findChildren<TimeChart*>().size(), 3);
    QTRY_VERIFY2(fact(console, u"Waiting time"_s).startsWith(u"p50 0 ms"_s), // of those in progress
                 qPrintable(fact(console, u"Waiting time"_s)));
    QCOMPARE(fact(console, u"Running time"_s), u"–"_s);
    const TimeChart* ran = charts->findChildren<TimeChart*>()[2];
    QVERIFY2(!ran->accessibleDescription().contains(u"ms"_s),
             qPrintable(ran->accessibleDescription()));
}

void TestJobNumbers::sinceWhenAQueueIsPaused()
{
    ConsoleWindow console(setup());
    QVERIFY(openBoard(console, Queues, u"email"_s, 1));
    m_server.line("HSET bull:email:meta paused 1");
    QTRY_VERIFY2(console.detail(Queues).contains(u"workers take no new jobs"_s),
                 qPrintable(console.detail(Queues)));
    QVERIFY2(!console.detail(Queues).contains(u"Paused for at least"_s),
             qPrintable(console.detail(Queues)));
    // Who comes later has not seen when it began.
    ConsoleWindow later(setup());
    QVERIFY(openBoard(later, Queues, u"email"_s, 1));
    QTRY_VERIFY2(later.detail(Queues).contains(u"Paused for at least "_s),
                 qPrintable(later.detail(Queues)));
}

void TestJobNumbers::aChildOpensByReturnAndItsParentByADoubleClick()
{
    addFlow();
    ConsoleWindow console(setup());
    QVERIFY(openBoard(console, Queues, u"email"_s, 1));
    JobDialog* parent = openFirst(console, u"Waiting children 1"_s);
    QVERIFY(parent);
    RowsTable* children = links(parent);
    QVERIFY(children);
    QCOMPARE(rows(*children),
             (QStringList{u"Child | c1 | email | Pending"_s, u"Child | c2 | email | Completed"_s}));
    children->setFocus();
    children->selectRow(0);
    QTest::keyClick(children, Qt::Key_Return);
    JobDialog* child = dialog(console, u"job c1"_s);
    QVERIFY(child);
    RowsTable* up = links(child);
    QVERIFY(up);
    QCOMPARE(rows(*up), QStringList{u"Parent | p1 | email | –"_s});
    const QPoint at = up->visualRect(up->model()->index(0, 1)).center();
    QTest::mouseClick(up->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(up->viewport(), Qt::LeftButton, {}, at);
    JobDialog* again = dialog(console, u"job p1"_s);
    QVERIFY(again);
    QVERIFY(links(again));
    QTest::keyClick(again, Qt::Key_Escape);
    QTRY_COMPARE(console.window.findChildren<JobDialog*>().size(), 2);
}

void TestJobNumbers::aJobOfAnotherQueueThatIsNotThere()
{
    addFlow();
    m_server.run({"SADD", "bull:email:p1:dependencies", "bull:images:x1"});
    ConsoleWindow console(setup());
    QVERIFY(openBoard(console, Queues, u"email"_s, 1));
    JobDialog* parent = openFirst(console, u"Waiting children 1"_s);
    QVERIFY(parent);
    RowsTable* children = links(parent);
    QVERIFY(children);
    QTRY_COMPARE(children->model()->rowCount(), 3);
    children->setFocus();
    children->selectRow(1);
    QTest::keyClick(children, Qt::Key_Return);
    QTRY_VERIFY(dialog(console, u"The queue bull:images of that job was not detected"_s));
    QCOMPARE(console.window.findChildren<JobDialog*>().size(), 1);
}

// Its jobs stand wherever they are by now; what they share is in their payloads.
void TestJobNumbers::aBatchIsSearchedFor()
{
    m_server.line("FLUSHALL");
    const auto job = [](const char* jid, const QByteArray& batch) {
        return QByteArray(R"({"class":"MailJob","args":[],"queue":"default","jid":")") + jid +
               R"(","bid":")" + batch + R"(","enqueued_at":1795327726719})";
    };
    m_server.line("SADD queues default");
    m_server.run({"LPUSH", "queue:default", job("aaaaaaaaaaaaaaaaaaaaaaaa", "Xk3ZbR0qeT"),
                  job("bbbbbbbbbbbbbbbbbbbbbbbb", "other"),
                  job("cccccccccccccccccccccccc", "Xk3ZbR0qeT")});
    ConsoleWindow console(setup());
    QVERIFY(openBoard(console, Queues, u"default"_s, 1));
    chooseState(console, "Enqueued 3");
    QTRY_COMPARE(jobTable(console).model()->rowCount(), 3);
    jobTable(console).setFocus();
    jobTable(console).selectRow(0);
    QTest::keyClick(&jobTable(console), Qt::Key_Return);
    JobDialog* open = dialog(console, QString());
    QVERIFY(open);
    RowsTable* batch = links(open);
    QVERIFY(batch);
    QCOMPARE(rows(*batch), QStringList{u"Same batch | Xk3ZbR0qeT | default | –"_s});
    batch->setFocus();
    batch->selectRow(0);
    QTest::keyClick(batch, Qt::Key_Return);
    QTRY_VERIFY(!console.window.findChild<JobDialog*>());
    QTRY_COMPARE(jobTable(console).model()->rowCount(), 2);
}

LK_WIDGET_TEST(TestJobNumbers);
#include "tst_jobnumbers.moc"
