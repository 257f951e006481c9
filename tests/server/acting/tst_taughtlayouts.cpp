// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/layoutfilereader.h"
#include "backend/libraries/families/files/processlayouts.h"
#include "tests/server/acting.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

// Layouts that a service of the user may have, each defined by a file.
constexpr const char* files[] = {R"(id = "shop-lock"
title = "Shop lock"
family = "owner-lock"
[[key]]
role = "lock"
name = "shop:guard:{name}"
value = "{host}/{pid:digits}/{random:hex}"
ttl = "always"
[wake_up]
push = "shop:guard:{name}:free"
publish = "shop:freed:{name}"
message = "go {value}"
)",
                                 R"(id = "shop-hash-lock"
title = "Shop lock in a hash"
family = "owner-lock"
[[key]]
role = "lock"
name = "shop:claim:{name}"
type = "hash"
fields = ["by"]
[wake_up]
push = "shop:claim:{name}:free"
[read]
owner_field = "by"
)",
                                 R"(id = "shop-seats"
title = "Shop seats"
family = "holder-set"
[[key]]
role = "lock"
name = "shop:seats:{name}"
score = "ms"
[limit]
fixed = 3
[wake_up]
push = "shop:seats:{name}:free"
message = "next"
[read]
score = "deadline"
)",
                                 R"(id = "shop-until"
title = "Shop lock until a time"
family = "timestamp-lock"
[[key]]
role = "lock"
name = "shop:until:{name}"
)",
                                 R"(id = "shop-lists"
title = "Shop lists"
family = "list-queue"
primitive = "{queue}"
[[key]]
role = "ready"
name = "shop:{queue}:in"
[[key]]
role = "processing"
name = "shop:{queue}:at:{worker}"
[[key]]
role = "dead"
name = "shop:{queue}:lost"
)",
                                 R"(id = "shop-jobs"
title = "Shop jobs"
family = "job-queue"
primitive = "{queue}"
[[key]]
role = "waiting"
name = "shop:{queue}:todo"
[[key]]
role = "active"
name = "shop:{queue}:doing"
type = "zset"
[[key]]
role = "delayed"
name = "shop:{queue}:later"
[[key]]
role = "failed"
name = "shop:{queue}:broken"
[[key]]
role = "paused"
name = "shop:{queue}:paused"
[[key]]
role = "job"
name = "shop:{queue}:job:{job}"
[[key]]
role = "lease"
name = "shop:{queue}:job:{job}:lease"
[read]
name_field = "task"
error_field = "error"
worker_field = "worker"
attempts_field = "tries"
)",
                                 R"(id = "shop-mails"
title = "Shop mails"
family = "job-queue"
primitive = "{queue}"
[[key]]
role = "waiting"
called = "due"
state = "queued"
name = "shop:mails:{queue}"
type = "zset"
[[key]]
role = "active"
called = "sending"
name = "shop:sending:{queue}"
type = "zset"
[[key]]
role = "job"
name = "shop:letter:{job}"
type = "string"
[read]
later = "scheduled"
score = "renewed"
lease = "60s"
name_field = ["template", "subject"]
)",
                                 R"(id = "shop-codes"
title = "Shop codes"
family = "one-time-token"
[[key]]
role = "token"
name = "shop:code:{code:alnum}"
ttl = "always"
)"};

QByteArrayList wordsOf(const Reply& reply)
{
    QByteArrayList words;
    for (const Reply& item : reply.items)
        words << (item.isInteger() ? QByteArray::number(item.integer) : item.text);
    return words;
}

} // namespace

// Locks, queues and tokens of one's own, taught by a file: found, read, acted on, and those who
// wait are woken. Server and waiting clients are real.
class TestTaughtLayouts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_server.flush(); }

    void aLockWakesItsWaiters();
    void aHashLockWakesItsWaiter();
    void aSeatIsGivenToTheNext();
    void aLockUntilATimeIsTakenOver();
    void listsOfWorkersBelongToTheirQueue();
    void jobsAreReadFromTheirHashes();
    void jobsWaitForTheirTimeInOneSet();
    void aCodeIsGoodOnce();

private:
    PrimitivePtr found(const TakenSnapshot& taken, const QByteArray& name);
    Receipt act(const QByteArray& name, const QByteArray& action, const Values& values = {});

    RedisServer m_server;
};

void TestTaughtLayouts::initTestCase()
{
    for (const char* toml : files) {
        const Result<LayoutFile> file = parseLayoutFile(toml, u"own.toml"_s);
        QVERIFY2(file, file ? "" : qPrintable(file.error().detail));
        QVERIFY(addLayout(*file));
    }
    QVERIFY2(m_server.start(), m_server.output());
}

