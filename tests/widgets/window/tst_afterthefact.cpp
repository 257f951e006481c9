// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "tests/support/waiting.h"
#include "tests/widgets/recordedconsole.h"

using namespace lk;
using namespace lk::test;

/// The operator is called when all is over: the server is gone, and the window is opened then.
class TestAfterTheFact : public QObject
{
    Q_OBJECT

private slots:
    void whatWasRecordedIsShownWithoutTheServer();
    void whatIsRecordedLaterIsFound();

private:
    /// A window that does not record.
    struct Reading
    {
        Reading(const ServerUrl& url, const QString& path)
            : reader(new RecordReader(path))
        {
            thread.start();
            reader->moveToThread(&thread);
            console = std::make_unique<ConsoleWindow>(setupFor(url, {}), QSize(1280, 800));
            findHistory(console->session(), *reader, path);
        }
        ~Reading()
        {
            console.reset();
            reader->deleteLater();
            endThread(thread);
        }

        QThread thread;
        RecordReader* reader;
        std::unique_ptr<ConsoleWindow> console;
    };

    RedisServer m_server;
    QTemporaryDir m_folder;
};

void TestAfterTheFact::whatWasRecordedIsShownWithoutTheServer()
{
    QVERIFY2(m_server.start(), m_server.output());
    m_server.line("SET lock:report worker-a PX 600000");
    const ServerUrl url = m_server.url();
    const QString path = m_folder.filePath(QStringLiteral("history.db"));
    qint64 thenMs = 0;
    {
        RecordedConsole recorded(setupFor(url, {}), {1280, 800}, {}, path);
        QVERIFY(recorded.console->waitForScan(1));
        QVERIFY(recorded.recordedUntil(recorded.nowMs()));
        thenMs = recorded.nowMs();
        QVERIFY(recorded.recordedUntil(thenMs));
    }
    m_server.stop();

    Reading after(url, path);
    ConsoleWindow& console = *after.console;
    auto* bar = console.window.findChild<TimeBar*>();
    QVERIFY(waitUntil([&] { return bar->isVisible(); }));
    QVERIFY(!console.session().isLive());
    console.window.showBoard(Locks);
    shoot(console.window, QStringLiteral("after-live"));
    console.press(Qt::Key_T, Qt::ControlModifier);
    auto* field = bar->findChild<QLineEdit*>(QStringLiteral("timeField"));
    QVERIFY(waitUntil([&] { return field->isVisible() && field->hasFocus(); }));
    field->selectAll();
    QTest::keyClicks(field, RecordedConsole::iso(thenMs));
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(waitUntil([&] { return console.window.shownSession()->isPast(); }));
    QVERIFY(waitUntil([&] { return console.rowOf(Locks, QStringLiteral("lock:report")) >= 0; }));
    shoot(console.window, QStringLiteral("after-past"));
    console.window.timeTravel().goLive();
}

// Another program begins while the window is open.
void TestAfterTheFact::whatIsRecordedLaterIsFound()
{
    RedisServer server;
    QVERIFY2(server.start(), server.output());
    server.line("SET lock:report worker-a PX 600000");
    const QString path = m_folder.filePath(QStringLiteral("later.db"));
    Reading reading(server.url(), path);
    QVERIFY(reading.console->waitForScan(1));
    auto* bar = reading.console->window.findChild<TimeBar*>();
    QVERIFY(!bar->isVisible());
    RecordedConsole recorded(setupFor(server.url(), {}), {1280, 800}, {}, path);
    QVERIFY(waitUntil([&] { return bar->isVisible(); }, 30'000));
}

LK_WIDGET_TEST(TestAfterTheFact);
#include "tst_afterthefact.moc"
