// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/action.h"
#include "backend/libraries/families/tokens/tokenactions.h"
#include "backend/redis/permissions/aclrules.h"
#include "tests/server/acting.h"
#include "tests/server/librarysteps.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include "backend/libraries/families/tokens/tokencode.h"
#include "backend/text/errortext.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr auto px = "set-nx-px";
constexpr auto stamp = "setnx-timestamp";
constexpr auto list = "reliable-list";
constexpr auto fixed = "fixed-window";
constexpr auto rolling = "rolling-window";
constexpr auto retry = "rolling-window-retry";
constexpr auto shared = "resource-consumer";
constexpr auto redisson = "redisson-rate-limiter";
constexpr auto word = "string-token";
constexpr auto hash = "hash-token";

const QByteArray jobs = R"(RPUSH jobs r2 r1 | RPUSH jobs:processing c "b\x00\xff\r\n" a)";
const QByteArray both = "LRANGE jobs 0 -1 | LRANGE jobs:processing 0 -1";
const QByteArray marks = "ZADD w {ms-3000} {ms-3000} {ms-2000} {ms-2000} {ms-1000} {ms-1000}";
// Packed as Redisson does it: a length byte, random bytes, the number of permits.
const QByteArray permits = R"(HSET r rate 5 interval 600000 type 0 | SET {r}:value 1 | )"
                           R"(ZADD {r}:permits {ms-3000} "\x080000000\x30\x03\x00\x00\x00" )"
                           R"({ms-2000} "\x081111111\x31\x01\x00\x00\x00")";

