// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/acting.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QCryptographicHash>
#include <QTest>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

const QByteArray uuid = QByteArrayLiteral("62556984-2963-4021-a640-1f556ae9948d");
const QByteArray other = QByteArrayLiteral("0b7d5c9e-7a34-4b0e-9d0b-5d0f1c2a3b4c");
const QByteArray token44 = QByteArrayLiteral("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=");
const QByteArray other44 = QByteArrayLiteral("ZmVkY2JhWllYV1ZVVFNSUVBPTk1MS0pJSEdGRURDQkE=");
// A UUID of version 1, of that moment.
QByteArray uuid1At(qint64 ms)
{
    const QByteArray ticks = QByteArray::number((ms + 12'219'292'800'000) * 10'000, 16);
    return ticks.right(8) + ticks.mid(3, 4) + '1' + ticks.left(3) + "8f000242ac110002";
}

const QByteArray dotnet = QByteArrayLiteral("WEB_01_4242_0123456789abcdef0123456789abcdef");

} // namespace

// Locks of libraries on a real server: detected with nothing declared, released for their owner,
// and waiting clients are woken as the library does it. The waiting clients are real, too.
class TestLockReleases : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void theJsonTellsHoldsLimitAndWaiters();
    void aBlockedWaiterGetsTheLock();
    void aWaiterOfRedissonIsTold();
    void theFirstOfAFairQueueIsTold();
    void aReaderLeavesTheOthers();
    void permitsAreGivenBack();
    void oneHolderOfASemaphore_data();
    void oneHolderOfASemaphore();
    void aBlockedCallerGetsTheToken();
    void springIsToldOnlyWhereSomebodyListens();
    void whatIsPartOfAQueueStays();
    void aDigestIsReleasedOnlyWithoutItsJob_data();
    void aDigestIsReleasedOnlyWithoutItsJob();
    void theNextOwnerKeepsIt();
    void aHiddenValueIsNamedByItsDigest();

private:
    PrimitivePtr found(const QByteArray& name);
    Receipt release(const QByteArray& name, const QByteArray& owner);
    static QByteArrayList wordsOf(const Reply& reply)
    {
        QByteArrayList words;
        for (const Reply& item : reply.items)
            words << (item.isInteger() ? QByteArray::number(item.integer) : item.text);
        return words;
    }

    RedisServer m_server;
};

PrimitivePtr TestLockReleases::found(const QByteArray& name)
{
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    PrimitivePtr one;
    for (const StatePtr& state :
         taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>()) {
        if (state->primitive->name() == name)
            one = state->primitive;
    }
    return one;
}

Receipt TestLockReleases::release(const QByteArray& name, const QByteArray& owner)
{
    const PrimitivePtr lock = found(name);
    if (!lock)
        qFatal("not found: %s", name.constData());
    Actor actor(m_server.url());
    if (!actor.open())
        qFatal("no connection");
    return actor.act(lock, "lock.release", {{"owner", owner}});
}

