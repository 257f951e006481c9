// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/snapshotlook.h"
#include "tests/support/lookalikes.h"

#include "backend/text/certaintytext.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A keyspace of real values under misleading names: nothing of it is detected, found fault with or
/// counted. What may be something is named apart, and is what the operator says it is from then on.
class TestLookAlikesOfServer : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void nothingIsDetected();
    void whatIsOneIsDetected();
    void possibleOnesAreNamed();
    void aDeclaredOneIsNotPossibleAnyMore();
    void noErrorOfWhatIsMerelyLikely();

private:
    void fill(const std::vector<KeyKind>& kinds)
    {
        for (const KeyKind& kind : kinds) {
            const std::vector<Reply> replies = m_server.runAll(kind.commands);
            for (size_t i = 0; i < replies.size(); ++i)
                QVERIFY2(!replies[i].isError(),
                         (kind.commands[i].args()[1] + ' ' + replies[i].text).constData());
        }
    }

    RedisServer m_server;
};

void TestLookAlikesOfServer::nothingIsDetected()
{
    fill(lookAlikes(serverNowMs(m_server)));
    const Look look = prefetchKeyOf(m_server.url());
    QVERIFY(look.snapshot);
    for (const char* kind : {"limiters", "locks", "queues", "tokens", "patterns"})
        QVERIFY2(look.names(kind).isEmpty(), look.names(kind).join(' ').constData());
    QVERIFY(look.snapshot->findings.empty());
    QCOMPARE(look.scan()["keys_matched"_L1].toInt(-1), 0);
    const int keys = int(m_server.run({"DBSIZE"}).integer);
    QVERIFY(keys >= 200);
    QCOMPARE(look.scan()["keys_unclaimed"_L1].toInt(), keys);
}

void TestLookAlikesOfServer::whatIsOneIsDetected()
{
    const std::vector<KeyKind> kinds = inconspicuous(serverNowMs(m_server));
    fill(kinds);
    const Look look = prefetchKeyOf(m_server.url());
    QVERIFY(look.snapshot);
    for (const KeyKind& kind : kinds) {
        for (const QByteArray& key : kind.keys) {
            const auto is = [&](const StatePtr& s) {
                return s->primitive->id.layout == kind.title && s->primitive->id.name == key;
            };
            const auto& states = look.snapshot->states;
            QVERIFY2(std::any_of(states.begin(), states.end(), is), key.constData());
        }
    }
    QVERIFY(!look.text.contains("482913")); // a code that is the value
}

void TestLookAlikesOfServer::possibleOnesAreNamed()
{
    m_server.lines({"SET lock:timeout:orders 30", "SET lock:pool 7 EX 60",
                    "SET token:8f3a9b21c4 17", "SET lock:a ef1f63c PX 600000"});
    const Look look = prefetchKeyOf(m_server.url());
    QCOMPARE(look.names("locks"), QByteArrayList{"lock:a"});
    QCOMPARE(look.scan()["keys_matched"_L1].toInt(), 1);
    QCOMPARE(look.scan()["keys_possible"_L1].toInt(), 2);
    const QJsonArray possible = look.list("possible");
    QCOMPARE(possible.size(), 2);
    const QJsonObject lock = possible[0].toObject();
    QCOMPARE(lock["kind"_L1].toString(), u"lock"_s);
    QCOMPARE(lock["name"_L1].toString(), u"lock:pool"_s);
    QCOMPARE(lock["layout"_L1].toString(), u"set-nx-px"_s);
    QCOMPARE(lock["reason"_L1].toString(), doubtText(Doubt::NameOnly));
    QCOMPARE(possible[1]["reason"_L1].toString(), doubtText(Doubt::NoTtl));
    QVERIFY(look.text.contains("locks 1, tokens 1"));
    QVERIFY(look.findings("lock:pool").isEmpty());
    // Its code is a secret like that of any token.
    QBuffer masked;
    masked.open(QIODevice::WriteOnly);
    writeJson(*look.snapshot, masked, Codes::Masked);
    QVERIFY(!masked.data().contains("8f3a9b21c4"));
}

void TestLookAlikesOfServer::aDeclaredOneIsNotPossibleAnyMore()
{
    m_server.lines({"SET lock:pool 7 EX 60", "SET lock:spare 8 EX 60"});
    const Look look = prefetchKeyOf(m_server.url(), configOf("[[lock]]\nkey = \"lock:pool\"\n"
                                                             "layout = \"set-nx-px\"\n"
                                                             "[[ignore]]\nkey = \"lock:spare\"\n"));
    QCOMPARE(look.names("locks"), QByteArrayList{"lock:pool"});
    QVERIFY(look.list("possible").isEmpty());
    QVERIFY(!look.text.contains("Possible"));
}

void TestLookAlikesOfServer::noErrorOfWhatIsMerelyLikely()
{
    m_server.lines({"SET lock:import 1", "INCR api:ratelimit:acme"});
    Look look = prefetchKeyOf(m_server.url());
    QCOMPARE(look.findings("lock:import"), QByteArrayList{"lock-without-ttl"});
    for (const Finding& finding : look.snapshot->findings)
        QVERIFY2(finding.severity < Finding::Severity::Error, finding.code.constData());
    look = prefetchKeyOf(m_server.url(),
                         configOf("[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n"));
    QCOMPARE(look.findings("lock:import"), QByteArrayList{"lock-without-ttl"});
    for (const Finding& finding : look.snapshot->findings)
        QCOMPARE(finding.severity == Finding::Severity::Error, finding.name == "lock:import");
}

QTEST_GUILESS_MAIN(TestLookAlikesOfServer)
#include "tst_lookalikes.moc"
