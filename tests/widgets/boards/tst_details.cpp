// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/detail/jobs/jobtable.h"
#include "widgets/detail/pane/layoutcharts.h"
#include "widgets/theme/icon.h"

#include <QAccessible>
#include <QTextDocument>

using namespace lk;
using test::ConsoleWindow;

// The pane of the selected primitive: what it says is what redis holds, also after it changed.
class TestDetails : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    void nothingIsSelectedFirst()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        for (int board = test::Limiters; board <= test::Patterns; ++board) {
            console.window.showBoard(board);
            QTRY_VERIFY(console.detail(board).contains(QStringLiteral("Nothing selected")));
        }
    }

    void aLimiterFollowsRedis()
    {
        ConsoleWindow console(setup());
        show(console, test::Limiters, "quota:b");
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("4 / 10"));
        QCOMPARE(console.figure(test::Limiters, 1), QStringLiteral("6"));
        const QString text = console.detail(test::Limiters);
        for (const char* said : {"quota:b", "used in 5 m", "declared in the configuration"})
            QVERIFY2(text.contains(QLatin1String(said)), qPrintable(text));
        m_server.line("INCRBY quota:b 5");
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("9 / 10"));
        m_server.line("INCRBY quota:b 1");
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("10 / 10"));
        QCOMPARE(console.figure(test::Limiters, 1), QStringLiteral("0"));
        QTRY_VERIFY(console.detail(test::Limiters).contains(QStringLiteral("full")));
    }

    // A number that only its layout keeps has a row and a chart of its own; another layout of the
    // kind has neither.
    void whatOnlyALayoutKeepsIsShown()
    {
        m_server.line("SET gate:user:7 4 PX 600000");
        ConsoleWindow console(setup());
        show(console, test::Limiters, "gate:user:7");
        auto* charts = console.page(test::Limiters).findChild<LayoutCharts*>();
        QVERIFY(charts);
        QTRY_VERIFY(charts->isVisible());
        QCOMPARE(charts->findChildren<TimeChart*>().size(), 1);
        QTRY_VERIFY(console.detail(test::Limiters).contains(QStringLiteral("Rejected calls")));
        auto* chart = charts->findChild<TimeChart*>();
        QCOMPARE(chart->accessibleName(), QStringLiteral("Rejected calls"));
        QTRY_VERIFY2(chart->accessibleDescription().contains(QLatin1Char('3')),
                     qPrintable(chart->accessibleDescription()));
        console.clickRow(test::Limiters, QStringLiteral("quota:b"));
        QTRY_VERIFY(!charts->isVisible());
        QVERIFY(!console.detail(test::Limiters).contains(QStringLiteral("Rejected calls")));
    }

    void aLockFollowsRedis()
    {
        ConsoleWindow console(setup());
        show(console, test::Locks, "lock:one");
        QTRY_VERIFY(console.figure(test::Locks, 0).startsWith(QStringLiteral("9 m")));
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("owner-1")));
        m_server.line("SET lock:one owner-7 PX 90000");
        QTRY_VERIFY(console.detail(test::Locks).contains(QStringLiteral("owner-7")));
        QTRY_VERIFY(console.figure(test::Locks, 0).startsWith(QStringLiteral("1 m")));
        m_server.line("PERSIST lock:one");
        QTRY_COMPARE(console.figure(test::Locks, 0), QStringLiteral("no TTL"));
        m_server.line("DEL lock:one");
        QTRY_VERIFY(console.detail(test::Locks).contains(QStringLiteral("nobody")));
        QVERIFY(!console.detail(test::Locks).contains(QStringLiteral("owner-7")));
    }

    void aQueueFollowsRedis()
    {
        ConsoleWindow console(setup());
        show(console, test::Queues, "jobs");
        QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("3"));
        QCOMPARE(console.figure(test::Queues, 1), QStringLiteral("2"));
        auto* items = console.page(test::Queues).findChild<JobTable*>();
        QTRY_COMPARE(items->model()->rowCount(), 2);
        m_server.lines({"RPUSH jobs j4 j5", "LPUSH jobs:processing newest"});
        QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("5"));
        QTRY_COMPARE(items->model()->rowCount(), 3);
        QStringList payloads;
        for (int row = 0; row < 3; ++row)
            payloads << items->model()->index(row, JobModel::PayloadColumn).data().toString();
        payloads.sort();
        QCOMPARE(payloads, (QStringList{QStringLiteral("newest"), QStringLiteral("p1"),
                                        QStringLiteral("p2")}));
        m_server.line("DEL jobs jobs:processing");
        QTRY_COMPARE(items->model()->rowCount(), 0);
        QTRY_COMPARE(console.figure(test::Queues, 0), QStringLiteral("0"));
    }

    void aTokenFollowsRedis()
    {
        ConsoleWindow console(setup());
        show(console, test::Tokens, test::tokenRow("code:a1fa5c"));
        QTRY_VERIFY(console.figure(test::Tokens, 0).startsWith(QStringLiteral("1 m")));
        m_server.line("PERSIST code:a1fa5c");
        QTRY_COMPARE(console.figure(test::Tokens, 0), QStringLiteral("never"));
    }

    void aKeyOfAnotherTypeSaysSo()
    {
        ConsoleWindow console(setup());
        show(console, test::Locks, "lock:two");
        m_server.lines({"DEL lock:two", "RPUSH lock:two not a lock"});
        QTRY_VERIFY2(console.detail(test::Locks).contains(QStringLiteral("unexpected type")),
                     qPrintable(console.detail(test::Locks)));
        m_server.lines({"DEL lock:two", "SET lock:two owner-2 PX 60000"});
        QTRY_VERIFY(!console.detail(test::Locks).contains(QStringLiteral("unexpected type")));
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("owner-2")));
    }

    void aNameIsNoMarkup()
    {
        const QString name = QStringLiteral("lock:<b>x</b>");
        m_server.run({"SET", name.toUtf8(), "<i>me</i>", "PX", "600000"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount + 1));
        console.window.showBoard(test::Locks);
        QTRY_VERIFY(console.rowOf(test::Locks, name) >= 0);
        console.clickRow(test::Locks, name);
        QTRY_VERIFY(console.detail(test::Locks).contains(name));
        int labels = 0;
        int tips = 0;
        for (const QWidget* widget : console.window.findChildren<QWidget*>()) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            if (label && label->text().contains(QLatin1Char('<'))) {
                ++labels;
                QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->text()));
            }
            if (widget->toolTip().contains(QStringLiteral("lock:"))) {
                ++tips;
                QVERIFY2(shownBy(widget->toolTip()).contains(name), qPrintable(widget->toolTip()));
            }
        }
        QVERIFY(labels >= 2); // the name and the owner, if not more
        QVERIFY(tips >= 1);
        const QModelIndex row =
            console.table(test::Locks).model()->index(console.rowOf(test::Locks, name), 0);
        const QStringList lines =
            shownBy(row.data(Qt::ToolTipRole).toString()).split(QLatin1Char('\n'));
        QCOMPARE(lines.value(0), name);
        QVERIFY(lines.size() >= 2); // the keys, each on its own
    }

    void theKeyboardSelects()
    {
        ConsoleWindow console(setup());
        show(console, test::Locks, "lock:orphan");
        QTRY_VERIFY(console.detail(test::Locks).contains(QStringLiteral("lock:orphan")));
        for (const QString& name : console.cells(test::Locks).mid(1)) {
            QTest::keyClick(&console.table(test::Locks), Qt::Key_Down);
            QTRY_VERIFY(console.detail(test::Locks).contains(name));
        }
        QTest::keyClick(&console.table(test::Locks), Qt::Key_PageUp);
        QTRY_VERIFY(console.detail(test::Locks).contains(console.cells(test::Locks).front()));
    }

    // The order changes, the pane stays with the primitive.
    void theSelectionStaysWhenTheOrderChanges()
    {
        ConsoleWindow console(setup());
        show(console, test::Limiters, "quota:c");
        const int before = console.rowOf(test::Limiters, QStringLiteral("quota:c"));
        m_server.lines(
            {"SET quota:c 10 PX 299000", "SET quota:a 0 PX 1000", "SET quota:b 0 PX 1000"});
        QTRY_VERIFY_WITH_TIMEOUT(console.rowOf(test::Limiters, QStringLiteral("quota:c")) != before,
                                 15'000);
        const auto rows = console.table(test::Limiters).selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.front().data().toString(), QStringLiteral("quota:c"));
        QVERIFY(console.detail(test::Limiters).contains(QStringLiteral("quota:c")));
        QTRY_COMPARE(console.figure(test::Limiters, 0), QStringLiteral("10 / 10"));
    }

    void filteredAwayItStaysInThePane()
    {
        ConsoleWindow console(setup());
        show(console, test::Locks, "lock:one");
        QTest::keyClicks(&console.filter(test::Locks), QStringLiteral("zed"));
        QTRY_COMPARE(console.cells(test::Locks).size(), 1);
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("lock:one")));
        console.filter(test::Locks).clear();
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        const auto rows = console.table(test::Locks).selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows.front().data().toString(), QStringLiteral("lock:one"));
    }

    void everySessionStartsAnew()
    {
        ConsoleWindow console(setup());
        show(console, test::Locks, "lock:one");
        const auto chip = [&](const char* name) {
            return ConsoleWindow::button<QToolButton>(console.page(test::Locks),
                                                      QLatin1String(name));
        };
        QTRY_VERIFY(chip("Show only: held"));
        QTest::mouseClick(chip("Show only: held"), Qt::LeftButton);
        QTRY_COMPARE(console.cells(test::Locks).size(), 3);
        console.window.setSession(nullptr);
        QTRY_VERIFY(!chip("Show only: held")); // it counted what the last server held
        QCOMPARE(console.table(test::Locks).model()->rowCount(), 0);
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("Nothing selected")));
        console.window.setSession(&console.session());
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("Nothing selected")));
    }

    void theHealthIsColouredAnewWithTheTheme()
    {
        ConsoleWindow console(setup());
        show(console, test::Locks, "lock:orphan");
        auto* pane = console.page(test::Locks).findChild<QWidget*>(QStringLiteral("detailPane"));
        auto* icon = pane->findChild<QLabel*>(QStringLiteral("healthIcon"));
        console.session().polling().setPaused(true); // nothing else draws it anew
        const auto its = [&] {
            const Handle handle = console.page(test::Locks).selected();
            const int side = icon->fontMetrics().height();
            return healthIcon(console.session().states().at(handle)->health, pane->palette())
                .pixmap(side, side)
                .toImage();
        };
        const QImage before = its();
        QCOMPARE(icon->pixmap(Qt::ReturnByValue).toImage(), before);
        test::theme().choose(ThemeChoice::Dark);
        QTRY_VERIFY(its() != before);
        QCOMPARE(icon->pixmap(Qt::ReturnByValue).toImage(), its());
        test::theme().choose(ThemeChoice::Light);
    }

    // The content of a token or an ordinary key is in no text of the window.
    void payloadsAreNowhere()
    {
        m_server.lines({"HSET user_token:4f8a1c0d77b2 token S3CRET-HASH used_by 1",
                        "EXPIRE user_token:4f8a1c0d77b2 90", "SET session:bob S3CRET-ORDINARY"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount + 1));
        QStringList all;
        for (int board = 0; board < console.window.boardCount(); ++board) {
            console.window.showBoard(board);
            if (board == test::Tokens) {
                QTRY_COMPARE(console.cells(board).size(), 3);
                for (const QString& name : console.cells(board)) {
                    console.clickRow(board, name);
                    QTRY_VERIFY(console.detail(board).contains(name));
                    all << everyText(console.window);
                }
                QVERIFY(all.filter(test::tokenRow("code:a1fa5c")).size() > 3);
            }
            all << everyText(console.window);
        }
        QCOMPARE(all.filter(QStringLiteral("S3CRET"), Qt::CaseInsensitive), QStringList());
    }

