// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/clients/keycopies.h"
#include "tests/clients/librarysnapshot.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

/// A library and the state that its scenario makes.
struct Scenario
{
    const char* script;
    QStringList arguments;
    QByteArray target;      ///< a queue's name, a lock's key
    QByteArray before = {}; ///< asked first, "a; b": a worker dies
    bool joins = false;     ///< who made it dies, and another process of it does the rest
};

PrimitivePtr targetOf(RedisServer& server, const QByteArray& name)
{
    const LibrarySnapshot all(server);
    for (const StatePtr& state :
         all.taken.snapshot ? all.taken.snapshot->states : std::vector<StatePtr>()) {
        const PrimitivePtr& primitive = state->primitive;
        if (primitive->name() == name || primitive->keys.front().key == name)
            return primitive;
    }
    return nullptr;
}

/// A library's own call and the action that corresponds to it.
struct Call
{
    QByteArray own;
    QByteArray target; ///< a primitive's name or key
    QByteArray action;
    Values values = {};
    QString but = {};       ///< a difference that is meant
    bool refused = false;   ///< by both: nothing changes
    QByteArray before = {}; ///< asked first
};
using Calls = std::vector<Call>;

/// The text with the library's reports in place of "?" (its "id") and "?key".
QByteArray filledIn(const QByteArray& text, const QJsonObject& told)
{
    if (!text.startsWith('?'))
        return text;
    const QByteArray member = text.size() == 1 ? QByteArray("id") : text.mid(1);
    return told[QLatin1String(member)].toString().toUtf8();
}

/// Runs the action on the copy and compares its keys with those that the library's own call has
/// left. Returns the differences but those that are meant.
QStringList differencesAfter(RedisServer& copy, const KeyContents& expected, const Call& call,
                             const QJsonObject& told)
{
    const KeyContents before = contentsOf(copy);
    Actor actor(copy.url());
    const QByteArray name = filledIn(call.target, told);
    const PrimitivePtr target = targetOf(copy, name);
    if (!target || !actor.open())
        return {QString::fromUtf8(name + " is not detected")};
    Values values = call.values;
    for (auto& [parameter, value] : values)
        value = filledIn(value, told);
    const Receipt receipt = actor.act(target, call.action, values);
    if ((receipt.outcome == Outcome::Succeeded) == call.refused)
        return {QString::fromUtf8(call.action + ": ") + receipt.text};
    QStringList differences =
        differencesOf(withoutNewIds(contentsOf(copy), before), withoutNewIds(expected, before));
    if (!call.but.isEmpty())
        differences.removeIf([&](const QString& line) { return line.contains(call.but); });
    return differences;
}

} // namespace

/// An action and the library's own call on two copies of the same keys leave the same: every key,
/// value, order and TTL.
class TestDifferences : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY2(m_server.start(), m_server.output());
        QVERIFY2(m_copy.start(), m_copy.output());
    }
    void sameKeys_data();
    void sameKeys();
    void sameKeysInTurn_data();
    void sameKeysInTurn();

private:
    RedisServer m_server;
    RedisServer m_copy;
    // Rows of one scenario have it made once, and restored for each.
    QString m_made;
    std::unique_ptr<ClientProcess> m_client;
    std::vector<KeptKey> m_kept;
};

