// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using test::Program;

// The program without a window, on a machine without a display: output, exit codes, one clear line
// for whatever goes wrong, and no password anywhere.
class TestCommandLine : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_open.addTcp();
        QVERIFY2(m_open.start(), m_open.output());
        m_open.lines({"SET lock:invoice owner-1 PX 600000", "SET lock:orphan owner-2",
                      "SET code:c17bd6 S3CRET-PAYLOAD PX 90000", "RPUSH jobs a b",
                      "RPUSH jobs:processing c"});
        m_locked.addTcp();
        m_locked.setArguments({QStringLiteral("--requirepass"), QStringLiteral("right-S3CRET")});
        QVERIFY2(m_locked.start(), m_locked.output());
        m_http.answer("PING", QByteArray("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n"));
        m_goneUrl = m_gone.url().withoutPassword();
        m_gone.stopListening();
    }

    void helpAndVersion()
    {
        for (const char* word : {"--help", "-h", "--version"}) {
            Program program;
            QVERIFY(program.run({QLatin1String(word)}));
            QCOMPARE(program.exitCode(), 0);
            QCOMPARE(program.err(), QByteArray());
            QVERIFY(program.out().startsWith(word == QByteArray("--version") ? "lockkeeper "
                                                                             : "Lockkeeper "));
            QVERIFY(program.out().endsWith('\n'));
        }
    }

    void helpIsACommandToo()
    {
        Program program;
        QVERIFY(program.run({QStringLiteral("help")}));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(program.out().startsWith("Lockkeeper "));
        Program act;
        QVERIFY(act.run({QStringLiteral("help"), QStringLiteral("act")}));
        QCOMPARE(act.exitCode(), 0);
        QVERIFY(act.out().contains("act URL lock release"));
    }

    void everyCommandHasAHelp_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command : {"snapshot", "check", "screenshots", "act"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void everyCommandHasAHelp()
    {
        QFETCH(QString, command);
        Program help;
        QVERIFY(help.run({QStringLiteral("help"), command}));
        QCOMPARE(help.exitCode(), 0);
        Program option;
        QVERIFY(option.run({command, QStringLiteral("--help")}));
        QCOMPARE(option.exitCode(), 0);
        QCOMPARE(help.out(), option.out());
        QVERIFY(!help.out().startsWith("Lockkeeper "));
        const QByteArray program =
            command == u"screenshots" ? "lockkeeper-console " : "lockkeeper ";
        const QByteArray example = "\nExample:\n  " + program + command.toLatin1() + ' ';
        QVERIFY2(help.out().contains(example), help.out().constData());
        QVERIFY(help.out().contains("~/.config/lockkeeper/lockkeeper.toml"));
        QVERIFY(help.out().endsWith('\n'));
    }

    // A display that cannot be opened is no crash with a core dump.
    void aDisplayThatIsNotThere()
    {
        Program program;
        program.set("DISPLAY", QStringLiteral(":4711"));
        QVERIFY(program.run({m_open.urlText()}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains(":4711"), program.err().constData());
        QCOMPARE(program.err().count('\n'), 1);
    }

    void aRelativeFolderIsIgnored()
    {
        Program program;
        for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
            program.set(name, QStringLiteral("here"));
        program.process.setWorkingDirectory(program.home());
        m_open.line("SET lock:mine me PX 600000");
        QVERIFY(program.run({QStringLiteral("act"), m_open.urlText(), QStringLiteral("lock"),
                             QStringLiteral("release"), QStringLiteral("lock:mine"),
                             QStringLiteral("--owner"), QStringLiteral("me"),
                             QStringLiteral("--yes")}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY(!QFile::exists(program.home() + QStringLiteral("/here")));
        QVERIFY(QFile::exists(program.home() + QStringLiteral("/.local/share/lockkeeper")));
    }

    void endedByASignalTheDemoLeavesNothing_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<bool>("pictures");
        QTest::newRow("window, SIGTERM") << SIGTERM << false;
        QTest::newRow("window, Ctrl+C") << SIGINT << false;
        QTest::newRow("window, its terminal closed") << SIGHUP << false;
        QTest::newRow("screenshots, SIGTERM") << SIGTERM << true;
        QTest::newRow("screenshots, Ctrl+C") << SIGINT << true;
    }
    void endedByASignalTheDemoLeavesNothing()
    {
        QFETCH(int, number);
        QFETCH(bool, pictures);
        Program program;
        program.set("QT_QPA_PLATFORM", QStringLiteral("offscreen"));
        QStringList arguments{QStringLiteral("--demo")};
        if (pictures)
            arguments = {QStringLiteral("screenshots"), QStringLiteral("--demo"),
                         program.home() + QStringLiteral("/shots")};
        const auto folders = [&] {
            return QDir(program.home())
                .entryList({QStringLiteral("lockkeeper-*")}, QDir::AllEntries);
        };
        QVERIFY(program.start(arguments));
        QTRY_COMPARE_WITH_TIMEOUT(folders().size(), 1, 30'000);
        const QString socket =
            program.home() + QLatin1Char('/') + folders().front() + QStringLiteral("/redis.sock");
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(socket), 30'000);
        const QList<qint64> servers = test::childrenOf(program.process.processId());
        QCOMPARE(servers.size(), 1);
        ::kill(pid_t(program.process.processId()), number);
        QVERIFY(program.waitForEnd());
        QCOMPARE(program.exitCode(), 128 + number);
        QCOMPARE(folders(), QStringList());
        QVERIFY(!test::runs(servers.front()));
    }

    void snapshotAsText()
    {
        Program program;
        QVERIFY(program.run({QStringLiteral("snapshot"), m_open.urlText()}));
        QCOMPARE(program.exitCode(), 0);
        QCOMPARE(program.err(), QByteArray());
        for (const char* said :
             {"lock:invoice", "owner-1", "lock:orphan", "jobs", "code:c17b\xe2\x80\xa6~"})
            QVERIFY2(program.out().contains(said), program.out().constData());
        QVERIFY(!program.out().contains("S3CRET"));
    }

    void snapshotAsJson()
    {
        Program program;
        QVERIFY(program.run({QStringLiteral("snapshot"), address(m_open),
                             QStringLiteral("--format"), QStringLiteral("json")}));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(!program.out().contains("S3CRET"));
        QJsonParseError error;
        const QJsonObject all = QJsonDocument::fromJson(program.out(), &error).object();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(all[QStringLiteral("schema")].toInt(), 2);
        QStringList locks;
        for (const QJsonValue& lock : all[QStringLiteral("locks")].toArray())
            locks << lock[QStringLiteral("name")].toString();
        locks.sort();
        QCOMPARE(locks,
                 (QStringList{QStringLiteral("lock:invoice"), QStringLiteral("lock:orphan")}));
        QCOMPARE(all[QStringLiteral("queues")][0][QStringLiteral("ready")].toInt(), 2);
        QCOMPARE(all[QStringLiteral("tokens")].toArray().size(), 1);
        QCOMPARE(all[QStringLiteral("scan")][QStringLiteral("keys_scanned")].toInt(), 5);
    }

    void theConfigurationCounts()
    {
        m_open.line("SET invite S3CRET-INVITATION PX 90000");
        for (const bool declared : {false, true}) {
            Program program;
            QStringList arguments{QStringLiteral("snapshot"), m_open.urlText(),
                                  QStringLiteral("--format=json")};
            if (declared) {
                arguments << QStringLiteral("--config")
                          << write(program,
                                   "[[token]]\nkey = \"invite\"\nlayout = \"string-token\"\n");
            }
            QVERIFY(program.run(arguments));
            QCOMPARE(program.exitCode(), 0);
            const QJsonObject all = QJsonDocument::fromJson(program.out()).object();
            QCOMPARE(all[QStringLiteral("tokens")].toArray().size(), declared ? 2 : 1);
            QVERIFY(!program.out().contains("S3CRET"));
        }
        m_open.line("DEL invite");
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QString& arguments, const char* said) {
            QTest::newRow(name) << arguments << QByteArray(said);
        };
        row("unknown option", QStringLiteral("--nonsense"), "Unknown option --nonsense");
        row("unknown command", QStringLiteral("help nonsense"), "Unknown command nonsense");
        row("no display", QStringLiteral("--theme dark"), "No display");
        row("no display for the demo", QStringLiteral("--demo"), "No display");
        row("no address", QStringLiteral("snapshot"), "needs an address");
        row("wrong address", QStringLiteral("snapshot http://h"), "redis://");
        row("one too many", QStringLiteral("snapshot redis://h redis://ann:S3CRET@h"),
            "h:6379/0 is given twice");
        row("nobody there", QStringLiteral("snapshot ") + m_goneUrl,
            "Connection refused by 127.0.0.1");
        row("no such socket", QStringLiteral("snapshot unix:///nowhere/r.sock"),
            "No server listens on the socket /nowhere/r.sock (no such file). Check");
        row("no password", QStringLiteral("snapshot ") + address(m_locked), "requires a password");
        row("wrong password",
            QStringLiteral("snapshot redis://:S3CRET@127.0.0.1:%1").arg(m_locked.port()),
            "Wrong user name or password");
        row("a password where none is set",
            QStringLiteral("snapshot redis://:S3CRET@127.0.0.1:%1").arg(m_open.port()),
            "A password was given, and the server's default user has none. Connect without");
        row("not a Redis", QStringLiteral("snapshot ") + m_http.url().withoutPassword(),
            "Not a Redis server");
        row("TLS to a plain port",
            QStringLiteral("snapshot rediss://127.0.0.1:%1").arg(m_open.port()),
            "does not speak TLS. If the port is plain text");
        row("TLS to a plain port, in less time than a connection has",
            QStringLiteral("check --timeout 1s rediss://127.0.0.1:%1").arg(m_open.port()),
            "does not speak TLS. If the port is plain text");
        row("no such file", QStringLiteral("snapshot redis://h --config /nowhere/a.toml"),
            "/nowhere/a.toml");
        row("screenshots without a folder", QStringLiteral("screenshots redis://h"), "folder");
        row("screenshots of nobody", QStringLiteral("screenshots %1 shots").arg(m_goneUrl),
            "Connection refused");
        row("screenshots nowhere", QStringLiteral("screenshots %1 /proc/x").arg(m_open.urlText()),
            "/proc/x");
    }

    void refuses()
    {
        QFETCH(QString, arguments);
        QFETCH(QByteArray, said);
        Program program;
        program.process.setWorkingDirectory(program.home());
        QVERIFY(program.run(arguments.split(QLatin1Char(' '))));
        QCOMPARE(program.exitCode(), 2);
        QCOMPARE(program.out(), QByteArray());
        QVERIFY2(program.err().contains(said), program.err().constData());
        QVERIFY2(program.err().startsWith("lockkeeper: "), program.err().constData());
        QVERIFY2(program.err().endsWith('\n') && program.err().count('\n') == 1,
                 program.err().constData());
        QVERIFY2(!program.err().contains("S3CRET"), program.err().constData());
    }

    void saysWhereAConfigurationIsWrong()
    {
        for (const char* verb : {"snapshot", "screenshots"}) {
            Program program;
            const QString file = write(program, "[[lock]]\nkey = \"a:*\"\nlayout = \"no-such\"\n");
            QStringList arguments{QLatin1String(verb), m_open.urlText(), QStringLiteral("--config"),
                                  file};
            if (verb == QByteArray("screenshots"))
                arguments << program.home();
            QVERIFY(program.run(arguments));
            QCOMPARE(program.exitCode(), 2);
            QVERIFY2(program.err().contains(file.toUtf8() + ":3:"), program.err().constData());
            QCOMPARE(program.err().count('\n'), 1);
        }
    }

    void takesThePasswordFromTheVariable()
    {
        Program program;
        program.set("LOCKKEEPER_PASSWORD", QStringLiteral("right-S3CRET"));
        QVERIFY(program.run({QStringLiteral("snapshot"), address(m_locked)}));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(!program.out().contains("S3CRET"));
        QCOMPARE(program.err(), QByteArray());
    }

    void aReaderThatLeavesIsNoCrash()
    {
        Program program;
        QVERIFY(program.start({QStringLiteral("snapshot"), m_open.urlText()}));
        program.process.closeReadChannel(QProcess::StandardOutput);
        QTRY_COMPARE(program.process.state(), QProcess::NotRunning);
    }

private:
    static QString address(const test::RedisServer& server)
    {
        return QStringLiteral("redis://127.0.0.1:%1").arg(server.port());
    }
    static QString write(const Program& program, const char* text)
    {
        QFile file(program.home() + QStringLiteral("/c.toml"));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            return {};
        return file.fileName();
    }

    test::RedisServer m_open;
    test::RedisServer m_locked;
    test::FaultServer m_http;
    test::FaultServer m_gone;
    QString m_goneUrl;
};

LK_TEST(TestCommandLine);
#include "tst_commandline.moc"
