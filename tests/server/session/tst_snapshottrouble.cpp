// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/faultproxy.h"
#include "tests/support/testprogram.h"

#include <set>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 mebibyte = 1024 * 1024;

ServerUrl as(const RedisServer& server, const QString& user)
{
    ServerUrl url = server.url();
    url.user = user;
    url.password = u"pw-very-secret"_s;
    return url;
}

} // namespace

/// Snapshots of servers that have unexpected data, refuse, or go away.
class TestSnapshotTrouble : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;
    void user(const QByteArray& name, const QByteArray& rules)
    {
        const Reply reply =
            m_server.line("ACL SETUSER " + name + " reset on >pw-very-secret " + rules);
        QVERIFY2(!reply.isError(), reply.text.constData());
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void queuesDeclared();
    void hostileNames_data();
    void hostileNames();
    void binaryLocks();
    void hugeItems();
    void hugeStrings();
    void hugeMembers();
    void manyKeys();
    void someKeysDenied();
    void aDeniedSliceDoesNotHideTheRest();
    void allKeysDenied();
    void commandDenied_data();
    void commandDenied();
    void infoDenied();
    void keysThatVanishAreCounted();
    void nobodyThere();
    void killedMidway_data();
    void killedMidway();
    void cutMidway();
    void noSecretAnywhere();
};

void TestSnapshotTrouble::queuesDeclared()
{
    const Config config = configOf(R"(
[[queue]]
key = "mail"
layout = "reliable-list"
processing = "mail-under-way"
stuck_after = "30s"

[[queue]]
key = "empty"
layout = "reliable-list"
processing = "empty:processing"

[[queue]]
key = "wrong"
layout = "reliable-list"
processing = "wrong:processing"

[[lock]]
key = "absent-lock"
layout = "set-nx-px"
)");
    m_server.lines({"RPUSH mail a b", "RPUSH mail-under-way c", "SET wrong text"});
    const TakenSnapshot taken = takeSnapshot(m_server.url(), config);
    QCOMPARE(taken.names("queues"), (QByteArrayList{"empty", "mail", "wrong"}));
    const QJsonObject mail = taken.named("queues", "mail");
    QCOMPARE(mail["ready"_L1].toInt(), 2);
    QCOMPARE(mail["processing"_L1].toInt(), 1);
    QCOMPARE(mail["keys"_L1]["processing"_L1].toString(), QStringLiteral("mail-under-way"));
    const QJsonObject empty = taken.named("queues", "empty");
    QCOMPARE(empty["ready"_L1].toInt(-1), 0);
    QCOMPARE(empty["processing"_L1].toInt(-1), 0);
    QVERIFY(!empty.contains("problem"_L1));
    const QJsonObject wrong = taken.named("queues", "wrong");
    QVERIFY2(wrong["problem"_L1].toString().contains("wrong"_L1), taken.json.constData());
    QVERIFY(wrong["ready"_L1].isNull());
    QCOMPARE(taken.findings("wrong"), QByteArrayList{"wrong-type"});
    QVERIFY(taken.list("locks").isEmpty()); // a free lock is nothing to tell of
}

