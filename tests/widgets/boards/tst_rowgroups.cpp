// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionboard.h"
#include "backend/session/sessionstates.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/boards/primitivemodel.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>

#include <algorithm>

using namespace lk;
using namespace Qt::StringLiterals;
using test::ConsoleWindow;

// Rows under header rows: chosen by the button, closed and opened by clicks and keys, and found
// again as they were left.
class TestRowGroups : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        m_server.lines({"SET job:1 owner-a PX 600000", "SET job:2 owner-b PX 600000",
                        "SET job:3 owner-a PX 600000", "SET tenant:1 owner-b",
                        "SET tenant:2 owner-a PX 600000", "SET single owner-a PX 600000"});
    }
    void init()
    {
        m_console = std::make_unique<ConsoleWindow>(
            test::setupFor(m_server.url(), "[[lock]]\nkey = \"*\"\nlayout = \"set-nx-px\"\n"));
        QVERIFY(m_console->waitForScan(6));
        m_console->window.showBoard(test::Locks);
        QTRY_COMPARE(model().rowCount(), 6);
    }
    void cleanup() { m_console.reset(); }

    void theButtonGroups()
    {
        const QAbstractItemModelTester tester(
            &model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        choose(u"By prefix"_s);
        QTRY_COMPARE(m_console->cells(test::Locks).size(), 9);
        QStringList cells = m_console->cells(test::Locks);
        std::sort(cells.begin() + 4, cells.begin() + 7); // equally urgent ones: in any order
        QCOMPARE(cells,
                 (QStringList{u"tenant:"_s, u"tenant:1"_s, u"tenant:2"_s, u"job:"_s, u"job:1"_s,
                              u"job:2"_s, u"job:3"_s, u"No prefix"_s, u"single"_s}));
        QCOMPARE(button().text(), u"By prefix"_s);
        QCOMPARE(model().groupAt(3)->count, 3);
        QCOMPARE(model().groupAt(0)->worst, Health::Error); // one has no TTL
        QCOMPARE(model().index(0, 1).data().toString(), model().index(1, 1).data().toString());
        choose(u"By owner"_s);
        QTRY_COMPARE(m_console->cells(test::Locks).first(), u"owner-b"_s);
        QCOMPARE(model().rowCount(), 8);
        choose(u"By layout"_s);
        QTRY_COMPARE(model().rowCount(), 7);
        choose(u"No groups"_s);
        QTRY_COMPARE(model().rowCount(), 6);
        QCOMPARE(button().text(), u"Group"_s);
    }

    void clicksCloseAndOpen()
    {
        const QAbstractItemModelTester tester(
            &model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        choose(u"By prefix"_s);
        QTRY_COMPARE(model().rowCount(), 9);
        m_console->clickRow(test::Locks, u"job:2"_s);
        QCOMPARE(name(page().selected()), "job:2");
        m_console->clickRow(test::Locks, u"job:"_s);
        QTRY_COMPARE(model().rowCount(), 6);
        QCOMPARE(name(page().selected()), "job:2"); // the pane goes on to show it
        QVERIFY(model().groupAt(m_console->rowOf(test::Locks, u"job:"_s))->collapsed);
        // A double click is one click.
        const QModelIndex header = model().index(m_console->rowOf(test::Locks, u"job:"_s), 0);
        const QPoint at = table().visualRect(header).center();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table().viewport(), Qt::LeftButton, {}, at);
        QTRY_COMPARE(model().rowCount(), 9);
        QCOMPARE(m_console->window.findChildren<QMenu*>(u"actionMenu"_s).size(), 0);
    }

    void keysCloseAndOpen()
    {
        choose(u"By prefix"_s);
        QTRY_COMPARE(model().rowCount(), 9);
        m_console->clickRow(test::Locks, u"job:3"_s);
        m_console->press(Qt::Key_Left); // to its group
        QTRY_COMPARE(currentText(), u"job:"_s);
        QCOMPARE(model().rowCount(), 9);
        m_console->press(Qt::Key_Left);
        QTRY_COMPARE(model().rowCount(), 6);
        QCOMPARE(currentText(), u"job:"_s);
        m_console->press(Qt::Key_Right);
        QTRY_COMPARE(model().rowCount(), 9);
        QCOMPARE(currentText(), u"job:"_s);
        m_console->press(Qt::Key_Right); // is open already
        m_console->press(Qt::Key_Space);
        QTRY_COMPARE(model().rowCount(), 6);
        m_console->press(Qt::Key_Return);
        QTRY_COMPARE(model().rowCount(), 9);
        QVERIFY(table().isVisible()); // Return opened no wide pane
        m_console->press(Qt::Key_Down);
        QVERIFY2(currentText().size() == 5 && currentText().startsWith(u"job:"_s),
                 qPrintable(currentText()));
        QTRY_COMPARE(name(page().selected()), currentText().toUtf8());
        // A header row offers no action on a primitive, and a change does not move the selection
        // off it.
        m_console->press(Qt::Key_Up);
        QSignalSpy arranged(&m_console->session().board(), &SessionBoard::sorted);
        m_server.line("SET tenant:3 owner-c PX 600000");
        QTRY_VERIFY(m_console->rowOf(test::Locks, u"tenant:3"_s) >= 0);
        QVERIFY(!arranged.isEmpty());
        QCOMPARE(currentText(), u"job:"_s);
        m_server.line("DEL tenant:3");
    }

    void allAtOnce()
    {
        choose(u"By prefix"_s);
        QTRY_COMPARE(model().rowCount(), 9);
        choose(u"Collapse all groups"_s);
        QTRY_COMPARE(m_console->cells(test::Locks),
                     (QStringList{u"tenant:"_s, u"job:"_s, u"No prefix"_s}));
        QString copy = model().csv()();
        QCOMPARE(copy.count(QLatin1Char('\n')), 7); // what is exported is all of it
        choose(u"Expand all groups"_s);
        QTRY_COMPARE(model().rowCount(), 9);
        // Nor is a header row a line of what is copied.
        table().selectAll();
        page().copySelection();
        QTRY_COMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), 7);
    }

    void isFoundAsItWasLeft()
    {
        choose(u"By prefix"_s);
        QTRY_COMPARE(model().rowCount(), 9);
        m_console->clickRow(test::Locks, u"job:"_s);
        QTRY_COMPARE(model().rowCount(), 6);
        const QVariantMap left = m_console->window.viewState();
        // Nothing of the server is in it.
        QString text;
        QDebug(&text) << left[u"boards"_s];
        QVERIFY2(text.contains(u"prefix") && !text.contains(u"job"), qPrintable(text));
        m_console.reset();
        init();
        m_console->window.setViewState(left);
        QTRY_VERIFY(m_console->rowOf(test::Locks, u"job:"_s) >= 0);
        QCOMPARE(model().rowCount(), 6);
        QCOMPARE(button().text(), u"By prefix"_s);
        QVERIFY(model().groupAt(m_console->rowOf(test::Locks, u"job:"_s))->collapsed);
        m_console->window.setViewState({});
        QTRY_VERIFY(model().groups().empty());
        QCOMPARE(m_console->cells(test::Locks).size(), 6);
    }

    void theFirstRowIsAPrimitive()
    {
        choose(u"By prefix"_s);
        QTRY_COMPARE(model().rowCount(), 9);
        page().selectFirst();
        QCOMPARE(name(page().selected()), "tenant:1");
        m_console->press(Qt::Key_F, Qt::ControlModifier);
        m_console->filter(test::Locks).setText(u"job:3"_s);
        QTRY_COMPARE(m_console->cells(test::Locks), (QStringList{u"job:"_s, u"job:3"_s}));
        m_console->filter(test::Locks).clear();
        QTRY_COMPARE(model().rowCount(), 9);
    }

    void pictures()
    {
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            test::theme().choose(choice);
            choose(u"By prefix"_s);
            QTRY_COMPARE(model().rowCount(), 9);
            m_console->clickRow(test::Locks, u"tenant:"_s);
            QTRY_COMPARE(model().rowCount(), 7);
            m_console->clickRow(test::Locks, u"job:2"_s);
            const QString folder = qEnvironmentVariable("LOCKKEEPER_SHOTS");
            const QString file =
                choice == ThemeChoice::Dark ? u"/rowgroups-dark.png"_s : u"/rowgroups-light.png"_s;
            QVERIFY(folder.isEmpty() || m_console->window.grab().save(folder + file));
            // The header row stands out from the rows, and is one tint over all columns.
            const QImage image = table().viewport()->grab().toImage();
            const int y = table().visualRect(model().index(0, 0)).top() + 2;
            const int other = table().visualRect(model().index(2, 0)).top() + 2;
            const int right =
                table().visualRect(model().index(0, model().columnCount() - 1)).left();
            QCOMPARE(image.pixel(2, y), image.pixel(std::min(right, image.width() - 3), y));
            QVERIFY(image.pixel(2, y) != image.pixel(2, other));
            choose(u"No groups"_s);
            QTRY_COMPARE(model().rowCount(), 6);
        }
        test::theme().choose(ThemeChoice::Light);
    }

