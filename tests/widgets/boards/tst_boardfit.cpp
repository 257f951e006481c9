// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/duration.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/boards/celldelegate.h"
#include "widgets/boards/columnfit.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/detail/jobs/jobtable.h"
#include "widgets/main/header/sessionheader.h"
#include "widgets/theme/theme.h"

#include <QScrollArea>
#include <QScrollBar>

using namespace lk;
using test::ConsoleWindow;

// Every board in windows of several sizes: no number is cut, and no column is out of reach.
class TestBoardFit : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        test::fillWithSamples(m_server);
        // Long values of every sort.
        m_server.lines({"SET lock:migration:of:a:very:long:name:2019 "
                        "5d1ba209f421637d5b2b3c7d726c2501 PX 52372000",
                        "SET lock:days 91f4b13ae8d9918c PX 1022400000", "SET quota:b 7 PX 299000"});
        for (int i = 0; i < 1500; ++i)
            m_server.run({"LPUSH", "jobs", QByteArray::number(i)});
    }

    void boards_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize& size : {QSize(960, 600), QSize(1024, 700), QSize(1280, 800),
                                  QSize(1366, 768), QSize(1920, 1080)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }
    void boards()
    {
        QFETCH(QSize, size);
        ConsoleWindow console(test::setupFor(m_server.url(), test::sampleConfig), size);
        QVERIFY(console.waitForScan(test::sampleCount + 2));
        for (int board = test::Limiters; board <= test::Patterns; ++board) {
            console.window.showBoard(board);
            QTRY_VERIFY(!console.cells(board).isEmpty());
            console.page(board).selectFirst();
            QTRY_VERIFY(console.table(board).viewport()->width() > 0);
            QTest::qWait(0);
            check(console, board);
            if (board == test::Queues)
                checkJobs(*console.page(board).findChild<JobTable*>());
            checkPane(console, board);
            test::shoot(console.window, QStringLiteral("board-%1-%2").arg(board).arg(size.width()));
        }
        QCOMPARE(console.window.width(), size.width()); // nothing has pushed the window wider
        // The server's version is told whole or not at all.
        const auto* header = console.window.findChild<SessionHeader*>();
        for (const QLabel* label : header->findChildren<QLabel*>())
            QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->width(),
                     qPrintable(label->text()));
    }

    // In the smallest window the pane is as narrow as it gets before a scroll bar is needed.
    void thePaneGivesWayFirst()
    {
        ConsoleWindow console(test::setupFor(m_server.url(), test::sampleConfig), {960, 600});
        QVERIFY(console.waitForScan(test::sampleCount + 2));
        auto* pane = paneOf(console, test::Locks);
        console.window.showBoard(test::Locks);
        QTRY_VERIFY(console.cells(test::Locks).size() >= 6);
        QTRY_COMPARE(pane->width(), pane->minimumWidth());
        console.window.resize(1920, 800);
        QTRY_VERIFY(pane->width() > pane->minimumWidth());
        QTRY_COMPARE(console.table(test::Locks).horizontalScrollBar()->maximum(), 0);
    }

    // A duration in a narrow cell loses its seconds, and its tip has all of it and the moment.
    void durationsAreWholeInTheTip()
    {
        ConsoleWindow console(test::setupFor(m_server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan(test::sampleCount + 2));
        console.window.showBoard(test::Locks);
        QTRY_VERIFY(console.rowOf(test::Locks, QStringLiteral("lock:days")) >= 0);
        const QModelIndex lease =
            console.table(test::Locks)
                .model()
                ->index(console.rowOf(test::Locks, QStringLiteral("lock:days")), 3);
        const QString whole = lease.data().toString();
        QVERIFY2(whole.startsWith(QStringLiteral("11 d")), qPrintable(whole));
        const QString tip = lease.data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(whole) && tip.contains(QStringLiteral("UTC")), qPrintable(tip));
        const QFontMetrics metrics(console.table(test::Locks).font());
        const int narrow =
            metrics.horizontalAdvance(QStringLiteral("11 d 1")) + 2 * CellDelegate::margin;
        QCOMPARE(CellDelegate::shownText(lease, metrics, narrow), QStringLiteral("11 d"));
        QCOMPARE(CellDelegate::shownText(lease, metrics, 10), QStringLiteral("11 d"));
    }

