// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionseries.h"
#include "tests/server/livesession.h"
#include "tests/support/testprogram.h"

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

Config configOf(const QByteArray& toml)
{
    return parseConfig(toml, u"test.toml"_s).value();
}

constexpr auto limitless = "[[limiter]]\nkey = \"quota:*\"\nlayout = \"fixed-window\"\n";
constexpr auto limited = "# ten\n[[limiter]]\nkey = \"quota:*\"\nlayout = \"fixed-window\"\nlimit "
                         "= 10\nwindow = \"5m\"\n";
constexpr auto mailQueue = "[[queue]]\nkey = \"mail\"\nlayout = \"reliable-list\"\n"
                           "processing = \"mail:processing\"\nstuck_after = \"1h\"\n";

} // namespace

/// A declaration made while a session runs applies to that session from then on.
class TestConfigApply : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init();
    void allButTheClassificationStays();
    void whatIsIgnoredGoesAndComesBack();
    void anotherLayoutTakesTheKeys();
    void autoRequeueLeavesAnIgnoredQueue();
    void findingsAreJudgedAnew();

private:
    static std::optional<qint64> limitOf(LiveSession& live, const QByteArray& name)
    {
        const StatePtr state = live.state(name);
        const auto* limiter = state ? state->as<LimiterState>() : nullptr;
        return limiter ? limiter->limit : std::nullopt;
    }

    RedisServer m_server;
    QTemporaryDir m_folder;
};

void TestConfigApply::init()
{
    m_server.flush();
    m_server.lines({"SET quota:a 4 PX 290000", "SET lock:one me PX 600000",
                    "SET lock:two me PX 600000", "RPUSH mail m1 m2", "RPUSH mail:processing p1",
                    "SET odd:1 whoever PX 600000"});
}

