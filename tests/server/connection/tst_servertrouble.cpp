// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findings.h"
#include "backend/redis/connection.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/text/errortext.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QDir>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

QJsonObject serverOf(const TakenSnapshot& taken)
{
    return taken.root["server"_L1].toObject();
}

QByteArrayList codesOf(const TakenSnapshot& taken)
{
    QByteArrayList codes;
    for (const QJsonValue& finding : taken.list("findings"))
        codes << finding["code"_L1].toString().toLatin1();
    return codes;
}

/// The session's findings: "code kind", worst first.
QByteArrayList liveFindings(LiveSession& live)
{
    QByteArrayList all;
    for (const LiveFindingPtr& found : live->findings().latest() ? live->findings().latest()->rows
                                                                 : std::vector<LiveFindingPtr>())
        all << found->finding.code + ' ' + kindIdOf(found->finding);
    return all;
}

qint64 deniedCount(RedisServer& server)
{
    qint64 sum = 0;
    for (const Reply& entry : server.line("ACL LOG").items) {
        for (size_t i = 0; i + 1 < entry.items.size(); i += 2) {
            if (entry.items[i].text == "count")
                sum += entry.items[i + 1].integer;
        }
    }
    return sum;
}

QStringList replicaOf(quint16 port)
{
    return {u"--replicaof"_s, u"127.0.0.1"_s, QString::number(port)};
}

} // namespace

/// Servers that answer, and yet are not what they should be: a full disk, a user who may do little,
/// no place for one more client, a replica that is behind, a master that is one no more.
class TestServerTrouble : public QObject
{
    Q_OBJECT

private slots:
    void aFullDiskOnlyRefusesActions();
    void noMemoryLeftForWrites();
    void memoryThatIsTakenFromLocks();
    void aUserWhoMayOnlyRead_data();
    void aUserWhoMayOnlyRead();
    void deniedCommandsAreNotAskedAgain();
    void noPlaceForTheScan();
    void aReplicaThatFollows();
    void aReplicaWhoseMasterHangs();
    void aReplicaThatIsBehind();
    void aReplicaThatNeverReachedItsMaster();
    void aMasterThatBecomesAReplica();
    void readingIsToldToDisturb();
    void readsLessWhereItDisturbs();
};

// Where the snapshot is to go stands a folder: as with a full disk it fails, for the administrator
// too.
void TestServerTrouble::aFullDiskOnlyRefusesActions()
{
    QTemporaryDir folder;
    const QString inTheWay = folder.filePath(u"dump.rdb"_s);
    RedisServer server({u"--dir"_s, folder.path()});
    QVERIFY(server.start());
    server.line("SET lock:a w1 PX 600000");
    QVERIFY(QDir().mkpath(inTheWay));
    server.lines({"CONFIG SET save \"900 1\"", "BGSAVE"});
    QTRY_VERIFY_WITH_TIMEOUT(server.line("PING").isError(), 20'000);
    QVERIFY(server.line("PING").text.startsWith("MISCONF"));

    const TakenSnapshot taken = takeSnapshot(server.url());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QVERIFY(codesOf(taken).contains("cannot-save"));
    QVERIFY(taken.text.contains("The last snapshot failed"));

    LiveSession live(server.url());
    QTRY_VERIFY_WITH_TIMEOUT(live.state("lock:a"), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->info().facts({}).diskError, DiskError::Snapshot, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList{"cannot-save server"}, 20'000);

    Actor actor(server.url());
    QVERIFY(actor.open());
    const Receipt receipt =
        actor.act(declaredPrimitive("set-nx-px", "lock:a"), "lock.release", {{"owner", "w1"}});
    QCOMPARE(receipt.outcome, Outcome::Refused);
    QVERIFY2(receipt.text.contains(u"snapshot failed"_s), qPrintable(receipt.text));
    QCOMPARE(server.line("GET lock:a").text, "w1");

    // There is room on the disk again: it is resolved.
    QVERIFY(QDir().rmdir(inTheWay));
    server.line("BGSAVE");
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList(), 20'000);
}

void TestServerTrouble::noMemoryLeftForWrites()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:a w1 PX 600000", "CONFIG SET maxmemory-policy noeviction"});
    QVERIFY(!codesOf(takeSnapshot(server.url())).contains("out-of-memory"));
    server.line("CONFIG SET maxmemory 100000");
    QVERIFY(server.line("SET lock:b w1").text.startsWith("OOM"));
    const TakenSnapshot taken = takeSnapshot(server.url());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.findings(server.url().endpoint().toUtf8()), QByteArrayList{"out-of-memory"});
    QVERIFY2(taken.text.contains("it refuses writes"), taken.text.constData());
    LiveSession live(server.url());
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList{"out-of-memory server"}, 20'000);
    server.line("CONFIG SET maxmemory 0");
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList(), 20'000);
}