private:
    static QWidget* paneOf(ConsoleWindow& console, int board)
    {
        return console.page(board).findChild<QWidget*>(QStringLiteral("detailPane"));
    }

    static void check(ConsoleWindow& console, int board)
    {
        QTableView& table = console.table(board);
        const QAbstractItemModel& model = *table.model();
        int right = 0;
        for (int column = 0; column < model.columnCount(); ++column) {
            const QString title = model.headerData(column, Qt::Horizontal).toString();
            if (table.isColumnHidden(column)) {
                checkSecondLine(table, column);
                continue;
            }
            const QFontMetrics header(table.horizontalHeader()->font());
            QVERIFY2(header.horizontalAdvance(title) + 2 * CellDelegate::margin <=
                         table.columnWidth(column),
                     qPrintable(title));
            right += table.columnWidth(column);
            for (int row = 0; row < model.rowCount(); ++row) {
                const QModelIndex index = model.index(row, column);
                if (table.visualRect(index).bottom() < 0 ||
                    table.visualRect(index).top() > table.viewport()->height())
                    continue;
                checkCell(table, index);
            }
        }
        // The scroll bar reaches columns that do not fit.
        const int over = right - table.viewport()->width();
        QVERIFY2(over <= 0 || table.horizontalScrollBar()->maximum() >= over,
                 qPrintable(QString::number(over)));
        QVERIFY(over <= 0 || table.horizontalScrollBar()->isVisible());
        // A queue's numbers leave no room for its layout.
        if (console.window.width() <= 1024 && board == test::Queues)
            QVERIFY(table.isColumnHidden(model.columnCount() - 1));
        if (console.window.width() >= 1280)
            QVERIFY2(over <= 0, qPrintable(console.page(board).accessibleName()));
    }

    // Values without a column are below the name.
    static void checkSecondLine(const QTableView& table, int column)
    {
        const QFontMetrics caption(uiFont(TextSize::Caption));
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            const QModelIndex index = table.model()->index(row, column);
            const QString text = index.data().toString();
            QVERIFY2(text.isEmpty() || text == QStringLiteral("\u2013") ||
                         CellDelegate::secondLine(index.siblingAtColumn(0), table).contains(text),
                     qPrintable(text));
            QVERIFY(table.rowHeight(row) >= table.fontMetrics().height() + caption.height());
        }
    }

    // Times and sizes of jobs.
    static void checkJobs(JobTable& table)
    {
        QTRY_VERIFY(table.model()->rowCount() > 0);
        const QFontMetrics metrics(table.font());
        for (const int column :
             {JobModel::NumberColumn, JobModel::TimeColumn, JobModel::SizeColumn}) {
            if (table.isColumnHidden(column))
                continue;
            for (int row = 0; row < table.model()->rowCount(); ++row) {
                const QString text = table.model()->index(row, column).data().toString();
                QVERIFY2(metrics.horizontalAdvance(text) + 2 * RowDelegate::margin <=
                             table.columnWidth(column),
                         qPrintable(text));
            }
        }
        // As few rows as these are all seen.
        QTRY_VERIFY2(
            table.visualRect(table.model()->index(table.model()->rowCount() - 1, 0)).bottom() <=
                table.viewport()->height(),
            qPrintable(QString::number(table.viewport()->height())));
    }

    // The pane is wide enough for its content: nothing is behind its right edge.
    static void checkPane(ConsoleWindow& console, int board)
    {
        auto* scroll = paneOf(console, board)->findChild<QScrollArea*>();
        QTRY_VERIFY2(scroll->widget()->width() <= scroll->viewport()->width(),
                     qPrintable(console.page(board).accessibleName()));
    }

    static void checkCell(QTableView& table, const QModelIndex& index)
    {
        const auto style = ColumnStyle(index.data(PrimitiveModel::StyleRole).toInt());
        if (style != ColumnStyle::Count && style != ColumnStyle::Figure &&
            style != ColumnStyle::Duration && style != ColumnStyle::State)
            return;
        const QFontMetrics metrics(table.font());
        const int width = table.columnWidth(index.column());
        const QString shown = CellDelegate::shownText(index, metrics, width);
        const QString whole = index.data().toString();
        QVERIFY2(!shown.contains(QChar(0x2026)), qPrintable(whole + QStringLiteral(": ") + shown));
        QVERIFY2(shorterForms(whole).contains(shown),
                 qPrintable(whole + QStringLiteral(": ") + shown));
        const int icon = style == ColumnStyle::State ? metrics.height() + 6 : 0;
        QVERIFY2(metrics.horizontalAdvance(shown) + icon + 2 * CellDelegate::margin <= width,
                 qPrintable(whole));
    }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestBoardFit);
#include "tst_boardfit.moc"
