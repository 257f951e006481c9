// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultserver.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/dialogshots.h"
#include "widgets/main/header/connectionbanner.h"
#include "widgets/server/statustexts.h"

#include <QPushButton>
#include <QSignalSpy>

using namespace lk;
using test::ConsoleWindow;

// The texts of the window while the server is away. Afterwards the window goes on by itself.
class TestLostConnection : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::theme().choose(ThemeChoice::Light); }

    void lostAndBack()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        test::fillWithSamples(server);
        ConsoleWindow console(test::setupFor(server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan(test::sampleCount));
        console.window.showBoard(test::Locks);
        QTRY_COMPARE(console.cells(test::Locks).size(), 4);
        console.clickRow(test::Locks, QStringLiteral("lock:one"));
        QVERIFY(!banner(console).isVisible());

        server.stop();
        QTRY_VERIFY(banner(console).isVisible());
        QTRY_VERIFY2(banner(console).text().startsWith(QStringLiteral("Connection lost ")),
                     qPrintable(banner(console).text()));
        QTRY_VERIFY2(banner(console).text().contains(QStringLiteral("Retrying in ")),
                     qPrintable(banner(console).text()));
        // The last known state stays readable.
        QCOMPARE(console.cells(test::Locks).size(), 4);
        QVERIFY(console.detail(test::Locks).contains(QStringLiteral("lock:one")));
        QVERIFY(!ConsoleWindow::texts(console.window).contains(QStringLiteral("own cost")));

        QVERIFY2(server.start(), server.output());
        test::fillWithSamples(server);
        server.line("SET lock:one owner-new PX 400000");
        QPushButton* tryNow =
            ConsoleWindow::button<QPushButton>(console.window, QStringLiteral("Try now"));
        if (tryNow) // unless it has come back by itself
            QTest::mouseClick(tryNow, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!banner(console).isVisible(), 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(console.detail(test::Locks).contains(QStringLiteral("owner-new")),
                                 20'000);
        QTRY_COMPARE_WITH_TIMEOUT(console.cells(test::Locks).size(), 4, 20'000);
    }

    void comesBackByItself()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        test::fillWithSamples(server);
        ConsoleWindow console(test::setupFor(server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan(test::sampleCount));
        server.stop();
        QTRY_VERIFY(banner(console).isVisible());
        QVERIFY2(server.start(), server.output());
        QTRY_VERIFY_WITH_TIMEOUT(!banner(console).isVisible(), 30'000);
    }

    // A failover of a Sentinel group needs no action by the user.
    void aFailoverIsNoLoss()
    {
        ConnectionStatus status;
        status.phase = ConnectionStatus::Phase::Lost;
        status.generation = 1;
        status.error = {ErrorCode::Replica, QStringLiteral("10.0.0.2:6379")};
        QCOMPARE(connectionText(status, QStringLiteral("a:26379/orders/0"), 0, 0),
                 QStringLiteral("Failover: connecting to the new master 10.0.0.2:6379."));
        status.nextTryInMs = 500; // named, but still a replica itself
        QCOMPARE(connectionText(status, QStringLiteral("a:26379/orders/0"), 0, 500),
                 QStringLiteral("Failover: waiting for the new master."));
    }

    void neverThere_data()
    {
        QTest::addColumn<QByteArray>("pong");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("button"); // what can be done about it
        QTest::newRow("password wanted")
            << QByteArray("-NOAUTH Authentication required.\r\n")
            << QStringLiteral("requires a password") << QStringLiteral("Enter password…");
        QTest::newRow("not a Redis")
            << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n")
            << QStringLiteral("Not a Redis server") << QStringLiteral("Try now");
        QTest::newRow("loading") << QByteArray("-LOADING Redis is loading the dataset\r\n")
                                 << QStringLiteral("loading its data") << QStringLiteral("Try now");
    }

    void neverThere()
    {
        QFETCH(QByteArray, pong);
        QFETCH(QString, said);
        QFETCH(QString, button);
        test::FaultServer server;
        server.answer("PING", pong);
        ConsoleWindow console(test::setupFor(server.url()));
        for (int board = 0; board < test::ServerBoard; ++board) {
            console.window.showBoard(board);
            QTRY_VERIFY2_WITH_TIMEOUT(ConsoleWindow::texts(console.window).count(said) >= 2,
                                      qPrintable(ConsoleWindow::texts(console.window)), 10'000);
        }
        QTRY_VERIFY(ConsoleWindow::button<QPushButton>(console.window, button));
        QSignalSpy wanted(&console.window, &MainWindow::passwordWanted);
        const int before = server.connections();
        QTest::mouseClick(ConsoleWindow::button<QPushButton>(console.window, button),
                          Qt::LeftButton);
        if (button == QLatin1String("Try now"))
            QTRY_VERIFY(server.connections() > before);
        else
            QCOMPARE(wanted.size(), 1);
    }

    void connecting()
    {
        test::FaultServer server;
        server.answer("PING", QByteArray()); // accepts, then says nothing
        ConsoleWindow console(test::setupFor(server.url()));
        QTRY_VERIFY(banner(console).isVisible());
        QTRY_VERIFY2(ConsoleWindow::texts(console.window).contains(QStringLiteral("Connecting…")),
                     qPrintable(ConsoleWindow::texts(console.window)));
        QTRY_VERIFY2(banner(console).text().contains(server.url().endpoint()),
                     qPrintable(banner(console).text()));
    }

    void nobodyListens()
    {
        test::FaultServer server;
        const ServerUrl url = server.url();
        server.stopListening();
        ConsoleWindow console(test::setupFor(url));
        QTRY_VERIFY_WITH_TIMEOUT(
            banner(console).text().contains(QStringLiteral("Connection refused by")), 10'000);
        QVERIFY(!banner(console).text().contains(QStringLiteral("Connection lost")));
        QTRY_VERIFY2(banner(console).text().contains(QStringLiteral("Retrying in")),
                     qPrintable(banner(console).text()));
        console.window.showBoard(test::Queues);
        QTRY_VERIFY(ConsoleWindow::texts(console.page(test::Queues))
                        .contains(QStringLiteral("Check that the server is running")));
    }

    void aMasterThatIsDemoted()
    {
        test::RedisServer next({QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")});
        next.addTcp();
        QVERIFY2(next.start(), next.output());
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        ConsoleWindow console(test::setupFor(server.url()));
        QTRY_COMPARE(console.session().info().role(), NodeRole::Master);
        QVERIFY(!banner(console).isVisible());
        server.run({"REPLICAOF", "127.0.0.1", QByteArray::number(next.port())});
        const QString master = QStringLiteral("127.0.0.1:%1").arg(next.port());
        QTRY_VERIFY_WITH_TIMEOUT(
            banner(console).text().startsWith(
                QStringLiteral("This server is now a replica of %1: write mode is off.")
                    .arg(master)),
            20'000);
        auto* go = ConsoleWindow::button<QPushButton>(console.window,
                                                      QStringLiteral("Connect to %1").arg(master));
        QVERIFY(go && go->isVisible());
        QSignalSpy wanted(&console.window, &MainWindow::masterWanted);
        QTest::mouseClick(go, Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), master);
        test::shoot(console.window, QStringLiteral("demoted"));
        server.run({"REPLICAOF", "NO", "ONE"}); // it is again what it was
        QTRY_VERIFY_WITH_TIMEOUT(!banner(console).isVisible(), 20'000);
    }

    // Whatever board is in front: what it shows is as old as the loss.
    void aReplicaThatIsBehind()
    {
        test::RedisServer master(
            {QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")});
        master.addTcp();
        QVERIFY2(master.start(), master.output());
        test::fillWithSamples(master);
        test::RedisServer server({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"),
                                  QString::number(master.port())});
        QVERIFY2(server.start(), server.output());
        QTRY_COMPARE(server.line("GET lock:one").text, "owner-1");
        ConsoleWindow console(test::setupFor(server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan(test::sampleCount));
        QVERIFY(!banner(console).isVisible());
        master.stop();
        QTRY_VERIFY_WITH_TIMEOUT(banner(console).isVisible(), 20'000);
        const QString said = banner(console).text();
        QVERIFY2(said.contains(QStringLiteral("This replica lost 127.0.0.1:")), qPrintable(said));
        for (const int board :
             {test::Locks, test::Queues, test::ServerBoard, test::FindingsBoard}) {
            console.window.showBoard(board);
            QVERIFY(banner(console).isVisible());
        }
        QVERIFY(!ConsoleWindow::texts(console.window).contains(QStringLiteral("slave")));
    }

    void aMasterThatBecomesAReplica()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        test::fillWithSamples(server);
        ConsoleWindow console(test::setupFor(server.url(), test::sampleConfig));
        QVERIFY(console.waitForScan(test::sampleCount));
        QTRY_COMPARE(console.session().info().role(), NodeRole::Master);
        server.line("REPLICAOF 127.0.0.1 1");
        const QString said = QStringLiteral("This server is now a replica of 127.0.0.1:1");
        QTRY_VERIFY_WITH_TIMEOUT(banner(console).text().contains(said), 20'000);
        QVERIFY(banner(console).isVisible());
        server.line("REPLICAOF NO ONE");
        QTRY_VERIFY_WITH_TIMEOUT(!banner(console).isVisible(), 20'000);
    }

    void noPlaceForTheScan()
    {
        test::RedisServer server({QStringLiteral("--maxclients"), QStringLiteral("2")});
        QVERIFY2(server.start(), server.output());
        test::fillWithSamples(server); // by the first client
        ConsoleWindow console(test::setupFor(server.url(), test::sampleConfig));
        QTRY_VERIFY_WITH_TIMEOUT(banner(console).text().contains(
                                     QStringLiteral("Keys are not scanned: The server accepts "
                                                    "no more clients")),
                                 20'000);
        console.window.showBoard(test::Patterns);
        QTRY_VERIFY(ConsoleWindow::texts(console.page(test::Patterns))
                        .contains(QStringLiteral("Keys are not scanned")));
        server.line("CONFIG SET maxclients 20");
        QTRY_VERIFY_WITH_TIMEOUT(!banner(console).isVisible(), 30'000);
        QVERIFY(console.waitForScan(test::sampleCount));
    }

    // The window closes and goes while connections hang.
    void closesInTheMiddle()
    {
        test::FaultServer server;
        server.answer("PING", QByteArray());
        {
            ConsoleWindow console(test::setupFor(server.url()));
            QTRY_VERIFY(server.receivedCount("PING") > 0);
        }
        QVERIFY(server.connections() >= 1);
    }

private:
    static ConnectionBanner& banner(ConsoleWindow& console)
    {
        return *console.window.findChild<ConnectionBanner*>();
    }
};

LK_WIDGET_TEST(TestLostConnection);
#include "tst_lostconnection.moc"
