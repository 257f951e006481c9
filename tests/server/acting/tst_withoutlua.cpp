// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/acting.h"
#include "tests/support/otherserver.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Valkey 9.1 whose Lua engine is not loaded: EVAL is a command, and fails.
class TestWithoutLua : public QObject
{
    Q_OBJECT

private slots:
    void init();

    void aLockIsReleasedByItsOwnCommand();
    void allElseIsRefusedBeforeItIsSent_data();
    void allElseIsRefusedBeforeItIsSent();
    void theEngineGoesAfterThePlan();

private:
    void unload() { QCOMPARE(m_server->line("MODULE UNLOAD lua").text, QByteArray("OK")); }
    bool wasAnyScriptSent()
    {
        return m_server->line("INFO commandstats").text.contains("cmdstat_eval");
    }

    std::unique_ptr<RedisServer> m_server;
};

void TestWithoutLua::init()
{
    m_server = std::make_unique<RedisServer>(QStringList{u"--enable-module-command"_s, u"yes"_s});
    LK_USE_SERVER(*m_server, "valkey-9.1");
    QVERIFY2(m_server->start(), m_server->output());
}

void TestWithoutLua::aLockIsReleasedByItsOwnCommand()
{
    unload();
    m_server->line("SET lock:a w1 PX 600000");
    Actor actor(m_server->url());
    QVERIFY(actor.open());
    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:a");
    const Result<Plan> plan = actor.plan(lock, "lock.release", {{"owner", "w1"}});
    QVERIFY2(plan, qPrintable(errorText(plan ? Error() : plan.error())));
    QCOMPARE(plan->commands, QStringList{u"DELIFEQ lock:a w1"_s});
    m_server->line("SET lock:a w2 PX 600000");
    QCOMPARE(actor.run(*plan).outcome, Outcome::Conflict);
    QCOMPARE(m_server->line("GET lock:a").text, QByteArray("w2"));
    m_server->line("SET lock:a w1 PX 600000");
    QCOMPARE(actor.run(*plan).outcome, Outcome::Succeeded);
    QCOMPARE(m_server->line("EXISTS lock:a").integer, 0);
    QVERIFY(!wasAnyScriptSent());
}

void TestWithoutLua::allElseIsRefusedBeforeItIsSent_data()
{
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("make");
    QTest::addColumn<QByteArray>("action");
    QTest::addColumn<bool>("ttl");
    const auto row = [](const char* layout, const char* make, const char* action) {
        QTest::newRow(action) << QByteArray(layout) << QByteArray(make) << QByteArray(action)
                              << QByteArray(action).endsWith(".ttl");
    };
    row("set-nx-px", "SET k w1 PX 600000", "lock.ttl");
    row("set-nx-px", "SET k w1 PX 600000", "key.delete");
    row("reliable-list", "RPUSH k a b", "queue.rotate");
    row("string-token", "SET k v PX 600000", "token.revoke");
}

void TestWithoutLua::allElseIsRefusedBeforeItIsSent()
{
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, make);
    QFETCH(QByteArray, action);
    QFETCH(bool, ttl);
    unload();
    m_server->line(make);
    Actor actor(m_server->url());
    QVERIFY(actor.open());
    const Result<Plan> plan = actor.plan(declaredPrimitive(layout, "k"), action,
                                         ttl ? Values{{"owner", "w1"}, {"ttl", "10m"}} : Values());
    QVERIFY(!plan);
    QCOMPARE(plan.error().code, ErrorCode::NotPossible);
    QVERIFY2(plan.error().detail.contains(u"Lua engine is not loaded"_s),
             qPrintable(plan.error().detail));
    QVERIFY(!wasAnyScriptSent());
    QCOMPARE(m_server->line("EXISTS k").integer, 1);
}

void TestWithoutLua::theEngineGoesAfterThePlan()
{
    m_server->line("SET lock:a w1 PX 600000");
    Actor actor(m_server->url());
    QVERIFY(actor.open());
    const Result<Plan> plan =
        actor.plan(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QVERIFY(plan);
    unload();
    const Receipt receipt = actor.run(*plan);
    QCOMPARE(receipt.outcome, Outcome::Refused);
    QVERIFY2(receipt.text.contains(u"scripting engine"_s), qPrintable(receipt.text));
    QVERIFY(!receipt.text.contains(u"midway"_s));
    QCOMPARE(m_server->line("EXISTS lock:a").integer, 1);
}

LK_TEST(TestWithoutLua);
#include "tst_withoutlua.moc"
