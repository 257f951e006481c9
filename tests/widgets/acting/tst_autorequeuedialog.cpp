// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "widgets/actions/dialog/autorequeuedialog.h"
#include "widgets/detail/autorequeueline.h"
#include "widgets/detail/slotspread.h"
#include "widgets/detail/tables/waitinglist.h"

#include <QScrollArea>
#include <QTemporaryDir>

using namespace lk;
using test::ConsoleWindow;

// Auto-requeue of a queue, from its button to what it did, and who waits for the queue.
class TestAutoRequeueDialog : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { test::fillWithSamples(m_server); }

    void isAskedOnceAndWatches()
    {
        ConsoleWindow console(setup());
        QVERIFY(openQueue(console));
        QCOMPARE(said(console), QStringLiteral("Auto-requeue: off"));
        QVERIFY(!button(console)->isChecked());
        QTest::mouseClick(button(console), Qt::LeftButton);
        auto* dialog = console.window.findChild<AutoRequeueDialog*>();
        QVERIFY(dialog);
        QVERIFY(!button(console)->isChecked()); // nothing has happened yet
        const QString text = ConsoleWindow::texts(*dialog);
        for (const char* word : {"Auto-requeue stuck jobs of jobs?", "Nothing was sent",
                                 "jobs:processing", "every 5 s", "at most 100 jobs", "auto-requeue",
                                 "lockkeeper:watcher:{jobs}", "write mode turns off"})
            QVERIFY2(text.contains(QLatin1String(word)), qPrintable(text));
        QVERIFY(!ConsoleWindow::button(*dialog, QStringLiteral("Start auto-requeue")));
        test::shoot(*dialog, QStringLiteral("auto-requeue-readonly"));
        console.session().acting().enableWriteMode(60'000);
        QTRY_VERIFY(ConsoleWindow::button(*dialog, QStringLiteral("Start auto-requeue")));
        auto* field = dialog->findChild<QLineEdit*>();
        QCOMPARE(field->text(), QStringLiteral("30s"));
        field->setText(QStringLiteral("soon"));
        auto* start = ConsoleWindow::button(*dialog, QStringLiteral("Start auto-requeue"));
        QVERIFY(!start->isEnabled());
        field->setText(QStringLiteral("200ms"));
        QVERIFY(start->isEnabled());
        QVERIFY(ConsoleWindow::texts(*dialog).contains(QStringLiteral("for 200 ms or longer")));
        test::shoot(*dialog, QStringLiteral("auto-requeue-write-mode"));
        QVERIFY2(test::clippedTexts(*dialog).isEmpty(),
                 qPrintable(test::clippedTexts(*dialog).join(QLatin1Char('\n'))));
        // Return goes on from the field, and presses the button that it is on.
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        QVERIFY(!field->hasFocus());
        start->setFocus();
        QTest::keyClick(start, Qt::Key_Return);
        QTRY_VERIFY(said(console).contains(QStringLiteral("on since")));
        QVERIFY(button(console)->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(said(console).contains(QStringLiteral("2 requeued")), 15'000);
        QCOMPARE(m_server.line("EXISTS jobs:processing").integer, 0);
        QCOMPARE(m_server.line("LLEN jobs").integer, 5);
        shootPane(console, QStringLiteral("auto-requeue-on"));

        QTest::mouseClick(button(console), Qt::LeftButton);
        QTRY_VERIFY(said(console).contains(QStringLiteral("stopped, stopped here; 2 requeued")));
        QVERIFY(!button(console)->isChecked());
        QTRY_COMPARE(m_server.line("EXISTS lockkeeper:watcher:{jobs}").integer, 0);
    }

    void endsWithTheArming()
    {
        ConsoleWindow console(setup());
        QVERIFY(openQueue(console));
        QVERIFY(autoRequeue(console));
        QTRY_VERIFY(said(console).contains(QStringLiteral("on since")));
        QTRY_VERIFY(!console.window.findChild<AutoRequeueDialog*>());
        console.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&console.window));
        console.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY2(said(console).contains(QStringLiteral("stopped, write mode is off")),
                     qPrintable(console.detail(test::Queues)));
        QVERIFY(!button(console)->isChecked());
        QTRY_COMPARE(m_server.line("EXISTS lockkeeper:watcher:{jobs}").integer, 0);
    }

    void anotherConsoleIsNamed()
    {
        m_server.line("SET lockkeeper:watcher:{jobs} lockkeeper:elsewhere:1 PX 600000");
        ConsoleWindow console(setup());
        QVERIFY(openQueue(console));
        QVERIFY(autoRequeue(console));
        QTRY_VERIFY(said(console).contains(
            QStringLiteral("another console does it (lockkeeper:elsewhere:1)")));
        QVERIFY(button(console)->isChecked()); // it stands by, and can be told not to
        shootPane(console, QStringLiteral("auto-requeue-elsewhere"));
        QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
    }

    void whoWaitsIsShown()
    {
        ConsoleWindow console(setup());
        QVERIFY(openQueue(console));
        QTRY_VERIFY(waiting(console).contains(QStringLiteral("No client is blocked")));
        m_server.line("DEL jobs");
        test::RespClient worker(m_server.socketPath());
        worker.run({"CLIENT", "SETNAME", "worker-7"});
        worker.write({"BRPOPLPUSH", "jobs", "jobs:processing", "0"});
        QTRY_VERIFY_WITH_TIMEOUT(waiting(console).contains(QStringLiteral("worker-7")), 15'000);
        QTRY_VERIFY2(waiting(console).contains(QStringLiteral("inferred")),
                     qPrintable(waiting(console)));
        QVERIFY(waiting(console).contains(QStringLiteral("BRPOPLPUSH, blocked for")));
        shootPane(console, QStringLiteral("waiting"));
    }

    void whatIsKnownOfThemInWords()
    {
        State state;
        auto primitive = std::make_shared<Primitive>();
        primitive->id = {"reliable-list", "jobs"};
        state.primitive = primitive;
        state.body = QueueState();
        const auto summary = [&](WaitingWorkers waiting) {
            return WaitingList::summary(std::make_shared<const WaitingWorkers>(waiting), state);
        };
        QVERIFY(WaitingList::summary(nullptr, state).contains(QStringLiteral("Not read")));
        WaitingWorkers waiting;
        waiting.known = WaitingWorkers::Known::Denied;
        waiting.error = {ErrorCode::NoPerm, QStringLiteral("client|list")};
        QVERIFY(summary(waiting).startsWith(QStringLiteral("Unknown: ")));
        waiting = {};
        waiting.known = WaitingWorkers::Known::TooMany;
        waiting.connections = 9000;
        QVERIFY(summary(waiting).contains(QStringLiteral("9,000")) ||
                summary(waiting).contains(QStringLiteral("9000")));
        waiting = {};
        waiting.total = 2;
        QVERIFY(summary(waiting).contains(QStringLiteral("does not say which")));
        waiting.inferred = {"reliable-list", "mails"};
        QVERIFY(summary(waiting).contains(QStringLiteral("does not say which")));
        waiting.inferred = primitive->id;
        QVERIFY(summary(waiting).contains(QStringLiteral("inferred")));
        QueueState busy;
        busy.ready = 3;
        state.body = busy;
        QVERIFY(summary(waiting).contains(QStringLiteral("probably not this one")));
    }

    void aLockWithoutWaitersSaysSo()
    {
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_VERIFY(console.rowOf(test::Locks, QStringLiteral("lock:one")) >= 0);
        console.clickRow(test::Locks, QStringLiteral("lock:one"));
        QTRY_VERIFY(console.detail(test::Locks)
                        .contains(QStringLiteral("not stored by this kind of lock")));
    }

    void slotsOfAResource()
    {
        const QByteArray now = m_server.line("TIME").items[0].text;
        for (const char* key : {"z:rl:resource:12{12}", "z:rl:resource:12{12}:consumer:1",
                                "z:rl:resource:12{12}:consumer:2"})
            m_server.run({"ZADD", key, now, "111111", now, "222222"});
        ConsoleWindow console(setup());
        QVERIFY(console.waitForScan(test::sampleCount + 1));
        console.window.showBoard(test::Limiters);
        const QString name = QStringLiteral("z:rl:resource:12{12}");
        QTRY_VERIFY(console.rowOf(test::Limiters, name) >= 0);
        console.clickRow(test::Limiters, name);
        QTRY_VERIFY2(
            console.detail(test::Limiters).contains(QStringLiteral("All 3 keys are in slot")),
            qPrintable(console.detail(test::Limiters)));
        console.page(test::Limiters)
            .findChild<QScrollArea*>()
            ->ensureWidgetVisible(console.page(test::Limiters).findChild<SlotSpreadView*>());
        test::shoot(console.window, QStringLiteral("slots"));

        // One whose braces were forgotten: no longer in one place.
        QVERIFY(m_server.run({"ZADD", "z:rl:resource:7", now, "111111"}).integer == 1);
        for (int i = 0; i < 12; ++i)
            m_server.run({"ZADD", "z:rl:resource:7:consumer:" + QByteArray::number(i), now, "5"});
        const QString other = QStringLiteral("z:rl:resource:7");
        console.session().polling().rescan();
        QTRY_VERIFY_WITH_TIMEOUT(console.rowOf(test::Limiters, other) >= 0, 15'000);
        console.clickRow(test::Limiters, other);
        QTRY_VERIFY2(console.detail(test::Limiters)
                         .contains(QStringLiteral("12 not in the resource's slot")),
                     qPrintable(console.detail(test::Limiters)));
        console.window.resize(960, 600);
        auto* pane = console.page(test::Limiters).findChild<QWidget*>(QStringLiteral("detailPane"));
        QTRY_VERIFY(pane->mapTo(&console.window, pane->rect().bottomRight()).x() < 960);
        console.page(test::Limiters)
            .findChild<QScrollArea*>()
            ->ensureWidgetVisible(console.page(test::Limiters).findChild<SlotSpreadView*>());
        test::shoot(console.window, QStringLiteral("slots-apart"));
    }

private:
    Session::Setup setup()
    {
        Session::Setup setup = test::setupFor(m_server.url(), test::sampleConfig);
        setup.actionFiles = {m_folder.filePath(QStringLiteral("journal.jsonl")),
                             m_folder.filePath(QStringLiteral("undo"))};
        return setup;
    }
    static bool openQueue(ConsoleWindow& console)
    {
        if (!console.waitForScan(test::sampleCount))
            return false;
        console.window.showBoard(test::Queues);
        if (!QTest::qWaitFor(
                [&] { return console.rowOf(test::Queues, QStringLiteral("jobs")) >= 0; }))
            return false;
        console.clickRow(test::Queues, QStringLiteral("jobs"));
        return QTest::qWaitFor([&] { return line(console)->isVisible(); });
    }
    static bool autoRequeue(ConsoleWindow& console)
    {
        console.session().acting().enableWriteMode(60'000);
        if (!QTest::qWaitFor([&] { return console.session().acting().isWriteModeOn(); }))
            return false;
        reveal(console, line(console));
        QTest::mouseClick(button(console), Qt::LeftButton);
        auto* dialog = console.window.findChild<AutoRequeueDialog*>();
        auto* start =
            dialog ? ConsoleWindow::button(*dialog, QStringLiteral("Start auto-requeue")) : nullptr;
        if (!start)
            return false;
        QTest::mouseClick(start, Qt::LeftButton);
        return true;
    }
    static void reveal(ConsoleWindow& console, QWidget* widget)
    {
        console.page(test::Queues).findChild<QScrollArea*>()->ensureWidgetVisible(widget);
    }
    static void shootPane(ConsoleWindow& console, const QString& name)
    {
        reveal(console, console.page(test::Queues).findChild<WaitingList*>());
        QTRY_COMPARE(test::clippedTexts(*line(console)), QStringList());
        reveal(console, line(console));
        test::shoot(console.window, name);
    }
    static AutoRequeueNotice* line(ConsoleWindow& console)
    {
        return console.page(test::Queues).findChild<AutoRequeueNotice*>();
    }
    static QPushButton* button(ConsoleWindow& console)
    {
        auto* found = line(console)->findChild<QPushButton*>(QStringLiteral("autoRequeue"));
        reveal(console, found);
        return found;
    }
    static QString said(ConsoleWindow& console)
    {
        return ConsoleWindow::texts(*line(console)).trimmed();
    }
    static QString waiting(ConsoleWindow& console)
    {
        return ConsoleWindow::texts(*console.page(test::Queues).findChild<WaitingList*>());
    }

    test::RedisServer m_server;
    QTemporaryDir m_folder;
};

LK_WIDGET_TEST(TestAutoRequeueDialog);
#include "tst_autorequeuedialog.moc"
