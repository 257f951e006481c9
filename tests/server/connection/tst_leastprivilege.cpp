// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/aclrules.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "backend/text/errortext.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"
#include "tests/widgets/bullqueue.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

/// A user who may do no more than `lockkeeper acl` prints, and one who may do less: each gets what
/// the rest allows, and sees no values that are unknown.
class TestLeastPrivilege : public QObject
{
    Q_OBJECT

private:
    RedisServer m_server;

    /// The user as printed, with more rules after.
    ServerUrl userWith(const QByteArray& rules)
    {
        for (const QByteArray& line : aclLines(AclPurpose::Reading))
            m_server.line(line); // one is for later versions
        if (!rules.isEmpty() && m_server.line("ACL SETUSER lockkeeper " + rules).isError())
            qWarning("not a rule: %s", rules.constData());
        m_server.line("ACL LOG RESET");
        ServerUrl url = m_server.url();
        url.user = u"lockkeeper"_s;
        url.password = u"PASSWORD"_s;
        return url;
    }
    QByteArray denied()
    {
        QByteArray all;
        for (const Reply& entry : m_server.line("ACL LOG 1000").items) {
            for (size_t i = 0; i + 1 < entry.items.size(); i += 2) {
                if (entry.items[i].text == "object")
                    all += entry.items[i + 1].text + ' ';
            }
        }
        return all;
    }
    static QJsonObject server(const TakenSnapshot& look)
    {
        return look.root["server"_L1].toObject();
    }
    static QByteArrayList permissions(const TakenSnapshot& look)
    {
        QByteArrayList all;
        for (const QJsonValue& v : look.scan()["missing"_L1].toArray())
            all << v["permission"_L1].toString().toLatin1();
        return all;
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();

    void thePrintedUserIsDeniedNothing();
    void withoutInfo();
    void withoutConfig();
    void withoutClient();
    void withoutScan();
    void withoutScanNothingIsNamed();
    void withoutMemory();
};

void TestLeastPrivilege::init()
{
    m_server.flush();
    const QByteArray s = m_server.line("TIME").items[0].text;
    m_server.lines({"SET lock:a w1 PX 600000",
                    "HSET res:lock:a 285475da-9152-4c83-822a-67ee2f116a79:52 1",
                    "PEXPIRE res:lock:a 600000", "RPUSH jobs b a", "RPUSH jobs:processing c",
                    "ZADD api:rate " + s + "000 " + s + "000", "SET code:c17bd6 payload PX 600000",
                    "XADD events 1-1 a b", "XGROUP CREATE events workers 0", "SETBIT visits 7 1",
                    "SADD users a b"});
    fillWithBullQueue(m_server, 0);
}

// All that a session and a snapshot send, on each board: no NOPERM at all.
void TestLeastPrivilege::thePrintedUserIsDeniedNothing()
{
    const ServerUrl url = userWith({});
    const TakenSnapshot look = takeSnapshot(url);
    QVERIFY2(look.snapshot, qPrintable(errorText(look.error)));
    QVERIFY2(look.scan()["complete"_L1].toBool(), look.json.constData());
    QTemporaryDir folder; // with a journal, so that it is asked whether actions can run
    LiveSession live(url, {}, {},
                     {folder.filePath(u"j/journal.jsonl"_s), folder.filePath(u"undo"_s)});
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live.state("jobs"), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live.feed().mode, FeedStatus::Mode::Tracking, 20'000);
    std::vector<Handle> all;
    for (const auto& [handle, state] : live->states().all())
        all.push_back(handle);
    QVERIFY(all.size() >= 4);
    for (const Handle handle : all) { // as the selected one in full
        live->polling().setAttention(all, handle);
        const qint64 seen = live->states().at(handle)->asOfMs;
        QTRY_VERIFY_WITH_TIMEOUT(live->states().at(handle)->asOfMs > seen, 20'000);
    }
    QVERIFY(live.seconds(6)); // INFO and CONFIG once more
    QTRY_VERIFY_WITH_TIMEOUT(live->acting().limits().known, 20'000);
    QVERIFY(live->acting().limits().refusal()); // it is told so, and nothing was tried
    QCOMPARE(denied(), QByteArray());
}

void TestLeastPrivilege::withoutInfo()
{
    const ServerUrl url = userWith("-info");
    const TakenSnapshot look = takeSnapshot(url);
    QVERIFY2(look.snapshot, qPrintable(errorText(look.error)));
    QVERIFY(look.names("locks").contains("lock:a"));
    QVERIFY(look.names("locks").contains("res:lock:a")); // by HSCAN: the version is not known
    for (const char* field : {"version", "flavour", "mode"})
        QVERIFY2(server(look)[QLatin1String(field)].isNull(), field);
    QCOMPARE(server(look)["keys_untouched"_L1].toBool(true), false);
    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live.state("lock:a"), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live->info().role(), NodeRole::Master,
                              20'000); // from ROLE
    QVERIFY(live->info().version().isEmpty());
    QVERIFY(!live->info().number("aof_enabled"));
}

void TestLeastPrivilege::withoutConfig()
{
    const ServerUrl url = userWith("-config|get");
    const TakenSnapshot look = takeSnapshot(url);
    QVERIFY(look.snapshot);
    QVERIFY2(look.scan()["complete"_L1].toBool(), look.json.constData());
    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && !live->info().version().isEmpty(), 20'000);
    QCOMPARE(live->info().text("save_known"), QString());
    QCOMPARE(live->info().text("appendfsync_known"), QString());
    QVERIFY(live.seconds(11));
    QVERIFY2(denied().count("config") <= 1, denied().constData());
}

// The clients that listen to a queue are unknown then, instead of none.
void TestLeastPrivilege::withoutClient()
{
    m_server.line("DEL bull:email:active bull:email:a1:lock"); // jobs name their workers, too
    const TakenSnapshot full = takeSnapshot(userWith({}));
    QVERIFY2(full.named("queues", "email")["workers"_L1].isArray(),
             full.names("queues").join(' ').constData());
    const ServerUrl url = userWith("-client");
    const TakenSnapshot look = takeSnapshot(url);
    QVERIFY(look.snapshot);
    QVERIFY(look.scan()["complete"_L1].toBool());
    QVERIFY2(look.named("queues", "email")["workers"_L1].isNull(), look.json.constData());
    QVERIFY(!look.findings("email").contains("queue-without-workers"));
    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live.state("lock:a"), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live.feed().mode, FeedStatus::Mode::PollingOnly, 20'000);
    QVERIFY(!live.feed().reason.isEmpty());
    m_server.line("SET lock:a w2 PX 600000");
    QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:a"), QByteArray("w2"), 30'000);
}

void TestLeastPrivilege::withoutScan()
{
    const ServerUrl url = userWith("-scan");
    const Config named = configOf("[[lock]]\nkey = \"lock:a\"\nlayout = \"set-nx-px\"\n"
                                  "[[queue]]\nkey = \"jobs\"\nlayout = \"reliable-list\"\n");
    const TakenSnapshot look = takeSnapshot(url, named);
    QVERIFY2(look.snapshot, qPrintable(errorText(look.error)));
    QCOMPARE(look.names("locks"), QByteArrayList{"lock:a"});
    QCOMPARE(look.named("locks", "lock:a")["owner"_L1].toString(), u"w1"_s);
    QCOMPARE(look.named("queues", "jobs")["ready"_L1].toInt(-1), 2);
    QVERIFY(!look.scan()["complete"_L1].toBool(true));
    QCOMPARE(permissions(look), QByteArrayList{"+scan"});
    QVERIFY2(look.text.contains("Permission +scan is missing: no key can be scanned.\n"),
             look.text.constData());

    LiveSession live(url, named);
    QTRY_COMPARE_WITH_TIMEOUT(live.owner("lock:a"), QByteArray("w1"), 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(live.ready("jobs"), std::optional<qint64>(2), 20'000);
    QVERIFY(!live.scanned());
    m_server.line("RPUSH jobs d");
    QTRY_COMPARE_WITH_TIMEOUT(live.ready("jobs"), std::optional<qint64>(3), 20'000);
    // A rescan uses a permission that was granted meanwhile.
    m_server.line("ACL SETUSER lockkeeper +scan");
    live->polling().rescan();
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live.state("res:lock:a"), 20'000);
}

void TestLeastPrivilege::withoutScanNothingIsNamed()
{
    const TakenSnapshot look = takeSnapshot(userWith("-scan"));
    QVERIFY(!look.snapshot);
    QCOMPARE(look.error.code, ErrorCode::NoPerm);
    QVERIFY(look.error.detail.contains(u"scan"_s));
}

void TestLeastPrivilege::withoutMemory()
{
    const ServerUrl url = userWith("-memory|usage");
    const TakenSnapshot look = takeSnapshot(url);
    QVERIFY2(look.snapshot, qPrintable(errorText(look.error)));
    QVERIFY2(look.scan()["complete"_L1].toBool(), look.json.constData());
    QCOMPARE(look.named("queues", "jobs")["ready"_L1].toInt(-1), 2);
    QCOMPARE(look.named("queues", "email")["ready"_L1].toInt(-1), 2);
    LiveSession live(url);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned() && live.state("jobs"), 20'000);
    QVERIFY(!live.state("jobs")->problem);
}

LK_TEST(TestLeastPrivilege);
#include "tst_leastprivilege.moc"