const std::vector<Step> ownSteps{
    {"release", px, "lock:a", "SET lock:a w1 PX 600000", "lock.release", "owner=w1",
     "EXISTS lock:a", "0"},
    {"release, immortal and binary", px, "lock:a", R"(SET lock:a "\x00\xff\r\n")", "lock.release",
     R"("owner=\x00\xff\r\n")", "EXISTS lock:a", "0"},
    {"release, of a timestamp", stamp, "lock:t", "SET lock:t {s+60}", "lock.release",
     "owner={s+60}", "EXISTS lock:t", "0"},
    {"release, of a hash", "hash-lock", "lock:h",
     "HSET lock:h owner w1 count 2 | PEXPIRE lock:h 600000", "lock.release", "owner=w1",
     "EXISTS lock:h", "0"},
    {"lease", px, "lock:a", "SET lock:a w1 PX 600000", "lock.ttl", "ttl=30s",
     "TTL lock:a | GET lock:a", "30 w1"},
    {"lease, at last", px, "lock:a", "SET lock:a w1", "lock.ttl", "ttl=30s owner=w1", "TTL lock:a",
     "30"},
    {"clear, in s", stamp, "lock:t", "SET lock:t {s-60}", "lock.clear", "", "EXISTS lock:t", "0"},
    {"clear, in ms", stamp, "lock:t", "SET lock:t {ms-60000}", "lock.clear", "", "EXISTS lock:t",
     "0"},
    {"take over", stamp, "lock:t", "SET lock:t {s-60}", "lock.takeover", "ttl=1h",
     "STRLEN lock:t | TTL lock:t", "10 -1"},
    {"stamped lease", stamp, "lock:t", "SET lock:t {ms+600000}", "lock.ttl", "ttl=1h",
     "STRLEN lock:t", "13"},

    {"requeue one", list, "jobs", jobs, "queue.requeue", "index=1", both,
     R"(r2 r1 a c "b\x00\xff\r\n")"},
    {"requeue one within", list, "jobs", jobs, "queue.requeue", "index=2", both,
     R"(r2 r1 "b\x00\xff\r\n" c a)", 1, false},
    {"requeue all, next", list, "jobs", jobs, "queue.requeue", "all=", both,
     R"(r2 r1 c "b\x00\xff\r\n" a)", 3},
    {"requeue all, back", list, "jobs", jobs, "queue.requeue", "all= to=back", both,
     R"(c "b\x00\xff\r\n" a r2 r1)", 3},
    {"bury", list, "jobs", jobs, "queue.dead-letter", "index=1",
     "LRANGE jobs:dead 0 -1 | LLEN jobs:processing", "a 2"},
    {"unbury", list, "jobs:dead", "RPUSH jobs r1 | RPUSH jobs:dead d2 d1", "queue.retry",
     "all=", "LRANGE jobs 0 -1 | EXISTS jobs:dead", "d2 d1 r1 0", 2},
    {"promote", list, "jobs:delayed", "RPUSH jobs r1 | ZADD jobs:delayed 5 b 3 a", "queue.promote",
     "all=", "LRANGE jobs 0 -1 | EXISTS jobs:delayed", "r1 b a 0", 2},
    {"drop", list, "jobs", jobs, "queue.discard", "index=1", both, R"(r2 r1 c "b\x00\xff\r\n")"},
    {"drop all", list, "jobs", jobs, "queue.discard", "all=", both, "r2 r1", 3},
    {"push", list, "jobs", jobs, "queue.push", R"("payload=n\x00\xff")", "LRANGE jobs 0 -1",
     R"("n\x00\xff" r2 r1)"},
    {"push next", list, "jobs", jobs, "queue.push", "payload=n to=next", "LRANGE jobs 0 -1",
     "r2 r1 n"},
    {"push, the first", list, "jobs", "SET other 1", "queue.push", "payload=n", "LRANGE jobs 0 -1",
     "n"},
    {"rotate", list, "jobs", jobs, "queue.rotate", "", "LRANGE jobs 0 -1", "r1 r2"},

    {"free counts", fixed, "f", "SET f 5 PX 600000", "limiter.free", "permits=2", "GET f", "3", 2},
    {"repair a counter", fixed, "f", "SET f 5", "limiter.repair", "ttl=1m", "TTL f | GET f",
     "60 5"},
    {"repair, as declared", fixed, "f", "SET f 5", "limiter.repair", "", "TTL f", "60"},
    {"clear a counter", fixed, "f", "SET f 5 PX 600000", "limiter.clear", "", "EXISTS f", "0"},
    {"open a gate", "gate", "g", "SET g 5 PX 600000", "limiter.open", "", "EXISTS g", "0"},
    {"repair a gate", "gate", "g", "SET g 5", "limiter.repair", "ttl=1m", "TTL g", "60"},
    {"free marks", rolling, "w", marks, "limiter.free", "permits=2", "ZRANGE w 0 -1", "{ms-1000}",
     2},
    {"clear a window", rolling, "w", marks, "limiter.clear", "", "EXISTS w", "0"},
    {"cap a horizon", retry, "w",
     marks + " | ZADD w:retry {ms+10000} {ms+10000} {ms+90000} {ms+90000}", "limiter.cap",
     "horizon=1m", "ZRANGE w:retry 0 -1", "{ms+10000}"},
    {"clear a horizon", retry, "w",
     marks + " | ZADD w:retry {ms+10000} {ms+10000} {ms+90000} {ms+90000}", "limiter.cap", "",
     "EXISTS w:retry | ZCARD w", "0 3", 2},
    {"free in a window with retry", retry, "w", marks, "limiter.free", "permits=1", "ZCARD w", "2"},
    {"free of a resource", shared, "res", "ZADD res {s-30} 1 {s-20} 2 {s-10} 3", "limiter.free",
     "permits=1", "ZRANGE res 0 -1", "2 3"},
    {"clear a resource", shared, "res", "ZADD res {s-30} 1", "limiter.clear", "", "EXISTS res",
     "0"},
    {"free of Redisson", redisson, "r", permits, "limiter.free", "permits=1",
     "GET {r}:value | ZCARD {r}:permits", "4 1", 3},
    {"repair Redisson", redisson, "r", permits + " | SET {r}:value 5", "limiter.repair", "",
     "GET {r}:value | ZCARD {r}:permits", "1 2"},
    {"rate of Redisson", redisson, "r", permits, "limiter.rate", "limit=9 interval=2m",
     "HMGET r rate interval | EXISTS {r}:value {r}:permits", "9 120000 0"},
    {"clear Redisson", redisson, "r", permits, "limiter.clear", "",
     "EXISTS r {r}:value {r}:permits", "1", 2},

    {"extend", word, "code:1", "SET code:1 p PX 60000", "token.extend", "ttl=1h", "TTL code:1",
     "3600"},
    {"consume a string", word, "code:1", "SET code:1 p PX 60000", "token.consume", "",
     "EXISTS code:1", "0"},
    {"consume a hash", hash, "code:1", "HSET code:1 used_by 0 u 7 | PEXPIRE code:1 60000",
     "token.consume", "", "HGETALL code:1", "used_by 1 u 7"},
    {"revoke a string", word, "code:1", "SET code:1 p PX 60000", "token.revoke", "",
     "EXISTS code:1", "0"},
    {"revoke a hash", hash, "code:1", "HSET code:1 used_by 0 u 7", "token.revoke", "",
     "EXISTS code:1", "0"},
    {"sweep", hash, "code:1", "HSET code:1 used_by 3", "token.cleanup", "", "EXISTS code:1", "0"},

    {"ttl", list, "jobs", jobs, "key.ttl", "ttl=10m key=processing",
     "TTL jobs:processing | TTL jobs", "600 -1"},
    {"no ttl", px, "lock:a", "SET lock:a w1 PX 600000", "key.ttl", "none=", "TTL lock:a", "-1"},
    {"delete", list, "jobs", jobs, "key.delete", "", "EXISTS jobs jobs:processing", "1"},
    {"delete another", list, "jobs", jobs, "key.delete", "key=processing", "EXISTS jobs:processing",
     "0"},
};