void TestLockReleases::theJsonTellsHoldsLimitAndWaiters()
{
    const QByteArray ms = QByteArray::number(serverNowMs(m_server));
    m_server.lines({"HSET invoice " + uuid + ":47 2", "PEXPIRE invoice 600000",
                    "RPUSH redisson_lock_queue:{invoice} " + other + ":1",
                    "ZADD redisson_lock_timeout:{invoice} " + ms + " " + other + ":1",
                    "ZADD semaphore:vm " + ms + " " + uuid + " " + ms + " " + other,
                    "PEXPIRE semaphore:vm 600000", "SET SEMAPHORE:gpu:EXISTS 1",
                    "SET SEMAPHORE:gpu:VERSION 1", "RPUSH SEMAPHORE:gpu:AVAILABLE 1 2",
                    "HSET SEMAPHORE:gpu:GRABBED 0 1795223340.5"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject lock = taken.named("locks", "invoice");
    QCOMPARE(lock["owner"_L1].toString().toUtf8(), uuid + ":47");
    QCOMPARE(lock["holds"_L1].toInt(), 2);
    QCOMPARE(lock["limit"_L1].toInt(), 1);
    QCOMPARE(lock["waiters"_L1].toInt(-1), 1);
    QCOMPARE(lock["state"_L1].toString(), QStringLiteral("held"));
    const QJsonObject semaphore = taken.named("locks", "semaphore:vm");
    QVERIFY(semaphore["owner"_L1].isNull() && semaphore["limit"_L1].isNull());
    QVERIFY(semaphore["waiters"_L1].isNull());
    QCOMPARE(semaphore["holds"_L1].toInt(), 2);
    QCOMPARE(semaphore["holders"_L1].toArray().size(), 2);
    QVERIFY(semaphore["holders"_L1][0]["ttl_ms"_L1].toInt() > 500'000);
    const QJsonObject gpu = taken.named("locks", "gpu");
    QCOMPARE(gpu["limit"_L1].toInt(), 3);
    QCOMPARE(gpu["holds"_L1].toInt(), 1);
    QCOMPARE(taken.list("locks").size(), 3);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 8);
}

void TestLockReleases::aBlockedWaiterGetsTheLock()
{
    m_server.line("SET lock:py QUJDREVGR0hJSktMTU5PUFFS");
    RespClient waiter(m_server.socketPath());
    waiter.write({"BLPOP", "lock-signal:py", "20"});
    QTRY_VERIFY(m_server.line("INFO clients").text.contains("blocked_clients:1"));
    const Receipt receipt = release("lock:py", "QUJDREVGR0hJSktMTU5PUFFS");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(waiter.read()), (QByteArrayList{"lock-signal:py", "1"}));
    QCOMPARE(waiter.run({"SET", "lock:py", "next", "NX"}).text, QByteArray("OK"));
}

void TestLockReleases::aWaiterOfRedissonIsTold()
{
    m_server.lines({"HSET invoice " + uuid + ":47 1", "PEXPIRE invoice 600000"});
    RespClient waiter(m_server.socketPath());
    waiter.run({"SUBSCRIBE", "redisson_lock__channel:{invoice}"});
    const Receipt receipt = release("invoice", uuid + ":47");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(waiter.read()),
             (QByteArrayList{"message", "redisson_lock__channel:{invoice}", "0"}));
    QCOMPARE(m_server.line("EXISTS invoice").integer, 0);
}

void TestLockReleases::theFirstOfAFairQueueIsTold()
{
    const qint64 now = serverNowMs(m_server);
    const QByteArray late = QByteArray::number(now - 1000);
    const QByteArray ahead = QByteArray::number(now + 600'000);
    m_server.lines({"HSET invoice " + uuid + ":47 1", "PEXPIRE invoice 600000",
                    "RPUSH redisson_lock_queue:{invoice} " + other + ":1 " + other + ":2",
                    "ZADD redisson_lock_timeout:{invoice} " + late + ' ' + other + ":1 " + ahead +
                        ' ' + other + ":2"});
    RespClient waiter(m_server.socketPath());
    waiter.run({"SUBSCRIBE", "redisson_lock__channel:{invoice}:" + other + ":2"});
    const Receipt receipt = release("invoice", uuid + ":47");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(waiter.read()).last(), QByteArray("0"));
    QCOMPARE(wordsOf(m_server.line("LRANGE redisson_lock_queue:{invoice} 0 -1")),
             QByteArrayList{other + ":2"});
}

