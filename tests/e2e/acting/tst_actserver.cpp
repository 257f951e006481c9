// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QTcpServer>
#include <QTcpSocket>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// The errors of `act` for servers on which an action is not possible, or not in that way.
class TestActServer : public QObject
{
    Q_OBJECT

private slots:
    void aWritableReplica()
    {
        test::RedisServer master({u"--repl-diskless-sync-delay"_s, u"0"_s});
        master.addTcp();
        QVERIFY2(master.start(), master.output());
        master.line("SET lock:a w1 PX 600000");
        test::RedisServer replica({u"--replicaof"_s, u"127.0.0.1"_s, QString::number(master.port()),
                                   u"--replica-read-only"_s, u"no"_s});
        QVERIFY2(replica.start(), replica.output());
        QTRY_COMPARE(replica.line("GET lock:a").text, "w1");
        Program program;
        QVERIFY(program.run({u"act"_s, replica.urlText(), u"lock"_s, u"release"_s, u"lock:a"_s,
                             u"--owner"_s, u"w1"_s, u"--yes"_s}));
        QCOMPARE(program.exitCode(), 1);
        const QByteArray said = "replica of 127.0.0.1:" + QByteArray::number(master.port());
        QVERIFY2(program.err().contains(said), program.err().constData());
        QCOMPARE(replica.line("GET lock:a").text, "w1");

        // It has not got what its master has: that says nothing of what is there.
        test::RedisServer fresh({u"--replicaof"_s, u"127.0.0.1"_s, QString::number(master.port()),
                                 u"--masterauth"_s, u"x"_s, u"--masteruser"_s, u"nobody"_s});
        QVERIFY2(fresh.start(), fresh.output());
        Program early;
        QVERIFY(early.run({u"act"_s, fresh.urlText(), u"lock"_s, u"release"_s, u"lock:a"_s,
                           u"--owner"_s, u"w1"_s, u"--yes"_s}));
        QCOMPARE(early.exitCode(), 1);
        QVERIFY2(early.err().contains(said), early.err().constData());
        QVERIFY(fresh.line("GET lock:a").isNil());

        master.stop();
        QTRY_VERIFY(replica.line("INFO replication").text.contains("master_link_status:down"));
        Program check;
        QVERIFY(check.run({u"check"_s, replica.urlText()}));
        QCOMPARE(check.exitCode(), 1);
        QVERIFY2(check.out().contains("replica-stale"), check.out().constData());
        QVERIFY(!check.out().contains("slave"));
    }

    void scriptsDenied()
    {
        test::RedisServer server;
        QVERIFY2(server.start(), server.output());
        server.lines(
            {"SET lock:a w1 PX 600000", "ACL SETUSER op reset on nopass ~* +@all -@scripting"});
        Program program;
        QString url = server.urlText();
        url.replace(u"unix://"_s, u"unix://op:x@"_s);
        QVERIFY(program.run({u"act"_s, url, u"lock"_s, u"release"_s, u"lock:a"_s, u"--owner"_s,
                             u"w1"_s, u"--yes"_s}));
        QCOMPARE(program.exitCode(), 1);
        QVERIFY2(program.err().contains("+eval +evalsha"), program.err().constData());
        QVERIFY(!program.err().contains("may read"));
        QCOMPARE(program.err().trimmed().count('\n'),
                 1); // after the warning that others see the owner
        QCOMPARE(server.line("GET lock:a").text, "w1");
    }

    void plainTextToATlsPort()
    {
        QTcpServer closes; // as a TLS port does, at the first word that is none of TLS's
        connect(&closes, &QTcpServer::newConnection, this, [&closes] {
            while (QTcpSocket* socket = closes.nextPendingConnection())
                connect(socket, &QTcpSocket::readyRead, socket, &QTcpSocket::abort);
        });
        QVERIFY(closes.listen(QHostAddress::LocalHost));
        Program program;
        QVERIFY(program.run({u"snapshot"_s, u"redis://127.0.0.1:%1"_s.arg(closes.serverPort())}));
        QCOMPARE(program.exitCode(), 2);
        QVERIFY2(program.err().contains("rediss://"), program.err().constData());
    }
};

LK_TEST(TestActServer);
#include "tst_actserver.moc"