void TestDifferences::sameKeys_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<bool>("joins");
    QTest::addColumn<QByteArray>("own");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<Values>("values");
    QTest::addColumn<QString>("but"); // a difference that is meant
    const auto row = [](const Scenario& s, const char* own, const char* action,
                        const Values& values = {}, const char* but = "") {
        QTest::addRow("%s %s %s: %s", s.script, qPrintable(s.arguments.value(1)),
                      s.before.constData(), own)
            << QString::fromLatin1(s.script) << s.arguments << s.target << s.before << s.joins
            << QByteArray(own) << QByteArray(action) << values << QString::fromLatin1(but);
    };
    for (const char* library : {"bullmq4", "bullmq5", "bullmq6"}) {
        const Scenario mq{
            "js/bullmq.js", {u"bull"_s, QLatin1String(library), u"email"_s}, "email", {}, true};
        row(mq, "retry 3", "queue.retry", {{"job", "3"}});
        row(mq, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
        row(mq, "promote 11", "queue.promote", {{"job", "11"}});
        row(mq, "pause", "queue.pause");
        row({mq.script, mq.arguments, mq.target, "pause", true}, "resume", "queue.resume");
        row(mq, "clean failed", "queue.discard-old", {{"older-than", "1ms"}, {"state", "failed"}});
        row(mq, "clean completed", "queue.discard-old", {{"older-than", "1ms"}});
        row(mq, "add", "queue.push", {{"name", "mail"}, {"payload", R"({"to":"h"})"}});
        row(mq, "stalled", "queue.requeue", {{"all", "1"}});
    }
    for (const char* library : {"bull3", "bull4"}) {
        const Scenario bull{
            "js/bull.js", {u"bull"_s, QLatin1String(library), u"email"_s}, "email", {}, true};
        row(bull, "retry 3", "queue.retry", {{"job", "3"}});
        row(bull, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
        row(bull, "promote 9", "queue.promote", {{"job", "9"}});
        row(bull, "pause", "queue.pause");
        row({bull.script, bull.arguments, bull.target, "pause", true}, "resume", "queue.resume");
        row(bull, "clean failed", "queue.discard-old",
            {{"older-than", "1ms"}, {"state", "failed"}});
        row(bull, "clean completed", "queue.discard-old", {{"older-than", "1ms"}});
        row(bull, "add", "queue.push", {{"name", "mail"}, {"payload", R"({"to":"h"})"}});
        row(bull, "stalled", "queue.requeue", {{"all", "1"}});
    }
    const Scenario bee{"js/beequeue.js", {u"bq"_s, u"email"_s}, "email", {}, true};
    row(bee, "retry 3", "queue.retry", {{"job", "3"}});
    row(bee, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
    row(bee, "remove 7", "queue.discard", {{"job", "7"}, {"state", "waiting"}});
    row(bee, "remove 9", "queue.discard", {{"job", "9"}, {"state", "delayed"}});
    row({bee.script, bee.arguments, bee.target, "due 9", true}, "raise", "queue.promote",
        {{"job", "9"}});
    row({bee.script, bee.arguments, bee.target, "mark", true}, "stalled", "queue.requeue",
        {{"all", "1"}}, ":stallBlock");
    const Scenario group{"js/groupmq.js", {u"orders"_s}, "orders", {}, true};
    // Its own retry() of a failed job does nothing: the plan of ours says so.
    row(group, "remove failed", "queue.discard", {{"job", "?"}, {"state", "failed"}});
    row(group, "promote", "queue.promote", {{"job", "?"}});
    row({group.script, group.arguments, group.target, "expire", true}, "stalled", "queue.requeue",
        {{"all", "1"}});
    row(group, "pause", "queue.pause");
    row({group.script, group.arguments, group.target, "pause", true}, "resume", "queue.resume");
    const Scenario kue{"js/kue.js", {u"q"_s, u"email"_s}, "email", {}, true};
    row(kue, "retry 3", "queue.retry", {{"job", "3"}});
    row(kue, "retry 9", "queue.promote", {{"job", "9"}});
    row(kue, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
    const Scenario rsmq{"js/rsmq.js", {u"rsmq"_s, u"email"_s}, "email", {}, true};
    row(rsmq, "promote", "queue.promote", {{"job", "?"}, {"state", "delayed"}});
    row(rsmq, "remove", "queue.discard", {{"job", "?"}, {"state", "visible"}});
    const Scenario resque{"js/resque.js", {u"resque"_s, u"email"_s}, "email", {}, true};
    row(resque, "retry", "queue.retry", {{"error", "Error: no such file"}});
    row(resque, "remove_failed", "queue.discard", {{"all", "1"}, {"state", "failed"}});
    // It leaves a second without jobs in the schedule, which its scheduler takes
    // out when it is due.
    row(resque, "remove_delayed", "queue.discard", {{"all", "1"}, {"state", "delayed"}},
        ":delayed_queue_schedule");
    row(resque, "remove_waiting", "queue.discard", {{"all", "1"}, {"state", "waiting"}});
    row({resque.script, resque.arguments, resque.target, "soon", true}, "poll", "queue.promote",
        {{"all", "1"}});
    // It leaves the key of the job that the worker had, by which that worker seems busy for good.
    row({resque.script, resque.arguments, resque.target, "silence", true}, "revive",
        "queue.requeue", {{"all", "1"}}, ":worker:host-1:4242:email: is missing");
    const Scenario rq{"python/rq_queue.py", {QString()}, "default", "die"};
    // RQ leaves a retried job the TTL of a failed one, by which it may end while
    // it waits.
    row(rq, "retry", "queue.retry", {{"job", "?"}}, ": TTL -1, not 31");
    row(rq, "remove failed", "queue.discard", {{"job", "?"}, {"state", "failed"}});
    row(rq, "remove finished", "queue.discard", {{"job", "?"}, {"state", "finished"}});
    row(rq, "remove scheduled", "queue.discard", {{"job", "?"}, {"state", "scheduled"}});
    row(rq, "remove canceled", "queue.discard", {{"job", "?"}, {"state", "canceled"}});
    const Scenario chain{rq.script, rq.arguments, rq.target, "die; chain"};
    row(chain, "retry", "queue.retry", {{"job", "?"}}, ": TTL -1, not 31");
    row(chain, "remove failed", "queue.discard", {{"job", "?"}, {"state", "failed"}});
    row(chain, "remove scheduled", "queue.discard", {{"job", "?"}, {"state", "scheduled"}});
    row(chain, "promote", "queue.promote", {{"job", "?"}});
    row(rq, "remove_waiting", "queue.discard", {{"job", "?"}, {"state", "queued"}});
    row(rq, "promote", "queue.promote", {{"job", "?"}});
    // Ours writes no empty fields, the arguments of the description in JSON, and pickle's protocol
    // 2, which each version of Python reads.
    row(rq, "add", "queue.push", {{"name", "rq_queue.greet"}, {"payload", R"(["Kurt"])"}},
        "rq:job:new-id: ");
    row(rq, "suspend", "queue.pause");
    row({rq.script, rq.arguments, rq.target, "suspend"}, "resume", "queue.resume");
    row({rq.script, rq.arguments, rq.target, "abandon"}, "cleanup", "queue.dead-letter",
        {{"job", "?"}});
    const Scenario sidekiq{"ruby/sidekiq.rb", {QString()}, "default", "die"};
    row(sidekiq, "retry", "queue.retry", {{"job", "?"}, {"state", "retries"}});
    row(sidekiq, "retry_dead", "queue.retry", {{"job", "?"}, {"state", "dead"}});
    row(sidekiq, "kill_retry", "queue.dead-letter", {{"job", "?"}, {"state", "retries"}});
    row(sidekiq, "remove_retry", "queue.discard", {{"job", "?"}, {"state", "retries"}});
    row(sidekiq, "remove_dead", "queue.discard", {{"job", "?"}, {"state", "dead"}});
    row(sidekiq, "promote", "queue.promote", {{"job", "?"}});
    row(sidekiq, "remove_waiting", "queue.discard", {{"job", "?"}, {"state", "enqueued"}});
    row(sidekiq, "remove_scheduled", "queue.discard", {{"job", "?"}, {"state", "scheduled"}});
    row(sidekiq, "add", "queue.push", {{"name", "GreetJob"}, {"payload", R"(["Kurt"])"}});
    row({sidekiq.script, {QString(), u"reliable"_s}, sidekiq.target, "die; forget"}, "clean",
        "queue.requeue", {{"all", "1"}});
    const Scenario celery{"python/celery_queue.py", {QString()}, "celery", "die"};
    row(celery, "restore", "queue.requeue", {{"all", "1"}});
    row(celery, "reject", "queue.discard", {{"job", "?"}});
    // It has another origin, nobody who waits for an answer, and the arguments' text in JSON.
    row(celery, "add", "queue.push", {{"name", "celery_queue.greet"}, {"payload", R"(["Kurt"])"}},
        R"("origin":"lockkeeper")");
    const Scenario laravel{"php/laravel_queue.php", {QString()}, "default", "die; age 100"};
    row(laravel, "migrate reserved", "queue.requeue", {{"all", "1"}});
    row(laravel, "add", "queue.push", {{"name", "GreetJob"}, {"payload", R"({"name":"Kurt"})"}});
    row({laravel.script, laravel.arguments, laravel.target, "die; due"}, "migrate delayed",
        "queue.promote", {{"all", "1"}});
}

void TestDifferences::sameKeys()
{
    QFETCH(const QString, script);
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArray, before);
    QFETCH(const bool, joins);
    QFETCH(const QByteArray, own);
    QFETCH(const QByteArray, action);
    QFETCH(const Values, values);
    QFETCH(const QString, but);
    LK_NEEDS_CLIENTS_OF(script.section(u'/', 0, 0));
    const QString scenario = script + u' ' + arguments.join(u' ');
    if (m_made != scenario) {
        m_client = std::make_unique<ClientProcess>(m_server);
        m_server.flush();
        QVERIFY2(!m_client->start(script, arguments).isEmpty(), m_client->output());
        if (joins)
            m_client->die();
        if (joins)
            QVERIFY2(!m_client->start(script, QStringList(arguments) << u"join"_s).isEmpty(),
                     m_client->output());
        m_kept = keptKeys(m_server);
    }
    m_made.clear(); // until it has answered
    restoreKeys(m_server, m_kept);
    for (const QByteArray& command : before.split(';')) {
        if (!command.isEmpty())
            QVERIFY2(!m_client->ask(command.trimmed()).contains("error"_L1), m_client->output());
    }
    restoreKeys(m_copy, keptKeys(m_server));
    const QJsonObject told = m_client->ask(own);
    QVERIFY2(!told.contains("error"_L1), m_client->output());
    m_made = scenario;
    const KeyContents expected = contentsOf(m_server);
    const QStringList differences =
        differencesAfter(m_copy, expected, {own, name, action, values, but}, told);
    QVERIFY2(differences.isEmpty(), qPrintable(differences.join(u'\n')));
}

// One process of a library does all calls of a row, each on what the one before
// has left.
void TestDifferences::sameKeysInTurn_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<Calls>("calls");
    const auto row = [](const char* script, const QStringList& arguments, const Calls& calls) {
        QTest::addRow("%s %s", script, qPrintable(arguments.join(u' ')))
            << QString::fromLatin1(script) << arguments << calls;
    };
    const Values owner{{"owner", "?"}};
    const auto release = [&](const char* own, const QByteArray& key, const char* but = "") {
        return Call{own, key, "lock.release", owner, QString::fromLatin1(but)};
    };
    // One who does not hold it.
    const auto refuse = [](const char* own, const QByteArray& key) {
        return Call{own, key, "lock.release", {{"owner", "another"}}, {}, true};
    };
    const auto extend = [](const char* own, const char* key, const char* ttl,
                           const char* but = "") {
        return Call{own, key, "lock.ttl", {{"owner", "?"}, {"ttl", ttl}}, QString::fromLatin1(but)};
    };
    const auto clear = [](const char* own, const QByteArray& key, const char* but = "") {
        return Call{own, key, "limiter.clear", {}, QString::fromLatin1(but)};
    };

    row("js/locks.js", {u"lock:"_s, u"redlock4"_s},
        {refuse("foreign", "lock:invoice"), extend("extend 3600000", "lock:invoice", "1h"),
         release("release", "lock:invoice")});
    // A lock over two resources is two keys, each of which is shown and released by itself.
    row("js/locks.js", {u"lock:"_s, u"redlock5"_s},
        {refuse("foreign", "lock:invoice"),
         extend("extend 3600000", "lock:invoice", "1h", "lock:invoice:lines: TTL"),
         release("release", "lock:invoice", "lock:invoice:lines: is left")});
    row("js/locks.js", {u"lock:"_s, u"simple-redis-mutex"_s},
        {release("release", "@simple-redis-mutex:lock-lock:invoice")});
    row("js/locks.js", {u"lock:"_s, u"mutex"_s},
        {refuse("foreign", "mutex:lock:invoice"), release("release", "mutex:lock:invoice")});
    for (const char* library : {"semaphore", "multisemaphore"}) {
        const bool several = library[0] == 's'; // two holders, or one with two permits
        Calls calls{refuse("foreign", "semaphore:lock:invoice"),
                    release("release", "semaphore:lock:invoice")};
        if (several)
            calls.push_back(calls.back());
        row("js/locks.js", {u"lock:"_s, QLatin1String(library)}, calls);
    }
    row("python/redis_lock.py", {u"lock:"_s},
        {refuse("foreign", "lock:invoice:42"), extend("extend 3600", "lock:invoice:42", "1h"),
         extend("renew", "lock:invoice:42", "10m"), release("release", "lock:invoice:42"),
         release("release_endless", "lock:nightly-report")});
    for (const QString& prefix : {QString(), u"acme:"_s}) {
        const QByteArray stem = prefix.isEmpty() ? "laravel_database_" : prefix.toUtf8();
        const QByteArray cache = stem + "laravel_cache:";
        row("php/laravel_cache.php", {prefix},
            {refuse("foreign invoice:42", cache + "invoice:42"),
             release("release invoice:42", cache + "invoice:42"),
             release("force nightly-report", cache + "nightly-report"),
             clear("clear", cache + "login:ada|192.0.2.1"),
             clear("clear_throttle", stem + "reports")});
    }
    // A funnel is detected under Laravel's own prefix.
    row("php/laravel_cache.php", {u"laravel_database_"_s},
        {release("leave", "laravel_database_imports")});
    row("php/symfony.php", {u"acme:"_s},
        {refuse("foreign reader0", "acme:catalogue"), release("release reader1", "acme:catalogue"),
         release("release reader0", "acme:catalogue"),
         release("release exclusive", "acme:invoice:42"),
         release("release permit1", "{acme:imports}:time"),
         release("release permit0", "{acme:imports}:time"), clear("reset fixed_window", "?key"),
         clear("reset sliding_window", "?key"), clear("reset token_bucket", "?key")});

    for (const char* library : {"upstash-fixed", "upstash-sliding", "upstash-bucket"}) {
        for (const QString& prefix : {u"@upstash/ratelimit"_s, u"acme:sh0p"_s})
            row("js/limiters.js", {prefix, QLatin1String(library)},
                {clear("call reset bob", "?key"), clear("call reset alice", "?key")});
    }
    row("js/limiters.js", {u"{acme-7}x"_s, u"rolling-rate-limiter"_s},
        {clear("call clear bob", "?key")});
    row("js/limiters.js", {u"rl:"_s, u"rate-limit-redis"_s},
        {clear("call resetKey bob", "?key"),
         {"call decrement alice", "?key", "limiter.free", {{"permits", "1"}}}});
    Call endless = clear("call delete alice", "?key");
    endless.before = "call block alice 0";
    row("js/limiters.js", {u"rlflx"_s, u"rate-limiter-flexible"_s},
        {clear("call delete bob", "?key"),
         {"call reward alice 2", "?key", "limiter.free", {{"permits", "2"}}},
         endless});
    row("js/limiters.js", {u"rlflx"_s, u"rate-limiter-flexible"_s, u"block"_s},
        {clear("call delete bob", "?key")});
    for (const QString& prefix : {QString(), u"acme:"_s}) {
        row("python/limits_client.py", {prefix},
            {clear("clear fixed", "?key"), clear("clear elastic", "?key"),
             clear("clear moving", "?key")});
        const QByteArray page = "LIMITER/" + (prefix.isEmpty() ? "" : prefix.toUtf8() + '/');
        row("python/flask_limits.py", {prefix},
            {clear("clear 192.0.2.1", page + "192.0.2.1/login/3/1/minute")});
        row("ruby/rack_attack.rb", {prefix},
            {clear("reset", prefix.toUtf8() + "rack::attack:logins/ip:192.0.2.1"),
             // The count that led to the ban is a limiter of its own: its name has a number that
             // follows from findtime, which only the application knows.
             clear("unban", prefix.toUtf8() + "rack::attack:fail2ban:ban:scan-192.0.2.3",
                   ":fail2ban:count:scan-192.0.2.3: is left")});
        row("php/messenger.php", {prefix},
            {{"reject", "?queue", "queue.discard", {{"job", "?"}}},
             {"send", "?queue", "queue.push", {{"payload", "?payload"}}}});
    }
}

void TestDifferences::sameKeysInTurn()
{
    QFETCH(const QString, script);
    QFETCH(const QStringList, arguments);
    QFETCH(const Calls, calls);
    LK_NEEDS_CLIENTS_OF(script.section(u'/', 0, 0));
    m_made.clear();
    m_client.reset();
    m_server.flush();
    ClientProcess client(m_server);
    QVERIFY2(!client.start(script, arguments).isEmpty(), client.output());
    for (const Call& call : calls) {
        if (!call.before.isEmpty())
            client.ask(call.before);
        restoreKeys(m_copy, keptKeys(m_server));
        const KeyContents before = contentsOf(m_server);
        const QJsonObject told = client.ask(call.own);
        QVERIFY2(!told.contains("error"_L1), client.output());
        const KeyContents expected = contentsOf(m_server);
        QVERIFY2(differencesOf(expected, before).isEmpty() == call.refused, call.own.constData());
        const QStringList differences = differencesAfter(m_copy, expected, call, told);
        QVERIFY2(differences.isEmpty(),
                 qPrintable(QString::fromUtf8(call.own) + u'\n' + differences.join(u'\n')));
    }
}

LK_TEST(TestDifferences);
#include "tst_differences.moc"