void TestLockReleases::aReaderLeavesTheOthers()
{
    m_server.lines({"HSET book mode read " + uuid + ":1 1 " + other + ":2 1", "PEXPIRE book 600000",
                    "SET {book}:" + uuid + ":1:rwlock_timeout:1 1 PX 600000",
                    "SET {book}:" + other + ":2:rwlock_timeout:1 1 PX 300000"});
    QCOMPARE(takeSnapshot(m_server.url()).list("locks").size(), 1);
    const Receipt receipt = release("book", uuid + ":1");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(m_server.line("HGETALL book")),
             (QByteArrayList{"mode", "read", other + ":2", "1"}));
    QVERIFY(m_server.line("PTTL book").integer <= 300'000);
    RespClient waiter(m_server.socketPath());
    waiter.run({"SUBSCRIBE", "redisson_rwlock:{book}"});
    QCOMPARE(release("book", other + ":2").outcome, Outcome::Succeeded);
    QCOMPARE(wordsOf(waiter.read()), (QByteArrayList{"message", "redisson_rwlock:{book}", "0"}));
    QCOMPARE(m_server.line("DBSIZE").integer, 0);
}

void TestLockReleases::permitsAreGivenBack()
{
    const QByteArray ahead = QByteArray::number(serverNowMs(m_server) + 600'000);
    m_server.line("SET tickets 1");
    m_server.run({"ZADD", "{tickets}:timeout", ahead, QByteArray(16, '\x01'), ahead,
                  QByteArray(16, '\x02')});
    RespClient waiter(m_server.socketPath());
    waiter.run({"SUBSCRIBE", "redisson_sc:{tickets}"});
    const Receipt receipt = release("tickets", QByteArray(16, '\x01').toHex());
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(waiter.read()), (QByteArrayList{"message", "redisson_sc:{tickets}", "2"}));
    QCOMPARE(m_server.line("GET tickets").text, QByteArray("2"));
    QCOMPARE(m_server.line("ZCARD {tickets}:timeout").integer, 1);
}

void TestLockReleases::oneHolderOfASemaphore_data()
{
    QTest::addColumn<QByteArrayList>("setup");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QByteArray>("effect");
    QTest::addColumn<QByteArrayList>("seen");
    const auto row = [](const char* title, const QByteArrayList& setup, const char* name,
                        const QByteArray& owner, const QByteArray& effect,
                        const QByteArrayList& seen) {
        QTest::addRow("%s", title) << setup << QByteArray(name) << owner << effect << seen;
    };
    row("redis-semaphore, two permits",
        {"ZADD semaphore:vm @MS " + uuid + "_0 @MS " + uuid + "_1 @MS " + other,
         "PEXPIRE semaphore:vm 60000"},
        "semaphore:vm", uuid, "ZRANGE semaphore:vm 0 -1", {other});
    row("Symfony, a writer",
        {"ZADD report @AHEAD " + token44 + " @AHEAD __write__", "PEXPIREAT report @AHEAD"},
        "report", token44, "KEYS *", {});
    row("Symfony, a reader",
        {"ZADD report @AHEAD " + token44 + " @AHEAD " + other44, "PEXPIREAT report @AHEAD"},
        "report", token44, "ZRANGE report 0 -1", {other44});
    row("Symfony semaphore",
        {"ZADD {import}:time @AHEADS " + token44 + " @AHEADS " + other44,
         "ZADD {import}:weight 3 " + token44 + " 1 " + other44},
        "import", token44, "ZRANGE {import}:weight 0 -1", {other44});
    row("Sidekiq::Throttled",
        {"ZADD throttled:Mail:concurrency.v2 @AHEADS 1ab51d398abfa77a6a4d0f4d"},
        "throttled:Mail:concurrency.v2", "1ab51d398abfa77a6a4d0f4d", "KEYS *", {});
    row(".NET semaphore", {"ZADD gpu @AHEAD " + dotnet, "PEXPIRE gpu 60000"}, "gpu", dotnet,
        "KEYS *", {});
    row(".NET reader", {"SADD book.readers " + dotnet + " " + dotnet.chopped(1) + "0"}, "book",
        dotnet, "SMEMBERS book.readers", {dotnet.chopped(1) + "0"});
    row(".NET writer", {"SET book.writer " + dotnet + " PX 60000"}, "book", dotnet, "KEYS *", {});
    row("Laravel funnel",
        {"SET shop_database_export1 p5XWtYlOHhbNnqYzAbCd PX 60000",
         "SET shop_database_export2 q6XWtYlOHhbNnqYzAbCe PX 60000"},
        "shop_database_export", "q6XWtYlOHhbNnqYzAbCe", "KEYS *", {"shop_database_export1"});
}

