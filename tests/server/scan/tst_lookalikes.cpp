// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/takensnapshot.h"
#include "tests/support/lookalikes.h"
#include "tests/support/testprogram.h"

#include "backend/text/certaintytext.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A keyspace of real values under misleading names: nothing of it is detected, reported as
/// a finding or counted. Possible primitives are listed apart, and are what the operator declares.
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
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.snapshot);
    for (const char* kind : {"limiters", "locks", "queues", "tokens", "patterns"})
        QVERIFY2(taken.names(kind).isEmpty(), taken.names(kind).join(' ').constData());
    QVERIFY(taken.snapshot->findings.empty());
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(-1), 0);
    const int keys = int(m_server.run({"DBSIZE"}).integer);
    QVERIFY(keys >= 200);
    QCOMPARE(taken.scan()["keys_unclaimed"_L1].toInt(), keys);
}

void TestLookAlikesOfServer::whatIsOneIsDetected()
{
    const std::vector<KeyKind> kinds = inconspicuous(serverNowMs(m_server));
    fill(kinds);
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QVERIFY(taken.snapshot);
    for (const KeyKind& kind : kinds) {
        for (const QByteArray& key : kind.keys) {
            const auto is = [&](const StatePtr& s) {
                return s->primitive->id.layout == kind.title && s->primitive->id.name == key;
            };
            const auto& states = taken.snapshot->states;
            QVERIFY2(std::any_of(states.begin(), states.end(), is), key.constData());
        }
    }
    QVERIFY(!taken.text.contains("482913")); // a code that is the value
}

void TestLookAlikesOfServer::possibleOnesAreNamed()
{
    m_server.lines({"SET lock:timeout:orders 30", "SET lock:pool 7 EX 60",
                    "SET token:8f3a9b21c4 17", "SET lock:a ef1f63c PX 600000"});
    const TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QCOMPARE(taken.scan()["keys_matched"_L1].toInt(), 1);
    QCOMPARE(taken.scan()["keys_possible"_L1].toInt(), 2);
    const QJsonArray possible = taken.list("possible");
    QCOMPARE(possible.size(), 2);
    const QJsonObject lock = possible[0].toObject();
    QCOMPARE(lock["kind"_L1].toString(), u"lock"_s);
    QCOMPARE(lock["name"_L1].toString(), u"lock:pool"_s);
    QCOMPARE(lock["layout"_L1].toString(), u"set-nx-px"_s);
    QCOMPARE(lock["reason"_L1].toString(), doubtText(Doubt::NameOnly));
    QCOMPARE(possible[1]["reason"_L1].toString(), doubtText(Doubt::NoTtl));
    QVERIFY(taken.text.contains("locks 1, tokens 1"));
    QVERIFY(taken.findings("lock:pool").isEmpty());
    // Its code is a secret like that of any token.
    QBuffer masked;
    masked.open(QIODevice::WriteOnly);
    writeJson(*taken.snapshot, masked, Codes::Masked);
    QVERIFY(!masked.data().contains("8f3a9b21c4"));
}

void TestLookAlikesOfServer::aDeclaredOneIsNotPossibleAnyMore()
{
    m_server.lines({"SET lock:pool 7 EX 60", "SET lock:spare 8 EX 60"});
    const TakenSnapshot taken =
        takeSnapshot(m_server.url(), configOf("[[lock]]\nkey = \"lock:pool\"\n"
                                              "layout = \"set-nx-px\"\n"
                                              "[[ignore]]\nkey = \"lock:spare\"\n"));
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:pool"});
    QVERIFY(taken.list("possible").isEmpty());
    QVERIFY(!taken.text.contains("Possible"));
}

void TestLookAlikesOfServer::noErrorOfWhatIsMerelyLikely()
{
    m_server.lines({"SET lock:import 1", "INCR api:ratelimit:acme"});
    TakenSnapshot taken = takeSnapshot(m_server.url());
    QCOMPARE(taken.findings("lock:import"), QByteArrayList{"lock-without-ttl"});
    for (const Finding& finding : taken.snapshot->findings)
        QVERIFY2(finding.severity < Finding::Severity::Error, finding.code.constData());
    taken = takeSnapshot(m_server.url(),
                         configOf("[[lock]]\nkey = \"lock:*\"\nlayout = \"set-nx-px\"\n"));
    QCOMPARE(taken.findings("lock:import"), QByteArrayList{"lock-without-ttl"});
    for (const Finding& finding : taken.snapshot->findings)
        QCOMPARE(finding.severity == Finding::Severity::Error, finding.name == "lock:import");
}

LK_TEST(TestLookAlikesOfServer);
#include "tst_lookalikes.moc"
