// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/widgets/jobdriver.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"
#include "widgets/detail/jobs/dialog/payloadtext.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QPlainTextEdit>

using namespace lk;
using namespace lk::test;

// Jobs where they are seen: every state is listed, rows are opened and acted on, and no others.
class TestJobs : public QObject
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
        fillWithSamples(m_server);
        m_server.lines({"RPUSH jobs:dead d3 d2 d1", "ZADD jobs:delayed 1900000000000 later"});
    }

    void everyStateHasItsCount()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        for (const char* text : {"Waiting 3", "In progress 2", "Delayed 1", "Dead-lettered 3"})
            QTRY_VERIFY2(stateButton(console, QLatin1String(text)), text);
        QVERIFY(stateButton(console, QStringLiteral("In progress 2"))->isChecked());
    }

    void everyStateIsListed()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        QTRY_COMPARE(payloads(console), texts({"p2", "p1"}));
        chooseState(console, "Dead-lettered 3");
        QTRY_COMPARE(payloads(console), texts({"d1", "d2", "d3"}));
        chooseState(console, "Waiting 3");
        QTRY_COMPARE(payloads(console), texts({"j3", "j2", "j1"}));
        chooseState(console, "Delayed 1");
        QTRY_COMPARE(payloads(console), texts({"later"}));
        QVERIFY(jobTable(console)
                    .model()
                    ->index(0, JobModel::TimeColumn)
                    .data()
                    .toString()
                    .contains(QStringLiteral(" d")));
        m_server.line("DEL jobs:delayed");
        QTRY_COMPARE(payloads(console), QStringList());
    }

    void theListStandsAboveTheCharts()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        const auto top = [&](QWidget* widget) {
            return widget->mapTo(&console.page(Queues), QPoint(0, 0)).y();
        };
        for (TimeChart* chart : console.page(Queues).findChildren<TimeChart*>())
            QTRY_VERIFY(top(&jobTable(console)) + jobTable(console).height() <= top(chart));
    }

    // By the row's own menu, two of three, and those alone.
    void deadLettersAreRetried()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        QVERIFY(enableWriteMode(console));
        chooseState(console, "Dead-lettered 3");
        QTRY_COMPARE(payloads(console).size(), 3);
        select(console, {"d1", "d3"});
        menuOf(console, QStringLiteral("Retry (2)…"));
        QTRY_VERIFY(button(console, QStringLiteral("Plan")));
        QTest::mouseClick(button(console, QStringLiteral("Plan")), Qt::LeftButton);
        runPlan(console);
        QCOMPARE(list("jobs:dead"), (QByteArrayList{"d2"}));
        QCOMPARE(list("jobs"), (QByteArrayList{"d3", "d1", "j1", "j2", "j3"}));
    }

    // The menu offers what can be done to jobs of that state and nothing else.
    void theMenuFitsTheState()
    {
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        const auto offered = [&](const char* state) {
            chooseState(console, state);
            if (!QTest::qWaitFor([&] { return !payloads(console).isEmpty(); }))
                return QStringList();
            jobTable(console).selectRow(0);
            QMenu* menu = open(console);
            QStringList all;
            for (const QAction* action : menu->actions()) {
                if (!action->isSeparator())
                    all << action->text();
            }
            menu->close();
            return all;
        };
        const QString view = QStringLiteral("View payload");
        QCOMPARE(offered("In progress 2"), (QStringList{view, QStringLiteral("Requeue (1)…"),
                                                        QStringLiteral("Move to dead letters (1)…"),
                                                        QStringLiteral("Discard (1)…")}));
        QCOMPARE(offered("Waiting 3"),
                 (QStringList{view, QStringLiteral("Move to dead letters (1)…"),
                              QStringLiteral("Discard (1)…")}));
        QCOMPARE(offered("Delayed 1"),
                 (QStringList{view, QStringLiteral("Move to dead letters (1)…"),
                              QStringLiteral("Promote (1)…"), QStringLiteral("Discard (1)…")}));
        QCOMPARE(offered("Dead-lettered 3"),
                 (QStringList{view, QStringLiteral("Retry (1)…"), QStringLiteral("Discard (1)…")}));
    }

    // The selected one of two equal jobs is discarded, also after the list was read again.
    void oneOfTwoAlikeIsDiscardedByKey()
    {
        m_server.lines({"DEL jobs", "RPUSH jobs same other same"});
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        QVERIFY(enableWriteMode(console));
        chooseState(console, "Waiting 3");
        QTRY_COMPARE(payloads(console), texts({"same", "other", "same"}));
        jobTable(console).selectRow(0);
        m_server.line("LPUSH jobs newest");
        QTRY_COMPARE_WITH_TIMEOUT(payloads(console).size(), 4, 10'000);
        QCOMPARE(jobTable(console).selectionModel()->selectedRows().size(), 1);
        QTest::keyClick(&jobTable(console), Qt::Key_Delete);
        runPlan(console);
        QCOMPARE(list("jobs"), (QByteArrayList{"newest", "same", "other"}));
    }

    void enterShowsThePayload()
    {
        const QByteArray payload = "{\"id\":9007199254740993,\"to\":[\"a\",\"b\"],\"text\":\"" +
                                   QByteArray(900, 'x') + "\"}";
        m_server.lines({"DEL jobs:dead"});
        m_server.run({"RPUSH", "jobs:dead", payload});
        ConsoleWindow console(setup());
        QVERIFY(openBoard(console, Queues, QStringLiteral("jobs")));
        chooseState(console, "Dead-lettered 1");
        QTRY_COMPARE(payloads(console).size(), 1);
        jobTable(console).setFocus();
        jobTable(console).selectRow(0);
        QTest::keyClick(&jobTable(console), Qt::Key_Return);
        QTRY_VERIFY(console.window.findChild<JobDialog*>());
        auto* dialog = console.window.findChild<JobDialog*>();
        auto* text = dialog->findChild<QPlainTextEdit*>(QStringLiteral("payload"));
        // Beyond the preview: it has been read as a whole.
        QTRY_VERIFY(text->toPlainText().contains(QString(900, QLatin1Char('x'))));
        QVERIFY2(text->toPlainText().startsWith(
                     QStringLiteral("{\n  \"id\": 9007199254740993,\n  \"to\": [\n    \"a\",")),
                 qPrintable(text->toPlainText().left(80)));
        QTest::mouseClick(
            ConsoleWindow::button<QPushButton>(*dialog, QStringLiteral("Copy payload")),
            Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text().toUtf8(), payload);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!console.window.findChild<JobDialog*>());
    }

    void payloadsAsText()
    {
        QCOMPARE(payloadLines(QByteArray("a\xff\nb\x1b[31m\0", 10)),
                 QStringLiteral("a\\xff\nb\\x1b[31m\\x00"));
        QCOMPARE(indentedJson("not json"), QByteArray());
        const QByteArray json = " {\"a\":{} , \"b\":[ ],\"c\\\"}\":1.50e3,\"d\":\"\\u00e9\\\\\"} ";
        QCOMPARE(indentedJson(json),
                 QByteArray("{\n  \"a\": {},\n  \"b\": [],\n  \"c\\\"}\": 1.50e3,\n"
                            "  \"d\": \"\\u00e9\\\\\"\n}"));
    }

