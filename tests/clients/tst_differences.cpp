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
    void init() { m_server.flush(); }
    void sameKeys_data();
    void sameKeys();

private:
    RedisServer m_server;
    RedisServer m_copy;
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
        // It notes besides that it has looked.
        row(mq, "stalled", "queue.requeue", {{"all", "1"}}, ":stalled-check");
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
        row(bull, "stalled", "queue.requeue", {{"all", "1"}}, ":stalled-check");
    }
    const Scenario bee{"js/beequeue.js", {u"bq"_s, u"email"_s}, "email", {}, true};
    row(bee, "retry 3", "queue.retry", {{"job", "3"}});
    row(bee, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
    row(bee, "remove 7", "queue.discard", {{"job", "7"}, {"state", "waiting"}});
    row(bee, "remove 9", "queue.discard", {{"job", "9"}, {"state", "delayed"}});
    row({bee.script, bee.arguments, bee.target, "mark", true}, "stalled", "queue.requeue",
        {{"all", "1"}}, ":stallBlock");
    const Scenario group{"js/groupmq.js", {u"orders"_s}, "orders", {}, true};
    // Its own retry() of a failed job does nothing: the plan of ours says so.
    row(group, "remove failed", "queue.discard", {{"job", "?"}, {"state", "failed"}});
    row(group, "promote", "queue.promote", {{"job", "?"}});
    row(group, "pause", "queue.pause");
    row({group.script, group.arguments, group.target, "pause", true}, "resume", "queue.resume");
    const Scenario kue{"js/kue.js", {u"q"_s, u"email"_s}, "email", {}, true};
    row(kue, "retry 3", "queue.retry", {{"job", "3"}});
    row(kue, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
    const Scenario rsmq{"js/rsmq.js", {u"rsmq"_s, u"email"_s}, "email", {}, true};
    row(rsmq, "promote", "queue.promote", {{"job", "?"}, {"state", "delayed"}});
    row(rsmq, "remove", "queue.discard", {{"job", "?"}, {"state", "visible"}});
    const Scenario resque{"js/resque.js", {u"resque"_s, u"email"_s}, "email", {}, true};
    row(resque, "retry", "queue.retry", {{"error", "Error: no such file"}});
    row(resque, "remove_failed", "queue.discard", {{"all", "1"}, {"state", "failed"}});
    // It leaves a second without jobs in the schedule, which its scheduler takes out when it is
    // due.
    row(resque, "remove_delayed", "queue.discard", {{"all", "1"}, {"state", "delayed"}},
        ":delayed_queue_schedule");
    row({resque.script, resque.arguments, resque.target, "", true}, "remove_waiting",
        "queue.discard", {{"all", "1"}, {"state", "waiting"}});
    const Scenario rq{"python/rq_queue.py", {QString()}, "default", "die"};
    // RQ leaves a retried job the TTL of a failed one, by which it may end while it waits.
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
    const Scenario celery{"python/celery_queue.py", {QString()}, "celery", "die"};
    row(celery, "restore", "queue.requeue", {{"all", "1"}});
    const Scenario laravel{"php/laravel_queue.php", {QString()}, "default", "die; age 100"};
    row(laravel, "migrate reserved", "queue.requeue", {{"all", "1"}});
    row({laravel.script, laravel.arguments, laravel.target, "die; due"}, "migrate delayed",
        "queue.promote", {{"all", "1"}});
    const auto lock = [&](const char* library, const char* key) {
        row({"js/locks.js", {u"lock:"_s, QLatin1String(library)}, key}, "release", "lock.release",
            {{"owner", "?"}});
    };
    lock("redlock4", "lock:invoice");
    lock("simple-redis-mutex", "@simple-redis-mutex:lock-lock:invoice");
    lock("mutex", "mutex:lock:invoice");
    lock("semaphore", "semaphore:lock:invoice");
    row({"python/redis_lock.py", {u"lock:"_s}, "lock:invoice:42"}, "release", "lock.release",
        {{"owner", "?"}});
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
    QFETCH(Values, values);
    QFETCH(const QString, but);
    const QString missing = ClientProcess::missing(script.section(u'/', 0, 0));
    if (!missing.isEmpty() && ClientProcess::required())
        QFAIL(qPrintable(missing));
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
    ClientProcess maker(m_server);
    QVERIFY2(!maker.start(script, arguments).isEmpty(), maker.output());
    ClientProcess other(m_server);
    if (joins) {
        maker.die();
        QVERIFY2(!other.start(script, QStringList(arguments) << u"join"_s).isEmpty(),
                 other.output());
    }
    ClientProcess& client = joins ? other : maker;
    for (const QByteArray& command : before.split(';')) {
        if (!command.isEmpty())
            QVERIFY2(!client.ask(command.trimmed()).contains("error"_L1), client.output());
    }
    copyKeys(m_server, m_copy);
    const QJsonObject told = client.ask(own);
    QVERIFY2(!told.contains("error"_L1), client.output());
    for (auto& [parameter, value] : values) {
        if (value == "?")
            value = told["id"_L1].toString().toUtf8();
    }
    const KeyContents expected = contentsOf(m_server);
    if (joins)
        other.die();

    Actor actor(m_copy.url());
    const PrimitivePtr target = targetOf(m_copy, name);
    QVERIFY(target && actor.open());
    const Receipt receipt = actor.act(target, action, values);
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    QStringList differences = differencesOf(contentsOf(m_copy), expected);
    if (!but.isEmpty())
        differences.removeIf([&](const QString& line) { return line.contains(but); });
    QVERIFY2(differences.isEmpty(), qPrintable(differences.join(u'\n')));
}

LK_TEST(TestDifferences);
#include "tst_differences.moc"
