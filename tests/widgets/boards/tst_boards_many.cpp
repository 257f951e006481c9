// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"

#include <QClipboard>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>

#include <random>

using namespace lk;
using test::ConsoleWindow;

namespace {

constexpr int locks = 20'000;

Command lockCommand(int number, const QByteArray& owner)
{
    return {"SET", "lock:" + QByteArray::number(number), owner, "PX", "3600000"};
}

} // namespace

// Twenty thousand rows that change all the time: what reaches the window is bounded by what is on
// screen and by the clock, not by how much there is or changes.
class TestBoardsMany : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        std::vector<Command> commands;
        for (int i = 0; i < locks; ++i)
            commands.push_back(lockCommand(i, "me"));
        m_server.runAll(commands);
        Session::Setup setup =
            test::setupFor(m_server.url(), "[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n");
        setup.limits.otherCommandsPerSecond = 100'000; // no other client needs this server
        setup.limits.scanCommandsPerSecond = 0;
        m_console = std::make_unique<ConsoleWindow>(std::move(setup));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return m_console->session().board().summary() && m_console->total() == locks &&
                       m_console->session().report().scan.complete;
            },
            120'000));
        m_console->window.showBoard(test::Locks);
        QTRY_COMPARE(model().rowCount(), locks);
    }
    void cleanupTestCase() { m_console.reset(); }

    void changesOffScreenAreNotTold()
    {
        QSignalSpy data(&model(), &QAbstractItemModel::dataChanged);
        QSignalSpy layout(&model(), &QAbstractItemModel::layoutChanged);
        QSignalSpy inserted(&model(), &QAbstractItemModel::rowsInserted);
        QSignalSpy removed(&model(), &QAbstractItemModel::rowsRemoved);
        QSignalSpy sorted(&m_console->session().board(), &SessionBoard::sorted);
        QSignalSpy changed(&m_console->session().states(), &SessionStates::changed);
        QSignalSpy reports(&m_console->session(), &Session::reported);
        std::mt19937 random(3);
        QElapsedTimer clock;
        clock.start();
        QTimer writes;
        connect(&writes, &QTimer::timeout, this, [&] {
            std::vector<Command> commands;
            for (int i = 0; i < 100; ++i)
                commands.push_back(
                    lockCommand(int(random() % locks), "owner-" + QByteArray::number(i)));
            m_server.runAll(commands);
        });
        writes.start(20);
        QTRY_VERIFY_WITH_TIMEOUT(reports.size() >= 4, 60'000); // once a second
        writes.stop();
        const int seconds = int(clock.elapsed() / 1000) + 1;
        QVERIFY(!changed.isEmpty());
        const int page = m_console->table(test::Locks).viewport()->height() /
                             m_console->table(test::Locks).rowHeight(0) +
                         2;
        QVERIFY(page < 60);
        for (const QList<QVariant>& told : data) {
            const int first = told[0].toModelIndex().row();
            const int last = told[1].toModelIndex().row();
            QVERIFY2(last - first < page, qPrintable(QString::number(last - first)));
        }
        QVERIFY(data.size() <= changed.size());
        QVERIFY2(sorted.size() <= seconds + 1, qPrintable(QString::number(sorted.size())));
        QVERIFY(layout.size() <= sorted.size());
        QCOMPARE(inserted.size() + removed.size(), 0);
    }

    void sortingAndFilteringAreDoneElsewhere()
    {
        QSignalSpy sorted(&m_console->session().board(), &SessionBoard::sorted);
        m_console->clickHeader(test::Locks, 0);
        // The click returns before the answer is there: nothing was sorted in this thread.
        QCOMPARE(sorted.size(), 0);
        QTRY_VERIFY(!sorted.isEmpty());
        QTRY_COMPARE(model().index(0, 0).data().toString(), QStringLiteral("lock:0"));
        m_console->filter(test::Locks).setText(QStringLiteral("lock:1999"));
        QCOMPARE(model().rowCount(), locks);
        QTRY_COMPARE(model().rowCount(), 11); // itself and the ten that begin so
        m_console->filter(test::Locks).clear();
        QTRY_COMPARE(model().rowCount(), locks);
    }

    // Letters typed quickly are separate questions; only the answer to the last is shown.
    void onlyTheLastAnswerCounts()
    {
        QSignalSpy removed(&model(), &QAbstractItemModel::rowsRemoved);
        QTest::keyClicks(&m_console->filter(test::Locks), QStringLiteral("lock:12345"));
        QTRY_COMPARE(model().rowCount(), 1);
        QCOMPARE(removed.size(), 1);
        m_console->filter(test::Locks).clear();
        QTRY_COMPARE(model().rowCount(), locks);
    }

    // Only what is on screen is read each tick, wherever it is.
    void whatIsScrolledToFollowsRedis()
    {
        QTableView& table = m_console->table(test::Locks);
        for (const double part : {0.5, 1.0, 0.0}) {
            table.verticalScrollBar()->setValue(int(part * table.verticalScrollBar()->maximum()));
            const int row = table.rowAt(table.viewport()->height() / 2);
            const QByteArray key = model().index(row, 0).data().toString().toUtf8();
            const QByteArray owner = "seen-" + QByteArray::number(part);
            m_server.run({"SET", key, owner, "PX", "3600000"});
            QTRY_COMPARE(ownerOf(key), owner);
        }
    }

    // All of them can be copied; acted on only so many at a time.
    void allSelected()
    {
        QTableView& table = m_console->table(test::Locks);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
        m_console->press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), locks + 1);
        m_console->press(Qt::Key_Return, Qt::ControlModifier);
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        for (const QAction* entry : menu->actions()) {
            QVERIFY2(!entry->isEnabled() || entry->isSeparator(), qPrintable(entry->text()));
            QVERIFY(entry->isSeparator() ||
                    entry->toolTip().contains(QStringLiteral("narrow the filter")));
        }
        menu->close();
        m_console->window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&m_console->window));
        m_console->filter(test::Locks).setText(QStringLiteral("lock:19"));
        QTRY_COMPARE(model().rowCount(), 1111);
        table.setFocus();
        QTest::keyClick(&table, Qt::Key_A, Qt::ControlModifier);
        m_console->press(Qt::Key_Return, Qt::ControlModifier);
        menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QVERIFY(menu);
        QVERIFY(menu->actions().front()->isEnabled());
        menu->close();
        m_console->filter(test::Locks).clear();
        QTRY_COMPARE(model().rowCount(), locks);
    }

private:
    QAbstractItemModel& model() { return *m_console->table(test::Locks).model(); }

    QByteArray ownerOf(const QByteArray& key)
    {
        const QTableView& table = m_console->table(test::Locks);
        for (int row = table.rowAt(0); row >= 0 && row < model().rowCount(); ++row) {
            if (model().index(row, 0).data().toString().toUtf8() == key)
                return model().index(row, 2).data().toString().toUtf8();
        }
        return {};
    }

    test::RedisServer m_server;
    std::unique_ptr<ConsoleWindow> m_console;
};

LK_WIDGET_TEST(TestBoardsMany);
#include "tst_boards_many.moc"