void TestServerTrouble::memoryThatIsTakenFromLocks()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:a w1 PX 600000", "CONFIG SET maxmemory-policy allkeys-random"});
    QVERIFY(!codesOf(takeSnapshot(server.url())).contains("may-be-evicted")); // nor ever
    server.line("CONFIG SET maxmemory 100mb");
    const TakenSnapshot taken = takeSnapshot(server.url());
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(codesOf(taken), QByteArrayList{"may-be-evicted"});
    LiveSession live(server.url());
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList{"may-be-evicted lock"}, 20'000);
    server.line("CONFIG SET maxmemory-policy volatile-ttl");
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList(), 20'000);
}

void TestServerTrouble::aUserWhoMayOnlyRead_data()
{
    QTest::addColumn<QByteArray>("rules");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("neither TIME nor INFO")
        << QByteArray("+@read") << u"local"_s << QByteArray("this machine's clock");
    QTest::newRow("no TIME") << QByteArray("+@read +info") << u"info"_s
                             << QByteArray("INFO's clock");
    QTest::newRow("TIME") << QByteArray("+@read +time") << u"server"_s << QByteArray();
}

void TestServerTrouble::aUserWhoMayOnlyRead()
{
    QFETCH(QByteArray, rules);
    QFETCH(QString, source);
    QFETCH(QByteArray, says);
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:a w1 PX 600000", "RPUSH jobs a b",
                  "ACL SETUSER reader reset on >pw ~* " + rules});
    ServerUrl url = server.url();
    url.user = u"reader"_s;
    url.password = u"pw"_s;
    const TakenSnapshot taken = takeSnapshot(url);
    QVERIFY2(taken.snapshot, qPrintable(errorText(taken.error)));
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"});
    QCOMPARE(taken.named("queues", "jobs")["ready"_L1].toInt(), 2);
    QCOMPARE(serverOf(taken)["time_source"_L1].toString(), source);
    // The same machine: right to within what a look takes.
    QVERIFY(std::abs(serverOf(taken)["time_ms"_L1].toDouble() - double(serverNowMs(server))) <
            20'000);
    const double ttl = taken.named("locks", "lock:a")["ttl_ms"_L1].toDouble();
    QVERIFY(ttl > 500'000 && ttl <= 600'000);
    QCOMPARE(taken.text.contains("Times are from"), !says.isEmpty());
    QVERIFY2(taken.text.contains(says), taken.text.constData());

    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.state("lock:a") && live.scanned(), 20'000);
    QVERIFY(live.state("lock:a")->asOfMs > serverNowMs(server) - 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(int(live->report().clock.source),
                              source == u"local"_s  ? int(TimeSource::Local)
                              : source == u"info"_s ? int(TimeSource::Info)
                                                    : int(TimeSource::Server),
                              20'000);
}

// A person who reads the server's ACL LOG would not find anything else in it.
void TestServerTrouble::deniedCommandsAreNotAskedAgain()
{
    RedisServer server;
    QVERIFY(server.start());
    server.lines({"SET lock:a w1 PX 600000", "ACL SETUSER reader reset on >pw ~* +@read"});
    ServerUrl url = server.url();
    url.user = u"reader"_s;
    url.password = u"pw"_s;
    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.state("lock:a") && live.scanned(), 20'000);
    live->polling().setAttention({live.handle("lock:a")}, live.handle("lock:a"));
    QVERIFY(live.seconds(6));
    const qint64 before = deniedCount(server);
    QVERIFY(before > 0);
    QVERIFY(live.seconds(11)); // two rounds of INFO, forty reads
    const qint64 more = deniedCount(server) - before;
    QVERIFY2(more <= 2, QByteArray::number(more).constData());
}

void TestServerTrouble::noPlaceForTheScan()
{
    RedisServer server({u"--maxclients"_s, u"2"_s}); // the test's own, and one of the session's
    QVERIFY(server.start());
    server.line("SET lock:a w1 PX 600000");
    LiveSession live(server.url());
    QTRY_VERIFY_WITH_TIMEOUT(live.isReady(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(live->report().scanLost, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->report().scanLost->code, ErrorCode::TooManyClients, 20'000);
    QVERIFY(!live.scanned());
    QVERIFY(live.isReady());
    QCOMPARE(server.line("CONFIG SET maxclients 20").text, "OK");
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live.state("lock:a"), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(!live->report().scanLost, 20'000);
}

void TestServerTrouble::aReplicaThatFollows()
{
    RedisServer master({u"--repl-diskless-sync-delay"_s, u"0"_s});
    master.addTcp();
    QVERIFY(master.start());
    master.line("SET lock:a w1 PX 600000");
    RedisServer replica(replicaOf(master.port()));
    QVERIFY(replica.start());
    QTRY_COMPARE_WITH_TIMEOUT(replica.line("GET lock:a").text, "w1", 20'000);
    const TakenSnapshot taken = takeSnapshot(replica.url());
    QCOMPARE(serverOf(taken)["role"_L1].toString(), u"replica"_s);
    QCOMPARE(serverOf(taken)["master"_L1].toString(), u"127.0.0.1:%1"_s.arg(master.port()));
    QCOMPARE(serverOf(taken)["master_link"_L1].toString(), u"up"_s);
    QVERIFY(!codesOf(taken).contains("replica-stale"));
    QVERIFY(!taken.json.contains("slave") && !taken.text.contains("slave"));
    QVERIFY2(taken.text.contains("last contact"), taken.text.constData());
    QVERIFY(serverOf(taken)["master_last_contact_ms"_L1].isDouble());
    const QJsonObject node = serverOf(taken)["nodes"_L1].toArray().first().toObject();
    QCOMPARE(node["master"_L1].toString(), u"127.0.0.1:%1"_s.arg(master.port()));
}

// Its link counts as up until repl-timeout, a minute.
void TestServerTrouble::aReplicaWhoseMasterHangs()
{
    RedisServer master({u"--repl-diskless-sync-delay"_s, u"0"_s});
    master.addTcp();
    QVERIFY(master.start());
    master.line("SET lock:a w1 PX 600000");
    RedisServer replica(replicaOf(master.port()));
    QVERIFY(replica.start());
    QTRY_COMPARE_WITH_TIMEOUT(replica.line("GET lock:a").text, "w1", 20'000);
    master.freeze();
    const bool isSilent = waitUntil(
        [&replica] {
            const ServerInfo info = ServerInfo::fromReply(replica.line("INFO replication"));
            return info.number("master_last_io_seconds_ago").value_or(0) > 16;
        },
        40'000);
    const TakenSnapshot taken = takeSnapshot(replica.url());
    master.thaw();
    QVERIFY(isSilent);
    QCOMPARE(serverOf(taken)["master_link"_L1].toString(), u"up"_s);
    QCOMPARE(codesOf(taken).count("replica-stale"), 1);
    QVERIFY2(taken.text.contains("last heard from"), taken.text.constData());
    QVERIFY2(!taken.text.contains("lag slightly"), taken.text.constData());
    QVERIFY(serverOf(taken)["master_last_contact_ms"_L1].toDouble() > 16'000);
}

void TestServerTrouble::aReplicaThatIsBehind()
{
    RedisServer master({u"--repl-diskless-sync-delay"_s, u"0"_s});
    master.addTcp();
    QVERIFY(master.start());
    master.line("SET lock:a w1 PX 600000");
    RedisServer replica(replicaOf(master.port()));
    QVERIFY(replica.start());
    QTRY_COMPARE_WITH_TIMEOUT(replica.line("GET lock:a").text, "w1", 20'000);
    master.stop();
    QTRY_VERIFY_WITH_TIMEOUT(
        replica.line("INFO replication").text.contains("master_link_status:down"), 20'000);
    const TakenSnapshot taken = takeSnapshot(replica.url());
    QCOMPARE(taken.names("locks"), QByteArrayList{"lock:a"}); // it still says so
    QCOMPARE(serverOf(taken)["master_link"_L1].toString(), u"down"_s);
    QVERIFY(!serverOf(taken)["master_down_ms"_L1].isNull());
    QCOMPARE(codesOf(taken).count("replica-stale"), 1);
    QVERIFY2(taken.text.contains("This replica lost 127.0.0.1:"), taken.text.constData());
    QCOMPARE(taken.list("findings")[0]["kind"_L1].toString(), u"server"_s);

    // A session has it for as long as it is so.
    LiveSession live(replica.url());
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList{"replica-stale server"}, 20'000);
    const quint64 id = live->findings().latest()->rows[0]->id;
    replica.line("REPLICAOF NO ONE");
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList(), 20'000);
    replica.run({"REPLICAOF", "127.0.0.1", "1"});
    QTRY_COMPARE_WITH_TIMEOUT(liveFindings(live), QByteArrayList{"replica-stale server"}, 20'000);
    QVERIFY(live->findings().latest()->rows[0]->id != id);
}

void TestServerTrouble::aReplicaThatNeverReachedItsMaster()
{
    RedisServer replica(replicaOf(1)); // no server listens there
    QVERIFY(replica.start());
    const TakenSnapshot taken = takeSnapshot(replica.url());
    QCOMPARE(serverOf(taken)["master_link"_L1].toString(), u"never-up"_s);
    QCOMPARE(codesOf(taken), QByteArrayList{"replica-stale"});
    QCOMPARE(taken.list("findings")[0]["severity"_L1].toString(), u"error"_s);
}

void TestServerTrouble::aMasterThatBecomesAReplica()
{
    RedisServer server;
    QVERIFY(server.start());
    server.line("SET lock:a w1 PX 600000");
    RedisServer next({u"--repl-diskless-sync-delay"_s, u"0"_s});
    next.addTcp();
    QVERIFY(next.start());
    next.line("SET lock:a w1 PX 600000");
    QTemporaryDir folder;
    LiveSession live(server.url(), {}, {},
                     {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)});
    QTRY_COMPARE_WITH_TIMEOUT(live->info().role(), NodeRole::Master, 20'000);
    live->acting().enableWriteMode(600'000);
    QTRY_VERIFY_WITH_TIMEOUT(live->acting().isWriteModeOn(), 20'000);
    QSignalSpy demoted(&*live, &Session::demoted);
    server.run({"REPLICAOF", "127.0.0.1", QByteArray::number(next.port())});
    QTRY_COMPARE_WITH_TIMEOUT(demoted.size(), 1, 20'000);
    QCOMPARE(demoted[0][0].toString(), u"127.0.0.1:%1"_s.arg(next.port()));
    QTRY_VERIFY_WITH_TIMEOUT(!live->acting().isWriteModeOn(), 20'000);
    QSignalSpy failed(&live->acting(), &SessionActing::writeModeFailed);
    live->acting().enableWriteMode(600'000);
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 20'000);
    QCOMPARE(failed[0][0].value<Error>().code, ErrorCode::Replica);
    QVERIFY(!live->acting().isWriteModeOn());
}

void TestServerTrouble::readingIsToldToDisturb()
{
    RedisServer server;
    QVERIFY(server.start());
    Connection probe(server.url());
    probe.open();
    QTRY_VERIFY_WITH_TIMEOUT(probe.isReady(), 20'000);
    const bool untouched = probe.leavesKeysUntouched();
    TakenSnapshot taken = takeSnapshot(server.url());
    QCOMPARE(serverOf(taken)["keys_untouched"_L1].toBool(), untouched);
    QVERIFY(!taken.text.contains("as recently used")); // nothing follows from it here
    server.line("CONFIG SET maxmemory-policy allkeys-lru");
    taken = takeSnapshot(server.url());
    QCOMPARE(taken.text.contains("this server evicts by use"), !untouched);
}

// After an outage all is to be read again, at ease: half as fast where it decides what is evicted.
void TestServerTrouble::readsLessWhereItDisturbs()
{
    RedisServer server;
    QVERIFY(server.start());
    for (int i = 0; i < 4000; ++i)
        server.run({"SET", "lock:" + QByteArray::number(i), "ef1f63c", "PX", "6000000"});
    const auto readInFourSeconds = [&](const char* policy) -> qint64 {
        server.line(QByteArray("CONFIG SET maxmemory-policy ") + policy);
        MonitorLimits limits;
        limits.otherCommandsPerSecond = 500;
        LiveSession live(server.url(), {}, {}, {}, limits);
        if (!QTest::qWaitFor([&] { return live.scanned() && live.size() == 4000; }, 60'000))
            return -1;
        for (const QByteArray& line : server.line("CLIENT LIST").text.split('\n')) {
            if (line.contains(" name=lockkeeper "))
                server.run({"CLIENT", "KILL", "ID", line.mid(3, line.indexOf(' ') - 3)});
        }
        if (!QTest::qWaitFor([&] { return live->report().backlog > 3000; }, 20'000))
            return -1;
        live.seconds(1);
        const qint64 before = live->report().backlog;
        live.seconds(4);
        return before - live->report().backlog;
    };
    Connection probe(server.url());
    probe.open();
    QTRY_VERIFY_WITH_TIMEOUT(probe.isReady(), 20'000);
    const qint64 plain = readInFourSeconds("noeviction");
    const qint64 byUse = readInFourSeconds("allkeys-lru");
    QVERIFY2(plain > 400, QByteArray::number(plain).constData());
    QVERIFY2(byUse > 100, QByteArray::number(byUse).constData());
    const double share = double(byUse) / double(plain);
    const bool asTold = probe.leavesKeysUntouched() ? share > 0.75 : share < 0.75;
    QVERIFY2(asTold, QByteArray::number(share).constData());
}

LK_TEST(TestServerTrouble);
#include "tst_servertrouble.moc"
