// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QMap>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int few = 10;

/// The server's counts since the reset.
struct Cost
{
    QMap<QByteArray, qint64> calls; ///< by command
    qint64 bytes = 0;               ///< received by the server
};

QByteArray numbered(const QByteArray& text, int number)
{
    return QByteArray(text).replace("%n", QByteArray::number(100 + number));
}

} // namespace

/// The cost of one key of each sort in a snapshot, to the command and to the byte: the difference
/// between twenty such keys and ten. A change that needs another command has to change these
/// figures.
class TestProbeCost : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void oneKeyCosts_data();
    void oneKeyCosts();
    void itsTypeIsExpectedOfManyOthers_data() { oneKeyCosts_data(); }
    void itsTypeIsExpectedOfManyOthers();
    void keysOfOtherTypesAreFoundAllTheSame();

private:
    Cost costOf(const QByteArray& filling, int keys);

    RedisServer m_server;
};

void TestProbeCost::oneKeyCosts_data()
{
    QTest::addColumn<QByteArray>("filling");  // %n: a number of three digits
    QTest::addColumn<QByteArray>("commands"); // for each key
    QTest::addColumn<int>("bytes");

    const QByteArray second = QByteArray::number(serverNowMs(m_server) / 1000 - 5);
    const QByteArray ms = second + "000";
    const auto row = [](const char* name, const QByteArray& filling, const char* commands,
                        int bytes) {
        QTest::newRow(name) << filling << QByteArray(commands) << bytes;
    };
    // TYPE, ZRANGE key 0 15 WITHSCORES, PTTL; eleven bytes of name.
    row("limiter", "ZADD rl:user:%n " + ms + ' ' + ms, "pttl 1, type 1, zrange 1", 130);
    row("sorted set", "ZADD friends:%n 1 anna 2 otto", "pttl 1, type 1, zrange 1", 130);
    row("lock", "SET lock:seat:%n 4be3a85b-8b38-4d68-b9a7-7a3b6a1d8f10 PX 600000",
        "getrange 1, pttl 1, type 1", 122);
    row("cached string", "SET cache:pg:%n {a:1} EX 600", "getrange 1, pttl 1, type 1", 119);
    // A hash of none of the fields that a layout looks at is asked for no value.
    row("hash", "HSET user:%n name anna city Ulm", "hrandfield 1, pttl 1, type 1", 99);
    row("token bucket", "HSET bucket:%n tokens 4.5 last_refill " + ms + " capacity 10",
        "hmget 1, hrandfield 1, pttl 1, type 1", 184);
    row("bucket of a layout file", "HSET limit_req:%n excess 0 last " + ms,
        "hmget 1, hrandfield 1, pttl 1, type 1", 174);
    // A list is held against the one that a worker would move its jobs to.
    row("list", "RPUSH recent:%n a b", "lrange 2, pttl 1, type 2", 200);
    row("set", "SADD tags:%n a b", "pttl 1, srandmember 1, type 1", 99);
    row("stream", "XADD audit:%n * a 1", "pttl 1, type 1, xinfo 1", 100);
}

Cost TestProbeCost::costOf(const QByteArray& filling, int keys)
{
    m_server.flush();
    for (int i = 0; i < keys; ++i)
        m_server.run(parseCommand(numbered(filling, i)));
    m_server.line("CONFIG RESETSTAT");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    Cost cost;
    for (const QByteArray& line : m_server.line("INFO commandstats").text.split('\n')) {
        const qsizetype colon = line.indexOf(":calls=");
        const qsizetype comma = line.indexOf(',');
        if (colon > 0) // without a subcommand's name, which older servers do not tell
            cost.calls[line.mid(8, colon - 8).split('|').front()] +=
                line.mid(colon + 7, comma - colon - 7).toLongLong();
    }
    const ServerInfo info = ServerInfo::fromReply(m_server.line("INFO stats"));
    cost.bytes = info.number("total_net_input_bytes").value_or(0);
    return taken.snapshot && taken.snapshot->scan.scanned == keys ? cost : Cost();
}

void TestProbeCost::oneKeyCosts()
{
    QFETCH(QByteArray, filling);
    QFETCH(QByteArray, commands);
    QFETCH(int, bytes);
    const Cost less = costOf(filling, few);
    const Cost more = costOf(filling, 2 * few);
    QVERIFY(less.bytes > 0);
    QByteArrayList calls;
    for (auto it = more.calls.begin(); it != more.calls.end(); ++it) {
        const qint64 further = it.value() - less.calls.value(it.key());
        QCOMPARE(further % few, 0);
        if (further > 0)
            calls << it.key() + ' ' + QByteArray::number(further / few);
    }
    QCOMPARE(calls.join(", "), commands);
    QCOMPARE(more.bytes - less.bytes, qint64(few) * bytes);
}

// Where the first slices tell that all which is called like this is of one type, the others are not
// asked for it. No more than four slices of 500 are under way before.
void TestProbeCost::itsTypeIsExpectedOfManyOthers()
{
    constexpr int many = 6000;
    QFETCH(QByteArray, filling);
    QFETCH(QByteArray, commands);
    const Cost cost = costOf(filling, many);
    for (const QByteArray& part : commands.split(',')) {
        const QByteArrayList call = part.trimmed().split(' ');
        const qint64 atLeast = many * call[1].toLongLong();
        if (call[0] != "type") {
            QVERIFY2(cost.calls[call[0]] >= atLeast && cost.calls[call[0]] <= atLeast + many / 100,
                     call[0].constData());
            continue;
        }
        // A list also needs the TYPE of the list beside it.
        QVERIFY2(cost.calls["type"] < atLeast - many + many / 2,
                 QByteArray::number(cost.calls["type"]).constData());
    }
}

// One sort of name, all types, all mixed: the locks among them are as many as there are, and what
// was expected wrongly was so a few times only.
void TestProbeCost::keysOfOtherTypesAreFoundAllTheSame()
{
    constexpr int many = 3000;
    int locks = 0;
    for (int i = 0; i < many; ++i) {
        const QByteArray name = "lock:a" + QByteArray::number(i);
        if (i % 100 == 7) {
            m_server.run({"HSET", name, "x", "1"});
        } else if (i % 100 == 23) {
            m_server.run({"XADD", name, "*", "x", "1"});
        } else if (i % 100 == 51) {
            m_server.run({"SET", name, ""});
        } else {
            m_server.run({"SET", name, "4be3a85b-8b38-4d68-b9a7-7a3b6a1d8f10", "PX", "600000"});
            ++locks;
        }
    }
    m_server.line("CONFIG RESETSTAT");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.snapshot);
    QCOMPARE(taken.list("locks").size(), locks);
    QCOMPARE(taken.snapshot->scan.scanned, many);
    QVERIFY(taken.scan()["complete"_L1].toBool());
    const ServerInfo info = ServerInfo::fromReply(m_server.line("INFO stats"));
    QVERIFY(info.number("total_error_replies").value_or(0) < many / 20);
}

LK_TEST(TestProbeCost);
#include "tst_probecost.moc"