void TestSnapshotTrouble::hostileNames_data()
{
    QTest::addColumn<QByteArray>("stem");
    QTest::newRow("newline") << QByteArray("lock:a\nb\r\n");
    QTest::newRow("quotes") << QByteArray(R"(lock:"x",'y'\\)");
    QTest::newRow("invalid UTF-8") << QByteArray("lock:\xff\xfe\xc3(");
    QTest::newRow("zero bytes") << QByteArray("lock:\0\0x", 8);
    QTest::newRow("JSON") << QByteArray(R"(lock:"},{"name":")");
    QTest::newRow("escape sequences") << QByteArray("lock:\x1b[31mred\x1b[0m");
    QTest::newRow("right to left") << QByteArray("lock:\xe2\x80\xae"
                                                 "abc");
    QTest::newRow("umlauts") << QByteArray("lock:gr\xc3\xbc\xc3\x9f");
    QTest::newRow("10 kB") << "lock:" + QByteArray(10'000, 'x');
}

void TestSnapshotTrouble::hostileNames()
{
    QFETCH(QByteArray, stem);
    m_server.run({"SET", stem, "ef1f63c", "PX", "60000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("locks").size(), 1);
    const QString name = taken.list("locks")[0]["name"_L1].toString();
    QCOMPARE(bytesFromDisplay(name), stem); // nothing is lost, nothing is added
    const QString key = taken.list("locks")[0]["keys"_L1]["lock"_L1].toString();
    QCOMPARE(bytesFromDisplay(key), stem);
    for (const char c : std::as_const(taken.text))
        QVERIFY(c == '\n' || uchar(c) >= 0x20); // nothing steers a terminal
    QVERIFY(!taken.text.contains("\xe2\x80\xae"));
    QCOMPARE(taken.named("locks", name.toUtf8())["owner"_L1].toString(), u"ef1f63c"_s);
}

void TestSnapshotTrouble::binaryLocks()
{
    m_server.run({"SET", "", "ef1f63c0a1b2c3d4", "PX", "60000"}); // the empty name is a name
    m_server.run({"SET", "lock:bin", QByteArray("\x00\x01\xff", 3), "PX", "60000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), 2);
    QVERIFY(taken.named("locks", "lock:bin")["owner"_L1].isNull());
}

void TestSnapshotTrouble::hugeItems()
{
    m_server.lines({"LPUSH jobs a b c", "RPOPLPUSH jobs jobs:processing", "SET lock:a x PX 60000"});
    m_server.run({"LPUSH", "heavy:processing", QByteArray(40 * mebibyte, 'x')});
    m_server.lines({"LPUSH heavy a b"});
    for (int i = 0; i < 300; ++i) // more than one batch
        m_server.run({"SET", "lock:n" + QByteArray::number(i), "ef1f63c", "PX", "60000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.answers, 1);
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.list("locks").size(), 301);
    const QJsonObject jobs = taken.named("queues", "jobs");
    QCOMPARE(jobs["ready"_L1].toInt(), 2);
    QCOMPARE(jobs["processing"_L1].toInt(), 1);
    const QJsonObject heavy = taken.named("queues", "heavy");
    QVERIFY(!heavy.isEmpty()); // its counts, or why there are none; never a wrong number
    if (heavy.contains("problem"_L1)) {
        QVERIFY(heavy["ready"_L1].isNull());
    } else {
        QCOMPARE(heavy["ready"_L1].toInt(), 2);
        QCOMPARE(heavy["processing"_L1].toInt(), 1);
    }
    QVERIFY(taken.text.size() < mebibyte);
    m_server.flush();
}

void TestSnapshotTrouble::hugeStrings()
{
    m_server.lines({"SETRANGE lock:heavy 104857599 x", "PEXPIRE lock:heavy 60000",
                    "SETRANGE token:c17bd6e5f4 104857599 x", "PEXPIRE token:c17bd6e5f4 60000",
                    "SET lock:a ef1f63c PX 60000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.named("locks", "lock:a")["owner"_L1].toString(), u"ef1f63c"_s);
    QCOMPARE(taken.named("tokens", "token:c17bd6e5f4")["state"_L1].toString(), u"live"_s);
    QVERIFY(taken.named("locks", "lock:heavy")["owner"_L1].isNull());
    QVERIFY(taken.json.size() < mebibyte);
}

// The probe reads the lowest sixteen members: together they pass the cap on a reply.
void TestSnapshotTrouble::hugeMembers()
{
    for (int i = 0; i < 16; ++i)
        m_server.run(
            {"ZADD", "scores", QByteArray::number(i), QByteArray(3 * mebibyte, char('a' + i))});
    for (int i = 0; i < 2500; ++i) // several slices under way at once
        m_server.run({"SET", "lock:n" + QByteArray::number(i), "ef1f63c", "PX", "60000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.list("locks").size(), 2500);
    QCOMPARE(taken.scan()["keys_skipped"_L1].toInt(), 1);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 2500);
    m_server.flush();
}

void TestSnapshotTrouble::manyKeys()
{
    std::vector<Command> fill;
    for (int i = 0; i < 10'000; ++i) {
        const QByteArray n = QByteArray::number(i);
        fill.push_back({"SET", "lock:" + n, "ef1f63c", "PX", "600000"});
        fill.push_back({"SET", "page:" + n, "text"});
    }
    m_server.runAll(fill);
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.snapshot);
    const QJsonObject scan = taken.scan();
    QVERIFY(scan["complete"_L1].toBool());
    QCOMPARE(scan["keys_scanned"_L1].toInt(), 20'000);
    QCOMPARE(scan["keys_matched"_L1].toInt(), 10'000);
    QCOMPARE(scan["keys_unclaimed"_L1].toInt(), 10'000);
    const QByteArrayList names = taken.names("locks");
    QCOMPARE(std::set<QByteArray>(names.begin(), names.end()).size(), 10'000U);
    QVERIFY(std::is_sorted(names.begin(), names.end()));
    QVERIFY(taken.text.contains("9,800 more") || taken.text.contains("9800 more"));
}

void TestSnapshotTrouble::someKeysDenied()
{
    m_server.lines(
        {"SET lock:a ef1f63c PX 60000", "SET lock:secret ef1f63c PX 60000", "LPUSH jobs a b"});
    user("some", "+@read +@connection +info +time ~lock:a ~jobs*");
    const TakenSnapshot taken = takeSnapshot(as(m_server, u"some"_s));
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QCOMPARE(taken.named("queues", "jobs")["ready"_L1].toInt(), 2);
    QCOMPARE(taken.scan()["keys_scanned"_L1].toInt(), 3);
    QCOMPARE(taken.scan()["keys_skipped"_L1].toInt(), 1);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 2);
    QVERIFY(taken.text.contains("1 skipped"));
}

void TestSnapshotTrouble::aDeniedSliceDoesNotHideTheRest()
{
    for (int i = 0; i < 1500; ++i)
        m_server.run({"SET", "secret:" + QByteArray::number(i), "x"});
    m_server.lines({"SET lock:a ef1f63c PX 60000"});
    user("some", "+@read +@connection +info +time ~lock:*");
    const TakenSnapshot taken = takeSnapshot(as(m_server, u"some"_s));
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QCOMPARE(taken.scan()["keys_skipped"_L1].toInt(), 1500);
}

void TestSnapshotTrouble::allKeysDenied()
{
    m_server.lines({"SET lock:a ef1f63c PX 60000", "SET lock:b ef1f63c PX 60000"});
    user("none", "+@read +@connection +info +time");
    const TakenSnapshot taken = takeSnapshot(as(m_server, u"none"_s));
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.answers, 1);
    QCOMPARE(taken.scan()["keys_skipped"_L1].toInt(), 2);
    QVERIFY2(taken.text.contains("2 of 2 keys are outside this user's key patterns."),
             taken.text.constData());
    m_server.flush();
    QVERIFY(takeSnapshot(as(m_server, u"none"_s)).snapshot); // nothing there is nothing denied
}

void TestSnapshotTrouble::commandDenied_data()
{
    QTest::addColumn<QByteArray>("denied");
    for (const char* command : {"scan", "type"})
        QTest::newRow(command) << QByteArray(command);
}

void TestSnapshotTrouble::commandDenied()
{
    QFETCH(QByteArray, denied);
    m_server.line("SET lock:a ef1f63c PX 60000");
    user("denied", "+@all ~* -" + denied);
    const TakenSnapshot taken = takeSnapshot(as(m_server, u"denied"_s));
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.answers, 1);
    QCOMPARE(taken.error.code, ErrorCode::NoPerm);
    QVERIFY2(errorText(taken.error).contains(QString::fromLatin1(denied)),
             qPrintable(errorText(taken.error)));
    QVERIFY(!errorText(taken.error).contains("pw-very-secret"_L1));
}

void TestSnapshotTrouble::infoDenied()
{
    m_server.line("SET lock:a ef1f63c PX 60000");
    user("noinfo", "+@all ~* -info");
    const TakenSnapshot taken = takeSnapshot(as(m_server, u"noinfo"_s));
    QVERIFY(taken.snapshot); // the look is what was asked for; INFO only dresses it
    QCOMPARE(taken.list("locks").size(), 1);
    QVERIFY(taken.root["server"_L1]["version"_L1].isNull());
    QVERIFY(taken.root["server"_L1]["time_ms"_L1].toDouble() > 1e12);
}

void TestSnapshotTrouble::keysThatVanishAreCounted()
{
    m_server.line("CONFIG SET hz 1");
    m_server.line("DEBUG SET-ACTIVE-EXPIRE 0");
    for (int i = 0; i < 2000; ++i)
        m_server.run({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX",
                      i % 2 == 0 ? "600000" : "40"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject scan = taken.scan();
    QVERIFY(scan["keys_scanned"_L1].toInt() >= 1000);
    QCOMPARE(scan["keys_matched"_L1].toInt() + scan["keys_unclaimed"_L1].toInt() +
                 scan["keys_skipped"_L1].toInt(),
             scan["keys_scanned"_L1].toInt());
    m_server.line("CONFIG SET hz 10");
}

void TestSnapshotTrouble::nobodyThere()
{
    ServerUrl url = m_server.url();
    url.path += ".none"_L1;
    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY(!taken.snapshot);
    QCOMPARE(taken.answers, 1);
    QCOMPARE(taken.error.code, ErrorCode::Refused);
}

void TestSnapshotTrouble::killedMidway_data()
{
    QTest::addColumn<int>("afterMs");
    for (const int ms : {1, 5, 20, 60})
        QTest::addRow("%d ms", ms) << ms;
}

void TestSnapshotTrouble::killedMidway()
{
    QFETCH(int, afterMs);
    RedisServer server;
    QVERIFY(server.start());
    std::vector<Command> fill;
    for (int i = 0; i < 20'000; ++i)
        fill.push_back({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX", "600000"});
    server.runAll(fill);
    const TakenSnapshot taken = takeSnapshot(
        server.url(), {}, [&] { QTimer::singleShot(afterMs, qApp, [&] { server.stop(); }); });
    QCOMPARE(taken.answers, 1);
    QVERIFY(!taken.snapshot);
    QVERIFY2(taken.error.code == ErrorCode::ServerClosed ||
                 taken.error.code == ErrorCode::Refused || taken.error.code == ErrorCode::Network,
             qPrintable(errorText(taken.error)));
}

void TestSnapshotTrouble::cutMidway()
{
    for (int i = 0; i < 50; ++i)
        m_server.run({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX", "600000"});
    for (const qint64 bytes : {1, 40, 200, 5000, 6000, 7000}) {
        FaultProxy proxy(m_server.socketPath());
        proxy.cutAfterToClient(bytes);
        const TakenSnapshot taken = takeSnapshot(proxy.url());
        QCOMPARE(taken.answers, 1);
        QVERIFY(!taken.snapshot);
    }
}

void TestSnapshotTrouble::noSecretAnywhere()
{
    m_server.line("SETEX token:c17bd6e5f4 600 payload-of-the-token");
    m_server.lines({"HSET token:a1b2c3d4e5 used_by 0 data payload-of-the-token",
                    "EXPIRE token:a1b2c3d4e5 600"});
    m_server.line(R"(SET lock:odd "{\"password\":\"payload-of-the-lock\"}" PX 60000)");
    user("secret", "+@all ~*");
    const TakenSnapshot taken = takeSnapshot(as(m_server, u"secret"_s));
    QCOMPARE(taken.list("tokens").size(), 2);
    for (const QByteArray& out : {taken.json, taken.text}) {
        QVERIFY(!out.contains("payload-of"));
        QVERIFY(!out.contains("pw-very-secret"));
    }
    ServerUrl wrong = as(m_server, u"secret"_s);
    wrong.password = u"not-the-pw-either"_s;
    const TakenSnapshot refused = takeSnapshot(wrong);
    QCOMPARE(refused.error.code, ErrorCode::WrongPass);
    QVERIFY(!errorText(refused.error).contains("not-the-pw"_L1));
}

LK_TEST(TestSnapshotTrouble);
#include "tst_snapshottrouble.moc"