void TestLockReleases::oneHolderOfASemaphore()
{
    QFETCH(QByteArrayList, setup);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, owner);
    QFETCH(QByteArray, effect);
    const qint64 now = serverNowMs(m_server);
    for (QByteArray line : setup) {
        line.replace("@MS", QByteArray::number(now - 1000));
        line.replace("@AHEADS", QByteArray::number(now / 1000 + 60));
        line.replace("@AHEAD", QByteArray::number(now + 60'000));
        QVERIFY2(!m_server.line(line).isError(), line.constData());
    }
    const Receipt receipt = release(name, owner);
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QTEST(wordsOf(m_server.line(effect)), "seen");
}

void TestLockReleases::aBlockedCallerGetsTheToken()
{
    m_server.lines({"SET SEMAPHORE:gpu:EXISTS 1", "SET SEMAPHORE:gpu:VERSION 1",
                    "HSET SEMAPHORE:gpu:GRABBED 0 1795223340.5 1 1795223341.5"});
    RespClient waiter(m_server.socketPath());
    waiter.write({"BLPOP", "SEMAPHORE:gpu:AVAILABLE", "20"});
    QTRY_VERIFY(m_server.line("INFO clients").text.contains("blocked_clients:1"));
    const Receipt receipt = release("gpu", "1");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(waiter.read()), (QByteArrayList{"SEMAPHORE:gpu:AVAILABLE", "1"}));
    QCOMPARE(m_server.line("HLEN SEMAPHORE:gpu:GRABBED").integer, 1);
}

void TestLockReleases::springIsToldOnlyWhereSomebodyListens()
{
    m_server.line("SET app:lock " + uuid + " PX 600000");
    const PrimitivePtr lock = found("app:lock");
    QVERIFY(lock);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> quiet = actor.plan(lock, "lock.release", {{"owner", uuid}});
    QVERIFY(quiet);
    QCOMPARE(quiet->args, std::vector<QByteArray>{uuid});
    RespClient waiter(m_server.socketPath());
    waiter.run({"PSUBSCRIBE", "app-channel:*"});
    QCOMPARE(actor.act(lock, "lock.release", {{"owner", uuid}}).outcome, Outcome::Succeeded);
    QCOMPARE(wordsOf(waiter.read()),
             (QByteArrayList{"pmessage", "app-channel:*", "app-channel:app:lock", "app:lock"}));
}

void TestLockReleases::whatIsPartOfAQueueStays()
{
    const QByteArray owner = uuid1At(serverNowMs(m_server));
    m_server.line("SET redbeat::lock " + owner + " PX 300000");
    const PrimitivePtr lock = found("redbeat::lock");
    QVERIFY(lock);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    for (const auto& [action, values] :
         {std::pair("lock.release", Values{{"owner", owner}}),
          std::pair("lock.ttl", Values{{"ttl", "30s"}}), std::pair("key.delete", Values{})}) {
        const Result<Plan> plan = actor.plan(lock, action, values);
        QVERIFY2(!plan && plan.error().detail.contains(QStringLiteral("RedBeat")), action);
    }
}

void TestLockReleases::aDigestIsReleasedOnlyWithoutItsJob_data()
{
    QTest::addColumn<QByteArray>("setup");
    QTest::addColumn<bool>("released");
    const QByteArray job = R"("{\"jid\":\"1ab51d398abfa77a6a4d0f4d\"}")";
    const QByteArray digest =
        R"("{\"lock_digest\":\"uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5\"}")";
    QTest::newRow("lost") << QByteArray("RPUSH queue:default \"{}\"") << true;
    QTest::newRow("enqueued") << "RPUSH queue:default " + job << false;
    QTest::newRow("enqueued, by its digest") << "RPUSH queue:default " + digest << false;
    QTest::newRow("scheduled") << "ZADD schedule 1795226950 " + digest << false;
    QTest::newRow("to be tried again") << "ZADD retry 1795226950 " + job << false;
    QTest::newRow("in progress") << "HSET web-1:4242:8f3a:work tid " + digest << false;
    QTest::newRow("in progress, older") << "HSET web-1:4242:8f3a:workers tid " + job << false;
    QTest::newRow("just taken") << QByteArray(
                                       "HSET uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5:LOCKED "
                                       "1ab51d398abfa77a6a4d0f4d 99999999999")
                                << false;
}