PrimitivePtr TestTaughtLayouts::found(const TakenSnapshot& taken, const QByteArray& name)
{
    PrimitivePtr one;
    for (const StatePtr& state :
         taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>()) {
        if (state->primitive->name() == name)
            one = state->primitive;
    }
    return one;
}

Receipt TestTaughtLayouts::act(const QByteArray& name, const QByteArray& action,
                               const Values& values)
{
    const PrimitivePtr target = found(takeSnapshot(m_server.url()), name);
    if (!target)
        qFatal("not found: %s", name.constData());
    Actor actor(m_server.url());
    if (!actor.open())
        qFatal("no connection");
    return actor.act(target, action, values);
}

void TestTaughtLayouts::aLockWakesItsWaiters()
{
    m_server.lines({"SET shop:guard:stock web-1/42/c0ffee PX 60000", "SET shop:guard:plain hello",
                    "SET shop:guard:door closed PX 60000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("locks"), QByteArrayList{"shop:guard:stock"});
    const QJsonObject lock = taken.named("locks", "shop:guard:stock");
    QCOMPARE(lock["layout"_L1].toString(), u"shop-lock"_s);
    QCOMPARE(lock["owner"_L1].toString(), u"web-1/42/c0ffee"_s);
    QCOMPARE(lock["state"_L1].toString(), u"held"_s);

    RespClient blocked(m_server.socketPath());
    blocked.write({"BLPOP", "shop:guard:stock:free", "20"});
    RespClient listening(m_server.socketPath());
    listening.run({"SUBSCRIBE", "shop:freed:stock"});
    QTRY_VERIFY(m_server.line("INFO clients").text.contains("blocked_clients:1"));
    QCOMPARE(act("shop:guard:stock", "lock.release", {{"owner", "web-2"}}).outcome,
             Outcome::Refused);
    const Receipt receipt = act("shop:guard:stock", "lock.release", {{"owner", "web-1/42/c0ffee"}});
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(blocked.read()),
             (QByteArrayList{"shop:guard:stock:free", "go web-1/42/c0ffee"}));
    QCOMPARE(wordsOf(listening.read()),
             (QByteArrayList{"message", "shop:freed:stock", "go web-1/42/c0ffee"}));
    QCOMPARE(m_server.line("EXISTS shop:guard:stock").integer, 0);
}

void TestTaughtLayouts::aHashLockWakesItsWaiter()
{
    m_server.lines({"HSET shop:claim:7 by web-1 since 1795223340", "PEXPIRE shop:claim:7 60000"});
    RespClient blocked(m_server.socketPath());
    blocked.write({"BLPOP", "shop:claim:7:free", "20"});
    QTRY_VERIFY(m_server.line("INFO clients").text.contains("blocked_clients:1"));
    const Receipt receipt = act("shop:claim:7", "lock.release", {{"owner", "web-1"}});
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(blocked.read()), (QByteArrayList{"shop:claim:7:free", "1"}));
}