const std::vector<Step>& allSteps()
{
    static const std::vector<Step> all = [] {
        std::vector<Step> steps = ownSteps;
        for (const std::vector<Step>& more : {libraryLockSteps(), libraryQueueSteps()})
            steps.insert(steps.end(), more.begin(), more.end());
        return steps;
    }();
    return all;
}

void addWords(const Reply& reply, std::vector<QByteArray>& words)
{
    for (const Reply& item : reply.items)
        addWords(item, words);
    if (reply.isInteger())
        words.push_back(QByteArray::number(reply.integer));
    else if (!reply.isArray())
        words.push_back(reply.text);
}

} // namespace

/// Every step on a real server: planned without a trace, taken, written down, taken back.
class TestActionRunner : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { m_server.flush(); }

    void takesAndTakesBack_data();
    void takesAndTakesBack();
    void leavesAloneWhatOthersTouched_data() { takesAndTakesBack_data(); }
    void leavesAloneWhatOthersTouched();
    void olderThan();
    void takeOverHoldsTheMoment();
    void issuesTokens_data();
    void issuesTokens();
    void answersWithoutRunning();
    void everyActionIsTried();

private:
    PrimitivePtr prepare(const Step& step);
    PrimitivePtr found(const Step& step);
    std::vector<QByteArray> replies(const QByteArray& effect);
    Values valuesOf(const Step& step);

    RedisServer m_server;
    ServerUrl m_acting; ///< with a user who has exactly the permissions of `lockkeeper acl --act`
    std::optional<Timed> m_timed;
};

void TestActionRunner::initTestCase()
{
    QVERIFY2(m_server.start(), m_server.output());
    for (const QByteArray& line : aclLines(AclPurpose::Acting))
        m_server.line(line); // one is for later versions
    m_acting = m_server.url();
    m_acting.user = u"lockkeeper"_s;
    m_acting.password = u"PASSWORD"_s;
}

PrimitivePtr TestActionRunner::prepare(const Step& step)
{
    m_server.flush();
    m_timed.emplace(m_server);
    for (const QString& line : QString::fromUtf8((*m_timed)(step.setup)).split(u" | "_s)) {
        if (m_server.line(line.toUtf8()).isError())
            qFatal("cannot be set up: %s", qUtf8Printable(line));
    }
    if (step.found)
        return found(step);
    Declaration declaration;
    declaration.limit = 5;
    declaration.windowMs = 60'000;
    if (step.layout == QByteArray(retry))
        declaration.companions = {{"retry", "{name}:retry"}};
    if (step.primitive == QByteArray("jobs:dead") || step.primitive == QByteArray("jobs:delayed")) {
        declaration.companions = {{"dead", "{name}:dead"}, {"delayed", "{name}:delayed"}};
        return declaredPrimitive(step.layout, "jobs", declaration);
    }
    if (step.action == QByteArray("queue.dead-letter")) // no dead list was detected
        declaration.companions = {{"dead", "{name}:dead"}};
    return declaredPrimitive(step.layout, step.primitive, declaration);
}