void TestLockReleases::aDigestIsReleasedOnlyWithoutItsJob()
{
    QFETCH(QByteArray, setup);
    QFETCH(bool, released);
    const QByteArray digest = "uniquejobs:1ab51d398abfa77a6a4d0f4d5d0aa6c5";
    m_server.lines({"SADD queues default", "SADD processes web-1:4242:8f3a",
                    "HSET " + digest + ":LOCKED 1ab51d398abfa77a6a4d0f4d 1595223340.5",
                    "SET " + digest + " 1ab51d398abfa77a6a4d0f4d",
                    "ZADD uniquejobs:digests 1595223340.5 " + digest});
    QVERIFY(!m_server.line(setup).isError());
    const PrimitivePtr lock = found(digest);
    QVERIFY(lock);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan = actor.plan(lock, "lock.release");
    QCOMPARE(plan.has_value(), released);
    if (!released)
        return;
    QCOMPARE(actor.run(*plan).outcome, Outcome::Succeeded);
    QCOMPARE(
        m_server.line("EXISTS " + digest + " " + digest + ":LOCKED uniquejobs:digests").integer, 0);
}

// Between the plan and the run the lock has changed hands.
void TestLockReleases::theNextOwnerKeepsIt()
{
    m_server.lines({"HSET invoice " + uuid + ":47 1", "PEXPIRE invoice 600000"});
    const PrimitivePtr lock = found("invoice");
    QVERIFY(lock);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan = actor.plan(lock, "lock.release", {{"owner", uuid + ":47"}});
    QVERIFY(plan);
    m_server.lines({"DEL invoice", "HSET invoice " + other + ":1 1"});
    QCOMPARE(actor.run(*plan).outcome, Outcome::Conflict);
    QCOMPARE(m_server.line("HLEN invoice").integer, 1);
    QVERIFY(!actor.plan(lock, "lock.release", {{"owner", uuid + ":47"}}));
}

// A hidden value is named by the digest in the plan.
void TestLockReleases::aHiddenValueIsNamedByItsDigest()
{
    const QByteArray value = R"({"host":"web-1","pid":7})";
    m_server.run({"SET", "lock:report", value, "PX", "60000"});
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:report");
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const QString digest =
        u"sha256:"_s +
        QString::fromLatin1(
            QCryptographicHash::hash(value, QCryptographicHash::Sha256).toHex().left(16));
    const Result<Plan> plan = actor.plan(lock, "lock.release");
    QVERIFY2(plan, plan ? "" : qPrintable(errorText(plan.error())));
    QVERIFY2(plan->expected.contains(digest) && !plan->expected.contains(u"web-1"_s),
             qPrintable(plan->expected));
    const Result<Plan> wrong =
        actor.plan(lock, "lock.release", {{"owner", "sha256:0123456789abcdef"}});
    QVERIFY(!wrong);
    QVERIFY2(wrong.error().detail.contains(digest), qPrintable(wrong.error().detail));
    const Receipt receipt = actor.act(lock, "lock.release", {{"owner", digest.toLatin1()}});
    QCOMPARE(receipt.outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("EXISTS lock:report").integer, 0);
    // An owner that is shown has to be named.
    m_server.run({"SET", "lock:report", uuid, "PX", "60000"});
    const Result<Plan> unnamed = actor.plan(lock, "lock.release");
    QVERIFY(!unnamed);
    QVERIFY(unnamed.error().detail.contains(u"needs --owner"_s));
}

LK_TEST(TestLockReleases);
#include "tst_lockreleases.moc"