void TestConfigApply::allButTheClassificationStays()
{
    LiveSession live(m_server.url(), configOf(QByteArray(limitless) + mailQueue), {},
                     {m_folder.filePath(u"one.jsonl"_s), UndoStore(m_folder.filePath(u"one"_s))});
    QTRY_VERIFY(live.scanned() && live.state("quota:a") && live.state("mail") &&
                live.state("lock:one"));
    const Handle quota = live.handle("quota:a");
    const Handle lock = live.handle("lock:one");
    live->polling().setAttention({quota, lock}, quota);
    live->polling().setPinned(lock, true);
    live->acting().enableWriteMode(60'000);
    QTRY_VERIFY(live->acting().isWriteModeOn());
    const qint64 writeModeUntil = live->acting().writeModeUntilMs();
    live->acting().startAutoRequeue(live.state("mail")->primitive, 3'600'000);
    QTRY_COMPARE(live->acting().autoRequeue({"reliable-list", "mail"}).phase,
                 AutoRequeueStatus::Phase::Here);
    QSignalSpy planned(&live->acting(), &SessionActing::planned);
    QSignalSpy finished(&live->acting(), &SessionActing::runFinished);
    ActionRequest request;
    request.values = {{"owner", "me"}};
    live->acting().planAction("lock.release", {{live.state("lock:two")->primitive}}, request);
    QTRY_COMPARE(planned.size(), 1);
    live->acting().run(planned[0][0].value<PlanSet>().ticket, u"test"_s);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(live->acting().lastUndoable().size(), 1);
    const auto points = [&](Handle handle) {
        const Series* series = live->series().store().find(handle, 0);
        return series ? series->points(0, live->serverNowMs() + 60'000, 5000).size() : 0;
    };
    QTRY_VERIFY(points(quota) > 3 && points(lock) > 3);
    const quint64 generation = live->status().generation;
    const size_t before = points(quota);
    QVERIFY(!limitOf(live, "quota:a"));

    // Lines before it move what stays; what is new is there, too.
    live->applyConfig(configOf(QByteArray(limited) + mailQueue +
                               "[[lock]]\nkey = \"odd:*\"\nlayout = \"set-nx-px\"\n"));
    QTRY_COMPARE(limitOf(live, "quota:a"), std::optional<qint64>(10));
    QTRY_VERIFY(live.state("odd:1") && live.state("odd:1")->kind() == Kind::Lock);
    QTRY_VERIFY(live.scanned());
    QVERIFY(live.seconds(2));
    QCOMPARE(live.handle("quota:a"), quota);
    QCOMPARE(live.handle("lock:one"), lock);
    QCOMPARE(live.count("quota:a"), 1);
    QVERIFY(points(quota) > before);
    QVERIFY(live->polling().isPinned(lock));
    QVERIFY(live->isLive());
    QCOMPARE(live->status().generation, generation);
    QVERIFY(live->acting().isWriteModeOn());
    QCOMPARE(live->acting().writeModeUntilMs(), writeModeUntil);
    QCOMPARE(live->acting().autoRequeue({"reliable-list", "mail"}).phase,
             AutoRequeueStatus::Phase::Here);
    QCOMPARE(live->acting().lastUndoable().size(), 1);
    // And it can still be undone.
    planned.clear();
    finished.clear();
    live->acting().planUndo(live->acting().lastUndoable());
    QTRY_COMPARE(planned.size(), 1);
    live->acting().run(planned[0][0].value<PlanSet>().ticket, u"test"_s);
    QTRY_COMPARE(finished.size(), 1);
    QCOMPARE(m_server.line("GET lock:two").text, QByteArray("me"));

    // Taken back again: as if it had never been declared.
    live->applyConfig(configOf(QByteArray(limitless) + mailQueue));
    QTRY_VERIFY(live.state("quota:a") && !limitOf(live, "quota:a"));
    QTRY_VERIFY(!live.state("odd:1") || live.state("odd:1")->kind() != Kind::Lock ||
                !live.state("odd:1")->primitive->declaration);
    QCOMPARE(live.handle("quota:a"), quota);
    QVERIFY(live->acting().isWriteModeOn());
}

void TestConfigApply::whatIsIgnoredGoesAndComesBack()
{
    LiveSession live(m_server.url());
    QTRY_VERIFY(live.scanned() && live.state("lock:one") && live.state("mail"));
    const Handle mail = live.handle("mail");
    live->applyConfig(configOf("[[ignore]]\nkey = \"lock:*\"\n"));
    QTRY_VERIFY(!live.state("lock:one") && !live.state("lock:two"));
    QVERIFY(live.seconds(2));
    QCOMPARE(live.handle("mail"), mail);
    live->applyConfig({});
    QTRY_VERIFY(live.state("lock:one") && live.state("lock:two"));
    QCOMPARE(live.owner("lock:one"), QByteArray("me"));
    // A lock that is free at that moment is ignored as well.
    m_server.line("DEL lock:one");
    QTRY_VERIFY(live.state("lock:one") && !live.state("lock:one")->present);
    live->applyConfig(configOf("[[ignore]]\nkey = \"lock:one\"\n"));
    QTRY_VERIFY(!live.state("lock:one"));
    QVERIFY(live.state("lock:two"));
}

void TestConfigApply::anotherLayoutTakesTheKeys()
{
    LiveSession live(m_server.url());
    QTRY_VERIFY(live.scanned() && live.state("lock:one"));
    QCOMPARE(live.state("lock:one")->kind(), Kind::Lock);
    live->applyConfig(configOf("[[token]]\nkey = \"lock:one\"\nlayout = \"string-token\"\n"));
    QTRY_VERIFY(live.state("lock:one") && live.state("lock:one")->kind() == Kind::Token);
    QCOMPARE(live.count("lock:one"), 1);
    QCOMPARE(live.state("lock:two")->kind(), Kind::Lock);
    live->applyConfig({});
    QTRY_VERIFY(live.state("lock:one") && live.state("lock:one")->kind() == Kind::Lock);
    QCOMPARE(live.count("lock:one"), 1);
}

// Not one more job is put back there.
void TestConfigApply::autoRequeueLeavesAnIgnoredQueue()
{
    LiveSession live(m_server.url(), configOf(mailQueue), {},
                     {m_folder.filePath(u"two.jsonl"_s), UndoStore(m_folder.filePath(u"two"_s))});
    QTRY_VERIFY(live.scanned() && live.state("mail"));
    live->acting().enableWriteMode(60'000);
    QTRY_VERIFY(live->acting().isWriteModeOn());
    live->acting().startAutoRequeue(live.state("mail")->primitive, 3'600'000);
    QTRY_COMPARE(live->acting().autoRequeue({"reliable-list", "mail"}).phase,
                 AutoRequeueStatus::Phase::Here);
    live->applyConfig(configOf("[[ignore]]\nkey = \"mail*\"\n"));
    QTRY_COMPARE(live->acting().autoRequeue({"reliable-list", "mail"}).phase,
                 AutoRequeueStatus::Phase::Ended);
    QTRY_VERIFY(!live.state("mail"));
    QVERIFY(live->acting().isWriteModeOn());
}

void TestConfigApply::findingsAreJudgedAnew()
{
    m_server.line("SET lock:orphan me");
    LiveSession live(m_server.url());
    const auto orphans = [&] {
        const LiveFindingsPtr findings = live->findings().latest();
        return findings ? std::count_if(findings->rows.begin(), findings->rows.end(),
                                        [](const LiveFindingPtr& one) {
                                            return one->finding.code == "lock-without-ttl" &&
                                                   !one->finding.silenced;
                                        })
                        : -1;
    };
    QTRY_COMPARE_WITH_TIMEOUT(orphans(), 1, 15'000);
    live->applyConfig(
        configOf("[[silence]]\ncode = \"lock-without-ttl\"\nmatch = \"lock:orphan\"\n"));
    QTRY_COMPARE_WITH_TIMEOUT(orphans(), 0, 15'000);
    QCOMPARE(live->findings().latest()->silenced, 1);
    live->applyConfig({});
    QTRY_COMPARE_WITH_TIMEOUT(orphans(), 1, 15'000);
    QCOMPARE(live->findings().latest()->silenced, 0);
}

LK_TEST(TestConfigApply);
#include "tst_configapply.moc"
