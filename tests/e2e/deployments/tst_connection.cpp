// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/sshserver.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// lockkeeper check --connection, and the other commands through a jump host.
class TestConnectionCommand : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    test::SshServer m_ssh;

private slots:
    void initTestCase()
    {
        m_server.addTcp();
        QVERIFY2(m_server.start(), m_server.output());
        QVERIFY2(m_ssh.start(), m_ssh.output());
        m_ssh.useIt();
    }

    void tellsEachStage()
    {
        Program program;
        QVERIFY(program.run({u"check"_s, u"--connection"_s, m_server.urlText()}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        const QByteArrayList lines = program.out().trimmed().split('\n');
        QCOMPARE(lines.size(), 4);
        for (const char* title : {"Socket", "Login", "Permissions", "Role"})
            QVERIFY2(program.out().contains(title), program.out().constData());
        QCOMPARE(program.err(), QByteArray());
    }

    void asJson()
    {
        Program program;
        QVERIFY(program.run({u"check"_s, u"--connection"_s, u"--format=json"_s,
                             u"ssh://jump/127.0.0.1:%1"_s.arg(m_server.port())}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        const QJsonObject root = QJsonDocument::fromJson(program.out()).object();
        QVERIFY(root["connected"_L1].toBool());
        QStringList stages;
        for (const QJsonValue stage : root["stages"_L1].toArray()) {
            stages << stage["stage"_L1].toString();
            QCOMPARE(stage["outcome"_L1].toString(), u"ok"_s);
        }
        QCOMPARE(stages.join(u' '), u"ssh tcp login permissions role"_s);
    }

    void whatFails()
    {
        Program program;
        QVERIFY(program.run({u"check"_s, u"--connection"_s, u"redis://127.0.0.1:1"_s}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY(program.out().contains("failed"));
        QCOMPARE(program.err().count('\n'), 1);
    }

    void aSnapshotThroughSsh()
    {
        m_server.run({"SET", "lock:invoice", "ef1f63c", "PX", "600000"});
        Program program;
        QVERIFY(
            program.run({u"snapshot"_s, u"redis://127.0.0.1:%1?ssh=jump"_s.arg(m_server.port())}));
        QVERIFY2(program.exitCode() == 0, program.err().constData());
        QVERIFY(program.out().contains("lock:invoice"));
    }

    void aJumpHostThatRefusesIsOneLine()
    {
        Program program;
        QVERIFY(program.run(
            {u"snapshot"_s, u"redis://127.0.0.1:%1?ssh=keyless"_s.arg(m_server.port())}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("Permission denied (publickey)"),
                 program.err().constData());
        QCOMPARE(program.err().count('\n'), 1);
    }
};

LK_TEST(TestConnectionCommand);
#include "tst_connection.moc"