void TestTaughtLayouts::aSeatIsGivenToTheNext()
{
    const QByteArray end = QByteArray::number(serverNowMs(m_server) + 60'000);
    m_server.line("ZADD shop:seats:hall " + end + " anna " + end + " ben");
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject seats = taken.named("locks", "shop:seats:hall");
    QCOMPARE(seats["layout"_L1].toString(), u"shop-seats"_s);
    QCOMPARE(seats["holds"_L1].toInt(), 2);
    QCOMPARE(seats["limit"_L1].toInt(), 3);
    RespClient blocked(m_server.socketPath());
    blocked.write({"BRPOP", "shop:seats:hall:free", "20"});
    QTRY_VERIFY(m_server.line("INFO clients").text.contains("blocked_clients:1"));
    const Receipt receipt = act("shop:seats:hall", "lock.release", {{"owner", "anna"}});
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(wordsOf(blocked.read()), (QByteArrayList{"shop:seats:hall:free", "next"}));
    QCOMPARE(wordsOf(m_server.line("ZRANGE shop:seats:hall 0 -1")), QByteArrayList{"ben"});
}

void TestTaughtLayouts::aLockUntilATimeIsTakenOver()
{
    const QByteArray over = QByteArray::number(serverNowMs(m_server) / 1000 - 60);
    m_server.lines({"SET shop:until:report " + over, "SET shop:until:name anna"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("locks"), QByteArrayList{"shop:until:report"});
    QCOMPARE(taken.named("locks", "shop:until:report")["state"_L1].toString(), u"expired"_s);
    const Receipt receipt = act("shop:until:report", "lock.clear");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(m_server.line("EXISTS shop:until:report").integer, 0);
}

void TestTaughtLayouts::listsOfWorkersBelongToTheirQueue()
{
    m_server.lines(
        {"RPUSH shop:mail:at:w1 a b", "RPUSH shop:mail:at:w2 c", "RPUSH shop:mail:lost x"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    const QJsonObject queue = taken.named("queues", "mail");
    QCOMPARE(queue["layout"_L1].toString(), u"shop-lists"_s);
    QCOMPARE(queue["ready"_L1].toInt(-1), 0); // its list is empty: Redis has removed it
    QCOMPARE(queue["processing"_L1].toInt(), 3);
    QCOMPARE(queue["dead"_L1].toInt(), 1);
    const Receipt moved = act("mail", "queue.requeue", {{"all", ""}, {"from", "shop:mail:at:w1"}});
    QVERIFY2(moved.outcome == Outcome::Succeeded, qPrintable(moved.text));
    QCOMPARE(m_server.line("LLEN shop:mail:in").integer, 2);
    QCOMPARE(m_server.line("LLEN shop:mail:at:w2").integer, 1);
}

void TestTaughtLayouts::jobsAreReadFromTheirHashes()
{
    const qint64 now = serverNowMs(m_server);
    m_server.lines({"LPUSH shop:print:todo 1 2",
                    "ZADD shop:print:doing " + QByteArray::number(now - 9000) + " 3",
                    "ZADD shop:print:doing " + QByteArray::number(now - 8000) + " 4",
                    "ZADD shop:print:later " + QByteArray::number(now / 1000 + 3600) + " 5",
                    "LPUSH shop:print:broken 6", "SET shop:print:paused 1",
                    "SET shop:print:job:4:lease w1 PX 60000",
                    "HSET shop:print:job:3 task label worker w9",
                    "HSET shop:print:job:4 task label worker w1",
                    "HSET shop:print:job:6 task cover tries 3 error 'no\\npaper'"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("queues"), QByteArrayList{"print"});
    const QJsonObject queue = taken.named("queues", "print");
    QCOMPARE(queue["layout"_L1].toString(), u"shop-jobs"_s);
    QCOMPARE(queue["ready"_L1].toInt(), 2);
    QCOMPARE(queue["processing"_L1].toInt(), 2);
    QCOMPARE(queue["delayed"_L1].toInt(), 1);
    QCOMPARE(queue["dead"_L1].toInt(), 1);
    QCOMPARE(queue["stuck"_L1].toInt(), 1); // job 3: no worker renews its lease
    QCOMPARE(queue["paused"_L1].toBool(), true);
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), taken.scan()["keys_scanned"_L1].toInt());
}

void TestTaughtLayouts::jobsWaitForTheirTimeInOneSet()
{
    const qint64 now = serverNowMs(m_server);
    const auto at = [&](qint64 ms) { return QByteArray::number(now + ms); };
    m_server.lines(
        {"ZADD shop:mails:news " + at(-9000) + " 1 " + at(600'000) + " 2 " + at(700'000) + " 3",
         "ZADD shop:sending:news " + at(-5000) + " 4 " + at(-90'000) + " 5",
         R"(SET shop:letter:1 '{"subject":"hello"}')", "SET shop:letter:4 '{}'"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("queues"), QByteArrayList{"news"});
    const QJsonObject queue = taken.named("queues", "news");
    QCOMPARE(queue["ready"_L1].toInt(), 1);
    QCOMPARE(queue["delayed"_L1].toInt(), 2);
    QCOMPARE(queue["processing"_L1].toInt(), 2);
    QCOMPARE(queue["stuck"_L1].toInt(), 1); // job 5: not renewed for a minute
    QCOMPARE(queue["keys"_L1]["due"_L1].toString(), u"shop:mails:news"_s);
    QCOMPARE(queue["states"_L1][0]["name"_L1].toString(), u"queued"_s);
    QCOMPARE(queue["states"_L1][1]["name"_L1].toString(), u"scheduled"_s);
    // The jobs' keys belong to the queue although they do not name it.
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), taken.scan()["keys_scanned"_L1].toInt());
}

void TestTaughtLayouts::aCodeIsGoodOnce()
{
    m_server.lines({"SET shop:code:k7p2 order PX 60000", "SET shop:code:no-ttl order"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("tokens").size(), 1);
    const Receipt used = act("shop:code:k7p2", "token.consume");
    QVERIFY2(used.outcome == Outcome::Succeeded, qPrintable(used.text));
    QCOMPARE(m_server.line("EXISTS shop:code:k7p2").integer, 0);
}

LK_TEST(TestTaughtLayouts);
#include "tst_taughtlayouts.moc"