// By its name and its layout, as the console finds it.
PrimitivePtr TestActionRunner::found(const Step& step)
{
    const TakenSnapshot taken = takeSnapshot(m_server.url(), configOf(libraryConfig));
    for (const StatePtr& state :
         taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>()) {
        if (state->primitive->name() == step.primitive &&
            state->primitive->id.layout == step.layout)
            return state->primitive;
    }
    qWarning("not found: %s %s in %s", step.layout, step.primitive, taken.text.constData());
    return nullptr;
}

std::vector<QByteArray> TestActionRunner::replies(const QByteArray& effect)
{
    std::vector<QByteArray> words;
    for (const QString& line : QString::fromUtf8(effect).split(u" | "_s))
        addWords(m_server.line(line.toUtf8()), words);
    return words;
}

Values TestActionRunner::valuesOf(const Step& step)
{
    Values values;
    if (step.values.isEmpty())
        return values;
    const Command words = parseCommand((*m_timed)(step.values));
    for (const QByteArray& w : words.args())
        values[w.left(w.indexOf('='))] = w.mid(w.indexOf('=') + 1);
    return values;
}

void TestActionRunner::takesAndTakesBack_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < int(allSteps().size()); ++i) {
        const Step& step = allSteps()[size_t(i)];
        if (step.found)
            QTest::addRow("%s %s", step.layout, step.action) << i;
        else
            QTest::newRow(step.name) << i;
    }
}

void TestActionRunner::takesAndTakesBack()
{
    QFETCH(int, index);
    const Step& step = allSteps()[size_t(index)];
    const PrimitivePtr primitive = prepare(step);
    QVERIFY(primitive);
    const Everything before = everything(m_server);
    m_server.line("ACL LOG RESET");
    Actor actor(m_acting);
    QVERIFY(actor.open());
    const Result<Plan> plan = actor.plan(primitive, step.action, valuesOf(step));
    QVERIFY2(plan, plan ? "" : qPrintable(errorText(plan.error())));
    QVERIFY(!plan->question.isEmpty() && !plan->consequence.isEmpty() && !plan->guard.isEmpty() &&
            !plan->commands.isEmpty() && !plan->expected.isEmpty());
    QVERIFY(everything(m_server) == before);

    const Receipt receipt = actor.run(*plan);
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(receipt.count, step.count);
    QCOMPARE(replies(step.effect), parseCommand((*m_timed)(step.seen)).args());
    QCOMPARE(receipt.changes.size(), plan->keys.size());
    QVERIFY2(receipt.undoable == step.undoable, qPrintable(receipt.undoNote));
    QVERIFY(qAbs(receipt.serverMs - receipt.localMs) < 10'000);
    const auto entry = actor.entry(receipt.id);
    QVERIFY(entry);
    QCOMPARE(entry->outcome, Outcome::Succeeded);
    QCOMPARE(entry->action, QByteArray(step.action));
    QCOMPARE(entry->reason, u"a test"_s);
    QCOMPARE(entry->keys.size(), qsizetype(plan->keys.size()));
    QCOMPARE(entry->before.size(), entry->keys.size());
    QCOMPARE(entry->count, step.count);
    QCOMPARE(entry->undoable, step.undoable);
    QVERIFY(m_server.line("ACL LOG").items.empty());
    if (!step.undoable)
        return;

    const Receipt undone = actor.undo(receipt.id);
    QVERIFY2(undone.outcome == Outcome::Succeeded, qPrintable(undone.text));
    QCOMPARE(actor.entry(undone.id)->undoes, receipt.id);
    const Everything after = everything(m_server);
    if (step.sameOrder)
        QVERIFY(after == before);
    QCOMPARE(after.size(), before.size());
    QCOMPARE(actor.undo(receipt.id).outcome, Outcome::Refused);
    QVERIFY(everything(m_server) == after);
    QVERIFY(m_server.line("ACL LOG").items.empty());
}

// Whatever a key is given meanwhile is somebody's: an undo that was planned before leaves it alone.
void TestActionRunner::leavesAloneWhatOthersTouched()
{
    QFETCH(int, index);
    const Step& step = allSteps()[size_t(index)];
    const PrimitivePtr primitive = prepare(step);
    QVERIFY(primitive);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Receipt receipt = actor.act(primitive, step.action, valuesOf(step));
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    const Result<Plan> undo = actor.undoPlan(receipt.id);
    QCOMPARE(undo.has_value(), step.undoable);
    if (!step.undoable)
        return;
    for (const KeyChange& change : receipt.changes)
        m_server.run({"SET", change.key, "somebody else's", "PX", "600000"});
    const Everything touched = everything(m_server);
    const Receipt undone = actor.run(*undo);
    QVERIFY2(undone.outcome == Outcome::Conflict || undone.outcome == Outcome::Refused,
             qPrintable(undone.text));
    QVERIFY(everything(m_server) == touched);
}

// Age counts from when the console first saw an item, on the server's clock.
void TestActionRunner::olderThan()
{
    const PrimitivePtr queue = prepare({"", list, "jobs", jobs});
    const qint64 now = m_timed->operator()("{ms+0}").toLongLong();
    FirstSeen firstSeen;
    firstSeen.restore(
        {{"jobs", fingerprintOf("a"), now - 60'000}, {"jobs", fingerprintOf("c"), now - 10'000}});
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(queue, "queue.requeue", {{"older-than", "30s"}}, &firstSeen);
    QVERIFY2(plan, plan ? "" : qPrintable(errorText(plan.error())));
    QCOMPARE(plan->items, std::vector<QByteArray>{"a"});
    const auto none = actor.plan(queue, "queue.requeue", {{"older-than", "5m"}}, &firstSeen);
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::NotPossible);
    // Without first-seen records nothing is old, and nothing is taken for it.
    const auto unknown = actor.plan(queue, "queue.requeue", {{"older-than", "1ms"}});
    QVERIFY(!unknown);
    QCOMPARE(actor.run(*plan).count, 1);
    QCOMPARE(replies("LRANGE jobs 0 -1"), (std::vector<QByteArray>{"r2", "r1", "a"}));
    QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
}

