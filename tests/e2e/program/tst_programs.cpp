// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/keyring.h"
#include "tests/e2e/program.h"
#include "tests/support/faultserver.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

// Two programs: what the command line links, how it starts the console, and what it says where the
// console or the keyring is missing.
class TestPrograms : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_redis.start(), m_redis.output());
        for (const char* command : {"AUTH", "PING", "HELLO", "INFO", "CLIENT"})
            m_silent.answer(command, QByteArray()); // never answers: the program stays
        m_host = u"127.0.0.1:%1"_s.arg(m_silent.url().port);
    }

    // No window system and no D-Bus in a container.
    void theCommandLineLinksLittle()
    {
        QSet<QByteArray> qt;
        for (const QByteArray& library : needed(QStringLiteral(LOCKKEEPER_PROGRAM))) {
            QVERIFY2(!library.contains("keychain"), library.constData());
            if (library.startsWith("libQt"))
                qt << library.left(library.indexOf(".so"));
        }
        QCOMPARE(qt, (QSet<QByteArray>{"libQt6Core", "libQt6Network", "libQt6Sql"}));
        const QByteArray console = needed(QStringLiteral(LOCKKEEPER_CONSOLE_PROGRAM)).join(' ');
        QVERIFY2(console.contains("libQt6Widgets"), console.constData());
        QVERIFY2(!console.contains("keychain"), console.constData()); // the same plugin for both
    }

    // The console prints its own help, without the command line program.
    void theConsoleIsAProgramOfItsOwn()
    {
        for (const QStringList& words :
             {QStringList{u"--help"_s}, {u"screenshots"_s, u"--help"_s}}) {
            const QByteArray direct = output(QStringLiteral(LOCKKEEPER_CONSOLE_PROGRAM), words);
            QVERIFY2(direct.contains("Usage:\n  lockkeeper-console "), direct.constData());
            Program through;
            QVERIFY(through.run(words));
            if (words.size() > 1) // the other one is the command line's own
                QCOMPARE(through.out(), direct);
        }
        QCOMPARE(output(QStringLiteral(LOCKKEEPER_CONSOLE_PROGRAM), {u"--version"_s}),
                 QByteArray("lockkeeper-console " LOCKKEEPER_VERSION "\n"));
    }

    // The options that come before a command must be known where the command is looked for.
    void theCommandLineKnowsTheConsolesOptions()
    {
        static const QRegularExpression option(u"^  (--[a-z-]+)( [A-Za-z|]+)?"_s,
                                               QRegularExpression::MultilineOption);
        int seen = 0;
        for (const QStringList& words :
             {QStringList{u"--help"_s}, {u"screenshots"_s, u"--help"_s}}) {
            auto matches = option.globalMatch(
                QString::fromUtf8(output(QStringLiteral(LOCKKEEPER_CONSOLE_PROGRAM), words)));
            for (; matches.hasNext(); ++seen) {
                const auto match = matches.next();
                QStringList line{match.captured(1)};
                if (!match.captured(2).isEmpty())
                    line << u"x"_s;
                Program program;
                QVERIFY(program.run(line + QStringList{u"help"_s}));
                QVERIFY2(program.exitCode() == 0, program.err().constData());
            }
        }
        QVERIFY(seen > 8);
    }

    void saysWhichPackageHasTheConsole_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList();
        QTest::newRow("address") << QStringList{u"redis://ann:S3CRET@h"_s};
        QTest::newRow("demo") << QStringList{u"--demo"_s};
        QTest::newRow("screenshots") << QStringList{u"screenshots"_s, u"--demo"_s, u"shots"_s};
    }
    void saysWhichPackageHasTheConsole()
    {
        QFETCH(QStringList, arguments);
        Program program(copied());
        program.set("PATH", m_copies.path());
        QVERIFY(program.run(arguments));
        QCOMPARE(program.exitCode(), 2);
        QCOMPARE(program.out(), QByteArray());
        QVERIFY2(program.err().contains("package lockkeeper-console"), program.err().constData());
        QVERIFY2(program.err().endsWith('\n') && program.err().count('\n') == 1,
                 program.err().constData());
    }

    // From the first moment on: what is on PATH here is a script that shows what it was given.
    void handsNoSecretOverInArgumentsOrEnvironment_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("URL") << QStringList{u"redis://ann:S3CRET@h"_s}
                             << QByteArray("redis://ann:");
        QTest::newRow("no user") << QStringList{u"redis://:S3CRET@h"_s} << QByteArray("@h");
        QTest::newRow("no scheme") << QStringList{u"ann:S3CRET@h:7000"_s} << QByteArray("@h:7000");
        QTest::newRow("after an option")
            << QStringList{u"--theme"_s, u"dark"_s, u"ann:S3@CRET@h"_s} << QByteArray("--theme");
        QTest::newRow("screenshots")
            << QStringList{u"screenshots"_s, u"rediss://ann:S3CRET@h"_s, u"shots"_s}
            << QByteArray("shots");
        QTest::newRow("label") << QStringList{u"--environment=ann:S3CRET@h"_s, u"redis://h"_s}
                               << QByteArray("redis://h");
    }
    void handsNoSecretOverInArgumentsOrEnvironment()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, shown);
        Program program(copied());
        const QTemporaryDir folder;
        script(folder.filePath(u"lockkeeper-console"_s), "/usr/bin/env\nprintf '%s\\n' \"$@\"\n");
        program.set("PATH", folder.path());
        program.set("LOCKKEEPER_PASSWORD", u"an0ther-S3CRET"_s);
        QVERIFY(program.run(arguments));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(program.out().contains(shown), program.out().constData());
        QVERIFY2(!program.out().contains("CRET"), program.out().constData());
    }

    // And yet the console has it.
    void handsThePasswordToTheConsole_data()
    {
        QTest::addColumn<QString>("address");
        QTest::newRow("URL") << u"redis://ann:S3CRET@"_s + m_host;
        QTest::newRow("no scheme") << u"ann:S3CRET@"_s + m_host;
        QTest::newRow("variable") << u"ann@"_s + m_host;
    }
    void handsThePasswordToTheConsole()
    {
        QFETCH(QString, address);
        Program program;
        program.set("QT_QPA_PLATFORM", u"offscreen"_s);
        program.set("LOCKKEEPER_PASSWORD",
                    address.contains(u"S3CRET"_s) ? u"other"_s : u"S3CRET"_s);
        const qsizetype before = logins();
        QVERIFY(program.start({address}));
        QTRY_VERIFY2_WITH_TIMEOUT(logins() > before, program.err().constData(), 20'000);
        const QByteArray line = test::commandLine(program.process.processId());
        QVERIFY2(line.contains("lockkeeper-console"), line.constData());
        QVERIFY2(!line.contains("CRET"), line.constData());
    }

    // Not beside the program and not installed: as on a desktop without a keyring.
    void withoutTheKeyringPluginNothingIsKept()
    {
        test::Keyring keyring;
        QVERIFY(keyring.start());
        for (const bool plugin : {true, false}) {
            m_redis.line("SET lock:a me PX 600000");
            Program program(plugin ? QStringLiteral(LOCKKEEPER_PROGRAM) : copied());
            program.set("DBUS_SESSION_BUS_ADDRESS", keyring.address());
            program.denyKernelKeys();
            QVERIFY(program.run({u"act"_s, m_redis.urlText(), u"lock"_s, u"release"_s, u"lock:a"_s,
                                 u"--owner"_s, u"me"_s, u"--yes"_s}));
            QVERIFY2(program.exitCode() == 0, program.err().constData());
            QVERIFY2(program.out().contains("neither a desktop's keyring nor") != plugin,
                     program.out().constData());
        }
    }

    // The same folders as the packages have, under another root.
    void installedItFindsTheKeyringPlugin()
    {
        const QTemporaryDir root;
        QProcess install;
        install.start(u"cmake"_s, {u"--install"_s, QStringLiteral(LOCKKEEPER_BUILD), u"--prefix"_s,
                                   root.path(), u"--component"_s, u"cli"_s});
        QVERIFY(install.waitForFinished());
        QVERIFY2(install.exitCode() == 0, install.readAllStandardError().constData());
        test::Keyring keyring;
        QVERIFY(keyring.start());
        m_redis.line("SET lock:a me PX 600000");
        Program program(root.filePath(u"bin/lockkeeper"_s));
        program.set("DBUS_SESSION_BUS_ADDRESS", keyring.address());
        QVERIFY(program.run({u"act"_s, m_redis.urlText(), u"lock"_s, u"release"_s, u"lock:a"_s,
                             u"--owner"_s, u"me"_s, u"--yes"_s}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY2(!program.out().contains("until you log out") &&
                     !program.out().contains("not possible"),
                 program.out().constData());
    }

private:
    /// The path of a copy of the program, alone in its folder.
    QString copied()
    {
        const QString path = m_copies.filePath(u"lockkeeper"_s);
        if (!QFileInfo::exists(path))
            QFile::copy(QStringLiteral(LOCKKEEPER_PROGRAM), path);
        return path;
    }
    static void script(const QString& path, const QByteArray& lines)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + lines);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    static QByteArray output(const QString& path, const QStringList& arguments)
    {
        Program program(path);
        return program.run(arguments) && program.exitCode() == 0 ? program.out() : program.err();
    }
    static QByteArrayList needed(const QString& path)
    {
        QProcess readelf;
        readelf.start(u"readelf"_s, {u"--dynamic"_s, u"--wide"_s, path});
        readelf.waitForFinished();
        QByteArrayList names;
        for (const QByteArray& line : readelf.readAllStandardOutput().split('\n')) {
            if (line.contains("(NEEDED)"))
                names << line.mid(line.indexOf('[') + 1).chopped(1);
        }
        return names;
    }
    qsizetype logins() const
    {
        return std::count_if(
            m_silent.received().begin(), m_silent.received().end(),
            [](const Command& c) { return c.args()[0] == "AUTH" && c.args().back() == "S3CRET"; });
    }

    test::RedisServer m_redis;
    test::FaultServer m_silent;
    QString m_host;
    QTemporaryDir m_copies;
};

LK_TEST(TestPrograms);
#include "tst_programs.moc"
