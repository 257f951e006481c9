// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionjobs.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "backend/text/errortext.h"
#include "tests/server/acting.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

using namespace lk;
using namespace lk::test;

namespace {

QByteArrayList previews(const JobPagePtr& list)
{
    QByteArrayList all;
    for (const QueueJob& job : list ? list->jobs : std::vector<QueueJob>())
        all << job.preview;
    return all;
}

QByteArray fingerprints(const QByteArrayList& payloads)
{
    QByteArrayList all;
    for (const QByteArray& payload : payloads)
        all << QByteArray::number(fingerprintOf(payload), 16);
    return all.join(',');
}

} // namespace

// The jobs of a queue in every state: listed while somebody looks, bounded, and acted on one by
// one.
class TestJobLists : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.lines({"FLUSHALL", "RPUSH jobs w3 w2 w1", "RPUSH jobs:processing p2 p1",
                        "ZADD jobs:delayed 1900000000000 later 1800000000000 sooner 5 timeless",
                        "RPUSH jobs:dead d2 d1"});
    }

    void statesAreCounted()
    {
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        const std::vector<JobState> expected{{"waiting", JobRole::Ready, 3},
                                             {"in-progress", JobRole::Processing, 2},
                                             {"delayed", JobRole::Delayed, 3},
                                             {"dead-lettered", JobRole::Dead, 2}};
        QTRY_VERIFY(live->states().at(jobs)->as<QueueState>()->states == expected);
    }

    void eachStateIsListed_data()
    {
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArrayList>("jobs");
        QTest::newRow("waiting") << QByteArray("waiting") << QByteArrayList{"w1", "w2", "w3"};
        QTest::newRow("in progress") << QByteArray("in-progress") << QByteArrayList{"p1", "p2"};
        QTest::newRow("delayed") << QByteArray("delayed")
                                 << QByteArrayList{"timeless", "sooner", "later"};
        QTest::newRow("dead") << QByteArray("dead-lettered") << QByteArrayList{"d1", "d2"};
    }
    void eachStateIsListed()
    {
        QFETCH(QByteArray, state);
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        live->jobs().want(jobs, {state});
        QTRY_VERIFY(live->jobs().page());
        QTEST(previews(live->jobs().page()), "jobs");
        if (state != "delayed")
            return;
        QCOMPARE(live->jobs().page()->jobs[0].facts.dueMs, std::nullopt);
        QCOMPARE(live->jobs().page()->jobs[1].facts.dueMs,
                 std::optional<qint64>(1'800'000'000'000));
    }

    void theListFollowsRedis()
    {
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        live->jobs().want(jobs, {"dead-lettered"});
        QTRY_COMPARE(previews(live->jobs().page()), (QByteArrayList{"d1", "d2"}));
        m_server.lines({"LPUSH jobs:dead d3", "LREM jobs:dead 1 d1"}); // as many as before
        QTRY_COMPARE_WITH_TIMEOUT(previews(live->jobs().page()), (QByteArrayList{"d2", "d3"}),
                                  10'000);
    }

    // Who looks at another primitive does not pay for the list.
    void nothingIsListedForNobody()
    {
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        live->jobs().want(jobs, {"dead-lettered"});
        QTRY_VERIFY(live->jobs().page());
        live->polling().setAttention({jobs}, noHandle);
        QVERIFY(!live->jobs().page());
        QSignalSpy listed(&live->jobs(), &SessionJobs::pageChanged);
        m_server.line("LPUSH jobs:dead d3");
        QVERIFY(live.seconds(3));
        QCOMPARE(listed.size(), 0);
    }

    void listsAreBounded()
    {
        m_server.line("DEL jobs:dead");
        for (int i = 0; i < 400; ++i)
            m_server.run({"LPUSH", "jobs:dead", QByteArray(20'000, 'x') + QByteArray::number(i)});
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        live->jobs().want(jobs, {"dead-lettered"});
        QTRY_VERIFY(live->jobs().page());
        QVERIFY(!live->jobs().page()->jobs.empty());
        QVERIFY2(live->jobs().page()->bytes <= 300'000,
                 qPrintable(QString::number(live->jobs().page()->bytes)));
        QVERIFY(live->jobs().page()->jobs.front().preview.size() <= 512);
        live->jobs().want(jobs, {"waiting"});
        m_server.line("DEL jobs");
        for (int i = 0; i < 400; ++i)
            m_server.run({"LPUSH", "jobs", QByteArray::number(i)});
        QTRY_VERIFY_WITH_TIMEOUT(live->jobs().page() && live->jobs().page()->jobs.size() == 50,
                                 10'000);
        QCOMPARE(live->jobs().page()->jobs.front().preview, QByteArray("0"));
    }

    void aWholePayloadOnRequest()
    {
        const QByteArray payload = QByteArray(5'000, 'y') + QByteArray("\0\xff", 2);
        m_server.run({"LPUSH", "jobs:dead", payload});
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        OpenedJobPtr opened;
        connect(&live->jobs(), &SessionJobs::opened, this,
                [&](const OpenedJobPtr& job) { opened = job; });
        live->jobs().open(jobs, {"dead-lettered"}, queueJobOf(payload, "jobs:dead"));
        QTRY_VERIFY(opened);
        QCOMPARE(opened->detail.payload, payload);
        opened.reset();
        live->jobs().open(jobs, {"dead-lettered"}, queueJobOf("nobody", "jobs:dead"));
        QTRY_VERIFY(opened);
        QVERIFY(opened->detail.problem);
    }

    // Reads only the page on the screen, wherever it is.
    void aPageFromTheMiddle()
    {
        m_server.line("DEL jobs");
        Command fill{"LPUSH", "jobs"};
        for (int i = 0; i < 20'000; ++i)
            fill << QByteArray::number(i);
        m_server.run(fill);
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        for (const qint64 offset : {0, 12'345, 19'990}) {
            live->jobs().want(jobs, {"waiting", offset, 100});
            QTRY_VERIFY(live->jobs().page() && live->jobs().page()->offset == offset);
            QCOMPARE(live->jobs().page()->jobs.size(),
                     size_t(std::min<qint64>(100, 20'000 - offset)));
            QCOMPARE(live->jobs().page()->jobs.front().preview, QByteArray::number(offset));
        }
        // Past the end there is nothing.
        live->jobs().want(jobs, {"waiting", 50'000, 100});
        QTRY_VERIFY(live->jobs().page() && live->jobs().page()->offset == 50'000);
        QVERIFY(live->jobs().page()->jobs.empty());
    }

    // A page continues in the next list if there are several, and leaves no job out.
    void pagesGoThroughSeveralLists()
    {
        m_server.line("DEL jobs:processing");
        m_server.lines({"RPUSH jobs:processing:a a3 a2 a1", "RPUSH jobs:processing:b b3 b2 b1"});
        LiveSession live(m_server.url());
        QVERIFY(QTest::qWaitFor([&] { return live.scanned() && live.state("jobs"); }, 10'000));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        QByteArrayList all;
        for (const qint64 offset : {0, 2, 4}) {
            live->jobs().want(jobs, {"in-progress", offset, 2});
            QTRY_VERIFY(live->jobs().page() && live->jobs().page()->offset == offset);
            all << previews(live->jobs().page());
        }
        // Each list in its own order; which of them comes first is the scan's chance.
        QVERIFY(all.indexOf("a1") < all.indexOf("a2") && all.indexOf("b2") < all.indexOf("b3"));
        std::sort(all.begin(), all.end());
        QCOMPARE(all, (QByteArrayList{"a1", "a2", "a3", "b1", "b2", "b3"}));
    }

    // Stops by itself, says how far it got, and goes on when it is told to.
    void aSearchIsBounded()
    {
        m_server.line("DEL jobs");
        Command fill{"LPUSH", "jobs"};
        for (int i = 0; i < 25'000; ++i)
            fill << "n" + QByteArray::number(i) + ';';
        m_server.run(fill);
        LiveSession live(m_server.url());
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        live->jobs().search(jobs, "waiting", QStringLiteral("N2222"));
        QTRY_VERIFY_WITH_TIMEOUT(live->jobs().found() && live->jobs().found()->more, 20'000);
        QCOMPARE(live->jobs().found()->scanned, 10'000);
        QCOMPARE(live->jobs().found()->total, 25'000);
        QCOMPARE(live->jobs().found()->found, 1);
        QCOMPARE(live->jobs().found()->places, std::vector<qint64>{2222});
        live->jobs().searchMore();
        QTRY_COMPARE_WITH_TIMEOUT(live->jobs().found()->scanned, 20'000, 20'000);
        QTRY_VERIFY(live->jobs().found()->more);
        live->jobs().searchMore();
        QTRY_COMPARE_WITH_TIMEOUT(live->jobs().found()->scanned, 25'000, 20'000);
        QTRY_VERIFY(!live->jobs().found()->underWay && !live->jobs().found()->more);
        QCOMPARE(live->jobs().found()->found, 11); // 2222 and 22220 to 22229
        live->jobs().search(jobs, "waiting", {});
        QVERIFY(!live->jobs().found());
    }

    void whatIsDeniedIsSaid()
    {
        m_server.line("ACL SETUSER few on >pw ~* +@all -lrange");
        ServerUrl url = m_server.url();
        url.user = QStringLiteral("few");
        url.password = QStringLiteral("pw");
        LiveSession live(url);
        QVERIFY(found(live));
        const Handle jobs = live.handle("jobs");
        live->polling().setAttention({jobs}, jobs);
        live->jobs().want(jobs, {"waiting"});
        QTRY_VERIFY(live->jobs().page());
        QVERIFY(live->jobs().page()->problem);
        m_server.line("ACL DELUSER few");
    }

    // Counts of every state, by the contract's names; payloads are secrets.
    void aSnapshotCountsThemAndTellsNoPayload()
    {
        m_server.line("LPUSH jobs:processing S3CRET-JOB");
        const TakenSnapshot taken = takeSnapshot(m_server.url());
        const QJsonArray states = taken.named("queues", "jobs")[QStringLiteral("states")].toArray();
        QByteArrayList told;
        for (const QJsonValue& state : states)
            told << QStringLiteral("%1 %2 %3")
                        .arg(state[QStringLiteral("name")].toString(),
                             state[QStringLiteral("role")].toString())
                        .arg(state[QStringLiteral("count")].toInt())
                        .toUtf8();
        QCOMPARE(told, (QByteArrayList{"waiting ready 3", "in-progress processing 3",
                                       "delayed delayed 3", "dead-lettered dead 2"}));
        QVERIFY2(taken.text.contains("waiting 3, in-progress 3, delayed 3, dead-lettered 2"),
                 taken.text.constData());
        QVERIFY(!taken.json.contains("S3CRET") && !taken.text.contains("S3CRET"));
        QVERIFY2(!taken.text.contains("digest "), taken.text.constData());
    }

    // The chosen one of two equal jobs, and no other.
    void oneOfTwoAlike()
    {
        m_server.lines({"DEL jobs:processing", "RPUSH jobs:processing same other same same"});
        Actor actor(m_server.url());
        QVERIFY(actor.open());
        const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs");
        const Result<Plan> one =
            actor.plan(queue, "queue.discard", {{"items", fingerprints({"same"})}});
        QVERIFY2(one, qPrintable(one ? QString() : errorText(one.error())));
        QCOMPARE(one->objects, 1);
        QCOMPARE(actor.run(*one).outcome, Outcome::Succeeded);
        QCOMPARE(m_server.line("LLEN jobs:processing").integer, 3);
        const Result<Plan> two =
            actor.plan(queue, "queue.discard", {{"items", fingerprints({"same", "same"})}});
        QVERIFY(two);
        QCOMPARE(two->objects, 2);
        QCOMPARE(actor.run(*two).outcome, Outcome::Succeeded);
        QCOMPARE(m_server.line("LRANGE jobs:processing 0 -1").items.size(), size_t(1));
    }

    // From every state, and back by undo.
    void chosenJobsMoveAndComeBack_data()
    {
        QTest::addColumn<QByteArray>("action");
        QTest::addColumn<QByteArray>("state");
        QTest::addColumn<QByteArrayList>("chosen");
        QTest::addColumn<QByteArray>("effect");
        QTest::addColumn<QByteArrayList>("seen");
        const auto row = [](const char* action, const char* state, QByteArrayList chosen,
                            const char* effect, QByteArrayList seen) {
            QTest::addRow("%s %s", action, state)
                << QByteArray(action) << QByteArray(state) << chosen << QByteArray(effect) << seen;
        };
        row("queue.discard", "ready", {"w2"}, "LRANGE jobs 0 -1", {"w3", "w1"});
        row("queue.discard", "dead", {"d1"}, "LRANGE jobs:dead 0 -1", {"d2"});
        row("queue.discard", "delayed", {"later", "timeless"}, "ZRANGE jobs:delayed 0 -1",
            {"sooner"});
        row("queue.dead-letter", "ready", {"w2"}, "LRANGE jobs:dead 0 -1", {"w2", "d2", "d1"});
        row("queue.dead-letter", "delayed", {"sooner"}, "LRANGE jobs:dead 0 -1",
            {"sooner", "d2", "d1"});
        row("queue.promote", "", {"later", "sooner"}, "LRANGE jobs 0 -1",
            {"w3", "w2", "w1", "later", "sooner"});
        row("queue.retry", "", {"d2"}, "LRANGE jobs 0 -1", {"d2", "w3", "w2", "w1"});
        row("queue.requeue", "", {"p2"}, "LRANGE jobs 0 -1", {"w3", "w2", "w1", "p2"});
    }
    void chosenJobsMoveAndComeBack()
    {
        QFETCH(QByteArray, action);
        QFETCH(QByteArray, state);
        QFETCH(QByteArrayList, chosen);
        QFETCH(QByteArray, effect);
        Actor actor(m_server.url());
        QVERIFY(actor.open());
        const Everything before = everything(m_server);
        Declaration declaration;
        declaration.companions = {{"delayed", "jobs:delayed"}, {"dead", "jobs:dead"}};
        const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs", declaration);
        Values values{{"items", fingerprints(chosen)}};
        if (!state.isEmpty())
            values["state"] = state;
        const Result<Plan> plan = actor.plan(queue, action, values);
        QVERIFY2(plan, qPrintable(plan ? QString() : errorText(plan.error())));
        QCOMPARE(plan->objects, chosen.size());
        const Receipt receipt = actor.run(*plan);
        QVERIFY2(receipt.outcome == Outcome::Succeeded, qPrintable(receipt.text));
        QByteArrayList seen;
        for (const Reply& item : m_server.line(effect).items)
            seen << item.text;
        QTEST(seen, "seen");
        const Receipt undone = actor.undo(receipt.id);
        QVERIFY2(undone.outcome == Outcome::Succeeded, qPrintable(undone.text));
        // Undo puts what it takes back at a list's end; delayed jobs are due when they were.
        QCOMPARE(m_server.line("ZRANGE jobs:delayed 0 -1 WITHSCORES").items.size(), size_t(6));
        QCOMPARE(m_server.run({"DUMP", "jobs:delayed"}).text, before.at("jobs:delayed").first);
        QCOMPARE(m_server.line("LLEN jobs").integer, 3);
        QCOMPARE(m_server.line("LLEN jobs:dead").integer, 2);
        QCOMPARE(m_server.line("LLEN jobs:processing").integer, 2);
    }

    // Somebody gave it another time meanwhile.
    void aDelayedJobThatIsDueElsewhenStays()
    {
        Actor actor(m_server.url());
        QVERIFY(actor.open());
        Declaration declaration;
        declaration.companions = {{"delayed", "jobs:delayed"}};
        const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs", declaration);
        const Result<Plan> plan =
            actor.plan(queue, "queue.promote", {{"items", fingerprints({"later"})}});
        QVERIFY(plan);
        m_server.line("ZADD jobs:delayed 1950000000000 later");
        QCOMPARE(actor.run(*plan).outcome, Outcome::Conflict);
        QCOMPARE(m_server.line("ZSCORE jobs:delayed later").text.toDouble(), 1.95e12);
        QCOMPARE(m_server.line("LLEN jobs").integer, 3);
    }

private:
    // The queue with all its keys.
    static bool found(LiveSession& live)
    {
        return QTest::qWaitFor(
            [&] {
                const StatePtr state = live.state("jobs");
                return live.scanned() && state && state->primitive->keys.size() >= 4;
            },
            10'000);
    }

    RedisServer m_server;
};

LK_TEST(TestJobLists);
#include "tst_joblists.moc"
