// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/faultserver.h"
#include "tests/support/hostiletexts.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/consolewindow.h"
#include "tests/widgets/drawntexts.h"

using namespace lk;
using test::ConsoleWindow;
using test::hostile;
using test::oddCharacters;

// Nothing that a server says or holds does anything in the window: no text turned around, no second
// line in a row, nothing that cannot be seen.
class TestHostile : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::theme().choose(ThemeChoice::Light);
        QVERIFY2(m_server.start(), m_server.output());
        m_server.run({"SET", "lock:a" + hostile, "own" + hostile, "PX", "600000"});
        m_server.run({"SET", "lock:b" + hostile, hostile}); // no TTL: a finding
        m_server.run({"RPUSH", "jobs" + hostile, hostile, "b"});
        m_server.run({"RPUSH", "jobs" + hostile + ":processing", hostile});
        m_server.run({"SET", "code:" + hostile + "c17bd6e5f4a1b2c3", hostile, "PX", "600000"});
        m_server.run({"ZADD", "z:rl:resource:12" + hostile, "1700000000", "104768"});
        m_server.run({"ZADD", "z:rl:resource:12" + hostile + ":consumer:" + hostile, "1700000000",
                      "104768"});
        m_server.run({"RPUSH", "pagewviews.user:" + hostile, "/a" + hostile, "/b"});
        m_server.run({"EXPIRE", "pagewviews.user:" + hostile, "600"});
        m_server.run({"ZADD", "weights" + hostile, "0.5", hostile, "1", "b"});
        m_server.run({"RPUSH", "wrong" + hostile, "no string"});
    }

    void whatItHolds()
    {
        ConsoleWindow console(test::setupFor(
            m_server.url(), "[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n"
                            "[[lock]]\nkey = \"wrong*\"\nlayout = \"set-nx-px\"\n"
                            "[[token]]\nkey = \"code:*\"\nlayout = \"string-token\"\n"
                            "[[pattern]]\nkey = \"weights*\"\nlayout = \"weighted-set\"\n"));
        QVERIFY(console.waitForScan(7));
        int rows = 0;
        for (int board = 0; board < console.window.boardCount(); ++board) {
            console.window.showBoard(board);
            if (!qobject_cast<BoardPage*>(console.window.boards()[size_t(board)])) {
                checkTexts(console);
                continue;
            }
            QTRY_VERIFY_WITH_TIMEOUT(!console.cells(board).isEmpty(), 10'000);
            for (const QString& name : console.cells(board)) {
                QVERIFY2(name.contains(QStringLiteral("\\x1b")), qPrintable(name));
                console.clickRow(board, name);
                QTRY_VERIFY(console.page(board).selected() != noHandle);
                checkTexts(console);
                ++rows;
            }
        }
        QVERIFY(rows >= 7);
    }

    void whatItSays()
    {
        test::FaultServer server;
        server.answer("INFO", test::hostileInfo());
        server.answer("TIME", "*2\r\n$10\r\n1700000000\r\n$1\r\n0\r\n");
        server.answer("DBSIZE", ":0\r\n");
        server.answer("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        server.answer("CONFIG", "-ERR " + hostile + "\r\n");
        server.answer("CLIENT", "-ERR " + hostile + "\r\n");
        ConsoleWindow console(test::setupFor(server.url()));
        QTRY_VERIFY_WITH_TIMEOUT(!console.session().info().isEmpty(), 20'000);
        for (int board = 0; board < console.window.boardCount(); ++board) {
            console.window.showBoard(board);
            QTest::qWait(0);
            checkTexts(console);
        }
        console.window.showBoard(test::ServerBoard);
        QTRY_VERIFY(test::allTexts(console.window)
                        .join(QLatin1Char(' '))
                        .contains(QStringLiteral("\\x1b")));
    }

    void howItRefuses_data()
    {
        QTest::addColumn<QByteArray>("answer");
        QTest::newRow("error") << "-NOAUTH " + hostile + "\r\n";
        QTest::newRow("no protocol") << hostile + "\r\n";
    }
    void howItRefuses()
    {
        QFETCH(QByteArray, answer);
        test::FaultServer server;
        server.answer("PING", answer);
        ConsoleWindow console(test::setupFor(server.url()));
        QTRY_COMPARE_WITH_TIMEOUT(console.session().status().phase, ConnectionStatus::Phase::Lost,
                                  20'000);
        for (int board = 0; board < console.window.boardCount(); ++board) {
            console.window.showBoard(board);
            checkTexts(console);
        }
    }

private:
    static void checkTexts(ConsoleWindow& console)
    {
        const QStringList texts = test::allTexts(console.window);
        for (const QString& text : texts)
            QVERIFY2(oddCharacters(text).isEmpty(),
                     qPrintable(text + oddCharacters(text).join(QLatin1Char(' '))));
    }

    test::RedisServer m_server;
};

LK_WIDGET_TEST(TestHostile);
#include "tst_hostile.moc"