private:
    /// The visible text of a tool tip.
    static QString shownBy(const QString& tip)
    {
        if (!Qt::mightBeRichText(tip))
            return tip;
        QTextDocument document;
        document.setHtml(tip);
        return document.toPlainText();
    }
    void show(ConsoleWindow& console, int board, const char* name)
    {
        show(console, board, QString::fromLatin1(name));
    }
    void show(ConsoleWindow& console, int board, const QString& name)
    {
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(board);
        QTRY_VERIFY(console.rowOf(board, name) >= 0);
        console.clickRow(board, name);
        QTRY_VERIFY(console.detail(board).contains(name));
    }
    /// Whatever a widget, a model or an assistive program could tell.
    static QStringList everyText(const QWidget& window)
    {
        QStringList all;
        for (QWidget* widget : window.findChildren<QWidget*>()) {
            all << widget->toolTip() << widget->accessibleName() << widget->accessibleDescription()
                << widget->whatsThis() << widget->windowTitle();
            if (auto* label = qobject_cast<QLabel*>(widget))
                all << label->text();
            if (auto* line = qobject_cast<QLineEdit*>(widget))
                all << line->text();
            if (auto* button = qobject_cast<QAbstractButton*>(widget))
                all << button->text();
            if (QAccessibleInterface* access = QAccessible::queryAccessibleInterface(widget)) {
                for (const auto text : {QAccessible::Name, QAccessible::Description,
                                        QAccessible::Value, QAccessible::Help})
                    all << access->text(text);
            }
            if (auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model()) {
                const QAbstractItemModel& model = *view->model();
                for (int row = 0; row < model.rowCount(); ++row) {
                    for (int column = 0; column < model.columnCount(); ++column) {
                        for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::EditRole,
                                               Qt::AccessibleTextRole, Qt::StatusTipRole})
                            all << model.index(row, column).data(role).toString();
                    }
                }
            }
        }
        return all;
    }
    Session::Setup setup() const { return test::setupFor(m_server.url(), test::sampleConfig); }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestDetails);
#include "tst_details.moc"
