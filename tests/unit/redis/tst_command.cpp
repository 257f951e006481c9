// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/command.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;

Q_DECLARE_METATYPE(lk::Command)

namespace {

Command words(const QByteArray& line)
{
    const QByteArrayList parts = line.split(' ');
    return Command(std::vector<QByteArray>(parts.begin(), parts.end()));
}

} // namespace

class TestCommand : public QObject
{
    Q_OBJECT

private slots:
    void reads_data();
    void reads();
    void writes_data();
    void writes();
    void emptyIsNotARead();
    void display_data();
    void display();
    void longArgumentsAreCut();
};

void TestCommand::reads_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"GET k",
                             "get k",
                             "GeT k",
                             "MGET a b",
                             "PTTL k",
                             "TYPE k",
                             "SCAN 0",
                             "ZRANGE z 0 -1",
                             "ZSCORE z m",
                             "HGETALL h",
                             "HSCAN h 0",
                             "LRANGE l 0 9",
                             "XREAD STREAMS s 0",
                             "XLEN s",
                             "XINFO STREAM s",
                             "TIME",
                             "INFO",
                             "PING",
                             "ROLE",
                             "DUMP k",
                             "BITFIELD_RO b GET u8 0",
                             "SORT_RO l",
                             "CONFIG GET maxmemory",
                             "config get x",
                             "CLIENT SETNAME x",
                             "CLIENT ID",
                             "CLIENT TRACKING ON",
                             "CLIENT LIST",
                             "CLIENT INFO",
                             "OBJECT ENCODING k",
                             "MEMORY USAGE k",
                             "SUBSCRIBE c",
                             "PSUBSCRIBE c*",
                             "SENTINEL GET-MASTER-ADDR-BY-NAME m",
                             "sentinel master m",
                             "SENTINEL MYID",
                             "SENTINEL SENTINELS m",
                             "SLOWLOG GET 10",
                             "COMMAND COUNT",
                             "CLUSTER NODES",
                             "PUBSUB CHANNELS",
                             "SCRIPT EXISTS x",
                             "ACL WHOAMI"})
        QTest::newRow(line) << QByteArray(line);
}

void TestCommand::reads()
{
    QFETCH(QByteArray, line);
    QVERIFY(isReadOnly(words(line)));
}

void TestCommand::writes_data()
{
    QTest::addColumn<QByteArray>("line");
    for (const char* line : {"SET k v",
                             "set k v",
                             "DEL k",
                             "UNLINK k",
                             "EXPIRE k 1",
                             "PERSIST k",
                             "GETDEL k",
                             "GETEX k",
                             "GETSET k v",
                             "INCR k",
                             "SORT l",
                             "SORT l STORE d",
                             "PFCOUNT p",
                             "BITFIELD b",
                             "BITFIELD b GET u8 0",
                             "EVAL s 0",
                             "EVALSHA s 0",
                             "EVAL_RO s 0",
                             "FCALL f 0",
                             "FCALL_RO f 0",
                             "CONFIG",
                             "CONFIG SET x y",
                             "CONFIG REWRITE",
                             "CONFIG RESETSTAT",
                             "CLIENT",
                             "CLIENT KILL ID 1",
                             "CLIENT PAUSE 1",
                             "CLIENT REPLY OFF",
                             "CLIENT NO-TOUCH ON",
                             "DEBUG SLEEP 1",
                             "SENTINEL",
                             "SENTINEL FAILOVER m",
                             "SENTINEL RESET m",
                             "SENTINEL REMOVE m",
                             "SENTINEL SET m quorum 1",
                             "SENTINEL CONFIG SET resolve-hostnames yes",
                             "SENTINEL FLUSHCONFIG",
                             "SCRIPT FLUSH",
                             "SCRIPT LOAD x",
                             "FLUSHALL",
                             "FLUSHDB",
                             "KEYS *",
                             "MONITOR",
                             "XREADGROUP GROUP g c STREAMS s >",
                             "XACK s g 1",
                             "PUBLISH c m",
                             "MULTI",
                             "EXEC",
                             "SHUTDOWN",
                             "REPLICAOF a 1",
                             "RESTORE k 0 x",
                             "MIGRATE h 1 k 0 1",
                             "COPY a b",
                             "RENAME a b",
                             "LPOP l",
                             "BLPOP l 0",
                             "SPOP s",
                             "ZPOPMIN z",
                             "TOUCH k",
                             "SLOWLOG RESET",
                             "LATENCY RESET",
                             "ACL SETUSER x",
                             "MEMORY PURGE",
                             "OBJECT",
                             "GEORADIUS g 0 0 1 m STORE d",
                             "ZRANGESTORE d s 0 1",
                             "SINTERSTORE d a",
                             "NOSUCHCOMMAND",
                             "GET\r\n",
                             " GET",
                             "GETX",
                             "CLIENT  LIST"})
        QTest::newRow(line) << QByteArray(line);
}

void TestCommand::writes()
{
    QFETCH(QByteArray, line);
    QVERIFY(!isReadOnly(words(line)));
}

void TestCommand::emptyIsNotARead()
{
    QVERIFY(!isReadOnly(Command()));
    QVERIFY(!isReadOnly(Command{""}));
}

void TestCommand::display_data()
{
    QTest::addColumn<Command>("command");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const Command& command, const char* shown) {
        QTest::newRow(name) << command << QString::fromUtf8(shown);
    };
    row("plain", {"SET", "k", "v"}, "SET k v");
    row("no arguments", {"PING"}, "PING");
    row("empty argument", {"SET", "k", ""}, "SET k \"\"");
    row("space", {"SET", "k", "a b"}, "SET k \"a b\"");
    row("quote", {"SET", "k", "a\"b"}, "SET k \"a\\\"b\"");
    row("binary", {"SET", QByteArray("a\0\n\xff", 4), "\\"}, "SET a\\x00\\x0a\\xff \\x5c");
    row("text", {"GET", "caf\u00e9"}, "GET caf\u00e9");
    row("password", {"AUTH", "secret"}, "AUTH ***");
    row("user and password", {"auth", "user", "secret"}, "auth ***");
    row("password in HELLO", {"HELLO", "2", "AUTH", "user", "secret"}, "HELLO ***");
    row("AUTH as a value", {"GET", "AUTH", "x"}, "GET AUTH x");
    row("nothing", Command(), "");
}

void TestCommand::display()
{
    QFETCH(Command, command);
    QFETCH(QString, shown);
    QCOMPARE(command.display(), shown);
}

void TestCommand::longArgumentsAreCut()
{
    const QString shown = Command{"SET", QByteArray(5'000'000, 'x'), "v"}.display();
    QCOMPARE(shown, QStringLiteral("SET ") + QString(120, QLatin1Char('x')) + QChar(0x2026) +
                        QStringLiteral(" v"));
}

LK_TEST(TestCommand);
#include "tst_command.moc"
