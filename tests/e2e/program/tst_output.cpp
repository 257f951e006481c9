// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

namespace {

// File 3 of what follows is a pipe whose reader has left.
const QString readerLeft = u"d=$(mktemp -d); mkfifo \"$d/p\"; : <\"$d/p\" & exec 3>\"$d/p\"; "
                           "wait $!; rm -r \"$d\"; "_s;

} // namespace

/// Output that cannot be written: standard output on a full disk, a reader that has exited.
class TestOutput : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_server.addTcp();
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init()
    {
        m_server.flush();
        m_server.lines({"SET lock:a w1 PX 600000", "RPUSH jobs r", "RPUSH jobs:processing c b a",
                        "SET code:11fe5a S3CRET-PAYLOAD PX 600000"});
    }

    void aFullDisk_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"--help", "--version", "snapshot URL", "snapshot URL --format json", "check URL",
              "check URL --format json", "check URL --format prometheus", "act --help",
              "act URL journal", "act URL journal --json", "act URL token validate code:11fe5a",
              "act URL key delete jobs --dry-run", "act URL key delete jobs --yes",
              "act URL queue auto-requeue jobs --dry-run",
              "act URL queue auto-requeue jobs --older-than 1h --for 2s --yes"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void aFullDisk()
    {
        QFETCH(QString, line);
        Program program;
        program.process.setStandardOutputFile(u"/dev/full"_s);
        QVERIFY(program.run(wordsOf(line)));
        QCOMPARE(program.exitCode(), 2);
        const QByteArray said = program.err();
        QVERIFY2(said.contains("Standard output cannot be written: no space left"),
                 said.constData());
        QCOMPARE(said.count('\n'), 1);
    }

    // The step was taken: that is said where it can be.
    void aStepIsStillTold()
    {
        Program program;
        program.process.setStandardOutputFile(u"/dev/full"_s);
        QVERIFY(program.run(wordsOf(u"act URL key delete jobs --yes"_s)));
        QCOMPARE(m_server.line("EXISTS jobs").integer, 0);
        const QByteArray receipt = entries(program).at(0)["receipt"_L1].toString().toLatin1();
        QVERIFY(receipt.startsWith('r'));
        QVERIFY2(program.err().contains("Succeeded, receipt " + receipt),
                 program.err().constData());
    }

    void aCodeThatNobodyGotIsRevoked_data()
    {
        QTest::addColumn<QString>("shell");
        QTest::newRow("full disk") << u"exec \"$@\" >/dev/full"_s;
        QTest::newRow("reader left") << readerLeft + u"\"$@\" >&3; echo $? >&2"_s;
        QTest::newRow("closed") << u"exec \"$@\" >&-"_s;
    }
    void aCodeThatNobodyGotIsRevoked()
    {
        QFETCH(QString, shell);
        for (const QString& hash : {QString(), u" --hash"_s}) {
            const qint64 keys = m_server.line("DBSIZE").integer;
            Program program;
            QVERIFY(program.startInShell(
                shell, wordsOf(u"act URL token issue --prefix code: --ttl 1h --yes"_s + hash)));
            QVERIFY(program.waitForEnd());
            const QByteArray said = program.err();
            if (shell.contains(u"echo"_s))
                QVERIFY2(said.trimmed().endsWith("\n2"), said.constData());
            else
                QCOMPARE(program.exitCode(), 2);
            QVERIFY2(said.contains("The token was revoked again, receipt r"), said.constData());
            QCOMPARE(m_server.line("DBSIZE").integer, keys);
            const auto all = entries(program);
            QCOMPARE(all.size(), 2);
            QCOMPARE(all[0]["action"_L1].toString(), u"token.issue"_s);
            QCOMPARE(all[1]["action"_L1].toString(), u"token.revoke"_s);
            QCOMPARE(all[1]["outcome"_L1].toString(), u"done"_s);
        }
    }

    void aCodeThatCannotBeRevokedIsTold()
    {
        m_server.line("ACL SETUSER few on >few ~* +@all -del -unlink");
        Program program;
        program.process.setStandardOutputFile(u"/dev/full"_s);
        const QString url = u"redis://few:few@127.0.0.1:%1"_s.arg(m_server.port());
        QVERIFY(program.run({u"act"_s, url, u"token"_s, u"issue"_s, u"--prefix"_s, u"code:"_s,
                             u"--ttl"_s, u"1h"_s, u"--yes"_s}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("could not be revoked"), program.err().constData());
        QCOMPARE(program.err().count('\n'), 1);
        for (const Reply& key : m_server.line("KEYS code:*").items)
            QVERIFY(!program.err().contains(key.text) || key.text == "code:11fe5a");
    }

    void aReaderThatLeavesIsNoError_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line : {"--help", "snapshot URL", "check URL", "act URL journal --json",
                                 "act --help", "act URL key delete jobs --dry-run"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void aReaderThatLeavesIsNoError()
    {
        QFETCH(QString, line);
        Program program;
        QVERIFY(program.startInShell(readerLeft + u"exec \"$@\" >&3"_s, wordsOf(line)));
        QVERIFY(program.waitForEnd());
        QCOMPARE(program.err(), QByteArray());
    }

    // Only who sits at a terminal is told, and nothing of it is left.
    void howFarAScanIs()
    {
        if (QStandardPaths::findExecutable(u"script"_s).isEmpty())
            QSKIP("script(1), which makes a terminal, is not installed");
        std::vector<Command> locks;
        for (int i = 0; i < 3000; ++i)
            locks.push_back({"SET", "lock:order:" + QByteArray::number(i), "w1", "PX", "6000000"});
        m_server.runAll(locks);
        const QStringList words = wordsOf(u"snapshot URL --pace polite"_s);
        Program program;
        QVERIFY(program.startInShell(u"script -qec \"$*\" /dev/null"_s, words));
        QVERIFY(program.waitForEnd());
        QVERIFY2(program.out().contains("\rScanning "), program.out().constData());
        QVERIFY(program.out().contains(" left\x1b[K") && program.out().contains("\r\x1b[K"));
        Program piped;
        QVERIFY(piped.run(words));
        QVERIFY(!piped.err().contains("Scanning") && !piped.out().contains("Scanning"));
    }

private:
    QStringList wordsOf(QString line) const
    {
        return line.replace(u"URL"_s, m_server.urlText()).split(u' ');
    }
    QList<QJsonObject> entries(const Program& before) const
    {
        Program program;
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"})
            program.set(name, before.home());
        if (!program.run(wordsOf(u"act URL journal --json"_s)))
            return {};
        QList<QJsonObject> all;
        for (const QJsonValue& entry : QJsonDocument::fromJson(program.out()).array())
            all << entry.toObject();
        return all;
    }

    test::RedisServer m_server;
};

LK_TEST(TestOutput);
#include "tst_output.moc"