void TestActionRunner::takeOverHoldsTheMoment()
{
    for (const auto& [value, unit] : {std::pair{"{s-60}", 1000}, {"{ms-60000}", 1}}) {
        const QByteArray setup = QByteArray("SET lock:t ") + value;
        const PrimitivePtr lock = prepare({"", stamp, "lock:t", setup});
        const qint64 now = (*m_timed)("{ms+0}").toLongLong();
        Actor actor(m_server.url());
        QVERIFY(actor.open());
        QCOMPARE(actor.act(lock, "lock.takeover", {{"ttl", "1h"}}).outcome, Outcome::Succeeded);
        const qint64 end = m_server.line("GET lock:t").text.toLongLong() * unit;
        QVERIFY2(qAbs(end - now - 3'600'000) < 20'000, QByteArray::number(end - now).constData());
        // It is held now, so a second takeover is refused.
        QVERIFY(!actor.plan(lock, "lock.takeover", {{"ttl", "1h"}}));
        QVERIFY(!actor.plan(lock, "lock.clear"));
    }
}

void TestActionRunner::issuesTokens_data()
{
    QTest::addColumn<bool>("counts");
    QTest::newRow("string") << false;
    QTest::newRow("hash") << true;
}

void TestActionRunner::issuesTokens()
{
    QFETCH(bool, counts);
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    Values values{{"prefix", "code:"}, {"ttl", "1h"}, {"payload", QByteArray("PAY\0\xff", 5)}};
    if (counts)
        values["hash"] = {};
    const Result<Plan> plan = actor.plan(nullptr, actions::issueToken(), values);
    QVERIFY(plan);
    QCOMPARE(m_server.line("DBSIZE").integer, 0);
    const Receipt receipt = actor.run(*plan);
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QCOMPARE(receipt.revealed.size(), codeLength);
    const QByteArray key = "code:" + receipt.revealed;
    QCOMPARE(m_server.run(counts ? Command{"HGET", key, "payload"} : Command{"GET", key}).text,
             values["payload"]);
    QCOMPARE(m_server.run({"TTL", key}).integer, 3600);
    // Once is once: the same plan again meets the code that is there.
    const Receipt again = actor.run(*plan);
    QCOMPARE(again.outcome, Outcome::Refused);
    QVERIFY(again.revealed.isEmpty());

    const PrimitivePtr token = declaredPrimitive(counts ? hash : word, key);
    QVERIFY(actor.plan(token, "token.validate")->answer->yes);
    const Result<Plan> longer = actor.plan(token, "token.extend", {{"ttl", "2h"}});
    QVERIFY(longer.has_value());
    const Receipt extended = actor.run(*longer);
    QCOMPARE(extended.outcome, Outcome::Succeeded);
    QVERIFY(!actor.journalBytes().contains(receipt.revealed));
    QCOMPARE(actor.entry(extended.id)->name, actor.entry(receipt.id)->name);
    QCOMPARE(actor.undo(extended.id).outcome, Outcome::Succeeded);
    // As long as it is valid, only the user to whom it was shown has the code, even if the undo is
    // refused.
    m_server.run({"PEXPIRE", key, "60000"});
    QVERIFY(actor.undo(receipt.id).outcome != Outcome::Succeeded);
    m_server.run({"PEXPIREAT", key, QByteArray::number(receipt.changes[0].expiryAfterMs)});
    QCOMPARE(actor.undo(receipt.id).outcome, Outcome::Succeeded);
    QCOMPARE(m_server.line("DBSIZE").integer, 0);
    QVERIFY(!actor.plan(token, "token.validate")->answer->yes);
    QVERIFY(!actor.journal().empty());
    QVERIFY(!actor.journalBytes().contains(receipt.revealed));
    QVERIFY(!actor.journalBytes().contains("PAY"));
}

void TestActionRunner::answersWithoutRunning()
{
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const auto answer = [&](const Step& step) {
        const Result<Plan> plan = actor.plan(prepare(step), step.action);
        return plan && plan->answer ? std::optional(plan->answer->yes) : std::nullopt;
    };
    const auto limiter = [&](const char* layout, const char* name, const QByteArray& setup) {
        return answer({"", layout, name, setup, "limiter.check"});
    };
    QCOMPARE(limiter(fixed, "f", "SET f 4 PX 60000"), true);
    QCOMPARE(limiter(fixed, "f", "SET f 5 PX 60000"), false);
    QCOMPARE(limiter(fixed, "f", "SET other 1"), true);
    QCOMPARE(limiter(retry, "w", marks), true);
    QCOMPARE(limiter(shared, "res", "ZADD res {s-30} 1 {s-20} 2 {s-10} 3"), true);
    QCOMPARE(limiter("gate", "g", "SET g 1 PX 60000"), false);
    QCOMPARE(limiter(rolling, "w", marks), true);
    QCOMPARE(limiter(rolling, "w", marks + " {ms-500} x {ms-400} y"), false);
    QCOMPARE(limiter(redisson, "r", permits), true);
    QCOMPARE(limiter(redisson, "r", permits + " | HSET r rate 4 | SET {r}:value 0"), false);
    // The log has room, but the stored number lets no request through; and the reverse.
    QCOMPARE(limiter(redisson, "r", permits + " | HSET r rate 9 | SET {r}:value 0"), false);
    QCOMPARE(limiter(redisson, "r", permits + " | HSET r rate 4 | SET {r}:value 1"), true);
    QCOMPARE(answer({"", word, "code:1", "SET code:1 p PX 60000", "token.validate"}), true);
    QCOMPARE(answer({"", hash, "code:1", "HSET code:1 used_by 1 u 7", "token.validate"}), false);
    QCOMPARE(answer({"", word, "code:1", "SET other 1", "token.validate"}), false);
    QVERIFY(actor.journal().empty()); // asking is no step
}

// A new action of a layout that no row tries is a hole in this test; issuesTokens() and
// answersWithoutRunning() try these three.
void TestActionRunner::everyActionIsTried()
{
    const QByteArrayList others{"token.issue", "token.validate", "limiter.check"};
    QStringList missing;
    for (const Layout* layout : allLayouts()) {
        for (const Action* action : actionsFor(*layout)) {
            const bool tried =
                std::any_of(allSteps().begin(), allSteps().end(), [&](const Step& s) {
                    const Action* own = findAction(*findLayout(s.layout), s.action);
                    return own == action;
                });
            if (!tried && !others.contains(action->id()))
                missing << QString::fromLatin1(layout->id() + ' ' + action->id());
        }
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u", "_s)));
}

LK_TEST(TestActionRunner);
#include "tst_actionrunner.moc"