private:
    static QStringList texts(std::initializer_list<const char*> all)
    {
        QStringList list;
        for (const char* text : all)
            list << QString::fromLatin1(text);
        return list;
    }
    static QStringList payloads(ConsoleWindow& console)
    {
        QStringList all;
        const QAbstractItemModel& model = *jobTable(console).model();
        for (int row = 0; row < model.rowCount(); ++row)
            all << model.index(row, JobModel::PayloadColumn).data().toString();
        return all;
    }
    static void select(ConsoleWindow& console, std::initializer_list<const char*> chosen)
    {
        Qt::KeyboardModifiers modifiers;
        for (const char* payload : chosen) {
            const int row = int(payloads(console).indexOf(QLatin1String(payload)));
            QVERIFY2(row >= 0, payload);
            const QModelIndex index = jobTable(console).model()->index(row, JobModel::SizeColumn);
            QTest::mouseClick(jobTable(console).viewport(), Qt::LeftButton, modifiers,
                              jobTable(console).visualRect(index).center());
            modifiers = Qt::ControlModifier;
        }
    }
    static QMenu* open(ConsoleWindow& console)
    {
        const QPoint at =
            jobTable(console).visualRect(jobTable(console).model()->index(0, 0)).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at,
                                jobTable(console).viewport()->mapToGlobal(at));
        QApplication::sendEvent(jobTable(console).viewport(), &event);
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    }
    static void menuOf(ConsoleWindow& console, const QString& entry)
    {
        QVERIFY(open(console));
        choose(entry);
    }
    QByteArrayList list(const QByteArray& key)
    {
        QByteArrayList all;
        for (const Reply& item : m_server.run({"LRANGE", key, "0", "-1"}).items)
            all << item.text;
        return all;
    }
    Session::Setup setup() const
    {
        Session::Setup setup = setupFor(m_server.url(), sampleConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestJobs);
#include "tst_jobs.moc"
