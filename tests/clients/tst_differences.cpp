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
    QByteArray queue;
    QByteArray before = {}; ///< asked first: a worker dies
    bool joins = false;     ///< who made it dies, and another process of it does the rest
};

/// Keys that an action leaves in another way than the library does, and why.
struct Explained
{
    const char* key; ///< what its name contains
    const char* why;
};

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
    QTest::addColumn<QByteArray>("queue");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<bool>("joins");
    QTest::addColumn<QByteArray>("own");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<Values>("values");
    const auto row = [](const Scenario& s, const char* own, const char* action,
                        const Values& values = {}) {
        QTest::addRow("%s %s: %s", s.script, qPrintable(s.arguments.value(1)), own)
            << QString::fromLatin1(s.script) << s.arguments << s.queue << s.before << s.joins
            << QByteArray(own) << QByteArray(action) << values;
    };
    for (const char* library : {"bullmq4", "bullmq5", "bullmq6"}) {
        const Scenario mq{
            "js/bullmq.js", {u"bull"_s, QLatin1String(library), u"email"_s}, "email", {}, true};
        row(mq, "retry 3", "queue.retry", {{"job", "3"}});
        row(mq, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
        row(mq, "promote 11", "queue.promote", {{"job", "11"}});
        row(mq, "pause", "queue.pause");
    }
    for (const char* library : {"bull3", "bull4"}) {
        const Scenario bull{
            "js/bull.js", {u"bull"_s, QLatin1String(library), u"email"_s}, "email", {}, true};
        row(bull, "retry 3", "queue.retry", {{"job", "3"}});
        row(bull, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
        row(bull, "promote 9", "queue.promote", {{"job", "9"}});
        row(bull, "pause", "queue.pause");
    }
    const Scenario bee{"js/beequeue.js", {u"bq"_s, u"email"_s}, "email", {}, true};
    row(bee, "retry 3", "queue.retry", {{"job", "3"}});
    row(bee, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
    row(bee, "remove 7", "queue.discard", {{"job", "7"}, {"state", "waiting"}});
    row(bee, "remove 9", "queue.discard", {{"job", "9"}, {"state", "delayed"}});
    const Scenario group{"js/groupmq.js", {u"orders"_s}, "orders", {}, true};
    row(group, "retry", "queue.retry", {{"job", "?"}});
    row(group, "remove failed", "queue.discard", {{"job", "?"}, {"state", "failed"}});
    row(group, "promote", "queue.promote", {{"job", "?"}});
    row(group, "pause", "queue.pause");
    const Scenario kue{"js/kue.js", {u"q"_s, u"email"_s}, "email", {}, true};
    row(kue, "retry 3", "queue.retry", {{"job", "3"}});
    row(kue, "remove 3", "queue.discard", {{"job", "3"}, {"state", "failed"}});
    const Scenario rsmq{"js/rsmq.js", {u"rsmq"_s, u"email"_s}, "email", {}, true};
    row(rsmq, "promote", "queue.promote", {{"job", "?"}, {"state", "delayed"}});
    row(rsmq, "remove", "queue.discard", {{"job", "?"}, {"state", "visible"}});
    const Scenario resque{"js/resque.js", {u"resque"_s, u"email"_s}, "email", {}, true};
    row(resque, "retry", "queue.retry", {{"error", "Error: no such file"}});
    row(resque, "remove", "queue.discard", {{"error", "Error: no such file"}, {"state", "failed"}});
    const Scenario rq{"python/rq_queue.py", {QString()}, "default", "die"};
    row(rq, "retry", "queue.retry", {{"job", "?"}});
    row(rq, "remove failed", "queue.discard", {{"job", "?"}, {"state", "failed"}});
    row(rq, "remove finished", "queue.discard", {{"job", "?"}, {"state", "finished"}});
    row(rq, "remove scheduled", "queue.discard", {{"job", "?"}, {"state", "scheduled"}});
    row(rq, "remove_waiting", "queue.discard", {{"job", "?"}, {"state", "queued"}});
    row(rq, "promote", "queue.promote", {{"job", "?"}});
    row(rq, "suspend", "queue.pause");
    const Scenario sidekiq{"ruby/sidekiq.rb", {QString()}, "default", "die"};
    row(sidekiq, "retry", "queue.retry", {{"job", "?"}, {"state", "retry"}});
    row(sidekiq, "retry_dead", "queue.retry", {{"job", "?"}, {"state", "dead"}});
    row(sidekiq, "kill_retry", "queue.dead-letter", {{"job", "?"}, {"state", "retry"}});
    row(sidekiq, "remove_retry", "queue.discard", {{"job", "?"}, {"state", "retry"}});
    row(sidekiq, "remove_dead", "queue.discard", {{"job", "?"}, {"state", "dead"}});
    row(sidekiq, "promote", "queue.promote", {{"job", "?"}, {"state", "schedule"}});
}

void TestDifferences::sameKeys()
{
    QFETCH(const QString, script);
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, queue);
    QFETCH(const QByteArray, before);
    QFETCH(const bool, joins);
    QFETCH(const QByteArray, own);
    QFETCH(const QByteArray, action);
    QFETCH(Values, values);
    const QString missing = ClientProcess::missing(script.section(u'/', 0, 0));
    if (!missing.isEmpty() && ClientProcess::required())
        QFAIL(qPrintable(missing));
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
    ClientProcess maker(m_server);
    QVERIFY2(!maker.start(script, arguments).isEmpty(), maker.output());
    if (!before.isEmpty())
        QVERIFY2(!maker.ask(before).isEmpty(), maker.output());
    ClientProcess other(m_server);
    if (joins) {
        maker.die();
        QVERIFY2(!other.start(script, QStringList(arguments) << u"join"_s).isEmpty(),
                 other.output());
    }
    copyKeys(m_server, m_copy);
    ClientProcess& client = joins ? other : maker;
    const QJsonObject told = client.ask(own);
    QVERIFY2(!told.contains("error"_L1), client.output());
    if (values["job"] == "?")
        values["job"] = told["id"_L1].toString().toUtf8();
    const KeyContents expected = contentsOf(m_server);
    if (joins)
        other.die();

    Actor actor(m_copy.url());
    const PrimitivePtr target = LibrarySnapshot(m_copy).primitive(queue);
    QVERIFY(target && actor.open());
    const Receipt receipt = actor.act(target, action, values);
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    const QStringList differences = differencesOf(contentsOf(m_copy), expected);
    QVERIFY2(differences.isEmpty(), qPrintable(differences.join(u'\n')));
}

LK_TEST(TestDifferences);
#include "tst_differences.moc"