private:
    BoardPage& page() { return m_console->page(test::Locks); }
    QTableView& table() { return m_console->table(test::Locks); }
    PrimitiveModel& model() { return *qobject_cast<PrimitiveModel*>(table().model()); }
    QToolButton& button() { return *page().findChild<QToolButton*>(u"groupButton"_s); }
    QString currentText()
    {
        return model().index(table().currentIndex().row(), 0).data().toString();
    }
    QByteArray name(Handle handle)
    {
        const StatePtr state = m_console->session().states().at(handle);
        return state ? state->primitive->id.name : QByteArray();
    }
    // By the keyboard, as the menu opens on a key.
    void choose(const QString& entry)
    {
        QMenu* menu = button().menu();
        QTimer::singleShot(0, menu, [menu, entry] {
            for (QAction* action : menu->actions()) {
                if (action->text() == entry)
                    menu->setActiveAction(action);
            }
            QTest::keyClick(menu, Qt::Key_Return);
        });
        button().setFocus();
        QTest::keyClick(&button(), Qt::Key_Space);
        QVERIFY(QTest::qWaitFor([menu] { return !menu->isVisible(); }));
    }

    test::RedisServer m_server;
    std::unique_ptr<ConsoleWindow> m_console;
};

LK_WIDGET_TEST(TestRowGroups);
#include "tst_rowgroups.moc"
