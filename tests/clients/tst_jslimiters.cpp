// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/acting.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/clientprocess.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// Rate limiters of Node.js: a snapshot reports their usage, and a limiter lets requests through
/// again after an operator has cleared it.
class TestJsLimiters : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    static StatePtr limiterOn(const TakenSnapshot& taken, const QByteArray& key)
    {
        for (const StatePtr& state :
             taken.snapshot ? taken.snapshot->states : std::vector<StatePtr>()) {
            for (const KeyRole& k : state->primitive->keys) {
                if (state->kind() == Kind::Limiter && k.key == key)
                    return state;
            }
        }
        return nullptr;
    }

private slots:
    void initTestCase()
    {
        LK_NEEDS_CLIENTS("js");
        QVERIFY2(m_server.start(), m_server.output());
    }
    void init() { m_server.flush(); }

    void usedAsTheLibraryTells_data();
    void usedAsTheLibraryTells();
};

void TestJsLimiters::usedAsTheLibraryTells_data()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QString>("prefix"); ///< the prefix of a client's name
    QTest::addColumn<QString>("layout");
    QTest::addColumn<bool>("windowKnown");
    const auto row = [](const char* name, const char* library, const char* prefix,
                        const char* layout, bool windowKnown) {
        QTest::newRow(name) << QString::fromLatin1(library) << QString::fromLatin1(prefix)
                            << QString::fromLatin1(layout) << windowKnown;
    };
    row("rate-limiter-flexible", "rate-limiter-flexible", "rlflx", "rate-limiter-flexible", false);
    row("ratelimiter", "ratelimiter", "login", "ratelimiter", true);
    row("ratelimiter, strange", "ratelimiter", "{acme-7}:v2", "ratelimiter", true);
    row("async-ratelimiter", "async-ratelimiter", "limit", "async-ratelimiter", true);
    row("koa-ratelimit", "koa-ratelimit", "10.0.0.1", "async-ratelimiter", true);
    row("koa-ratelimit, strange", "koa-ratelimit", "{acme-7}:v2", "async-ratelimiter", true);
    row("rolling-rate-limiter", "rolling-rate-limiter", "rolling:", "rolling-rate-limiter", true);
    row("rolling-rate-limiter, strange", "rolling-rate-limiter", "{acme-7}x",
        "rolling-rate-limiter", true);
    row("rate-limit-redis", "rate-limit-redis", "rl:", "rate-limit-redis", false);
    row("upstash, fixed window", "upstash-fixed", "@upstash/ratelimit", "upstash-fixed-window",
        true);
    row("upstash, fixed window, own prefix", "upstash-fixed", "acme:sh0p", "numbered-window", true);
    row("upstash, sliding window, own prefix", "upstash-sliding", "acme:sh0p",
        "numbered-sliding-window", true);
    row("upstash, sliding window, with a limiter's word", "upstash-sliding", "acme:ratelimit",
        "numbered-sliding-window", true);
}

void TestJsLimiters::usedAsTheLibraryTells()
{
    QFETCH(const QString, library);
    QFETCH(const QString, prefix);
    QFETCH(const QString, layout);
    QFETCH(const bool, windowKnown);
    ClientProcess client(m_server);
    const QJsonObject own = client.start(u"js/limiters.js"_s, {prefix, library});
    QVERIFY2(!own.isEmpty(), client.output());
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.list("limiters").size(), 2);
    QCOMPARE(taken.list("locks").size() + taken.list("queues").size() + taken.list("tokens").size(),
             0);
    for (const char* name : {"alice", "bob"}) {
        const QJsonObject told = own[QLatin1String(name)].toObject();
        const StatePtr state = limiterOn(taken, told["key"_L1].toString().toUtf8());
        QVERIFY(state);
        QCOMPARE(QString::fromLatin1(state->primitive->id.layout), layout);
        const auto* limiter = state->as<LimiterState>();
        QVERIFY(!limiter->limit); // none of them stores it
        const qint64 used = told["limit"_L1].toInteger() - told["remaining"_L1].toInteger();
        QVERIFY(limiter->occupancy);
        // Some count a refused call, too.
        QVERIFY(*limiter->occupancy == used || (used == 5 && *limiter->occupancy == 6));
        if (windowKnown)
            QVERIFY(limiter->windowMs &&
                    qAbs(*limiter->windowMs - told["windowMs"_L1].toInteger()) < 2'000);
    }
    // Cleared, the one who had used all of it gets through again.
    QVERIFY(!client.ask("use bob")["allowed"_L1].toBool(true));
    const QByteArray key = own["bob"_L1]["key"_L1].toString().toUtf8();
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    const StatePtr full = limiterOn(takeSnapshot(m_server.url()), key);
    QVERIFY(full);
    const Receipt receipt = actor.act(full->primitive, "limiter.clear");
    QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
    const QJsonObject after = client.ask("use bob");
    QVERIFY(after["allowed"_L1].toBool());
    QCOMPARE(after["remaining"_L1].toInt(), 4);
}

LK_TEST(TestJsLimiters);
#include "tst_jslimiters.moc"
