// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/server/acting.h"
#include "tests/support/testprogram.h"

#include "backend/acting/executor/actionexecutor.h"
#include "backend/redis/connection.h"

#include <QElapsedTimer>
#include <QMutex>
#include <QRandomGenerator>
#include <QThread>

#include <atomic>
#include <set>

using namespace lk;
using namespace lk::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int raceMs = 3000;
constexpr int lockClients = 4;
constexpr int workers = 3;
const QByteArray release = "if redis.call('GET',KEYS[1])==ARGV[1] then "
                           "return redis.call('DEL',KEYS[1]) else return 0 end";

struct Race
{
    QString socket;
    std::atomic<bool> over = false;
    std::atomic<qint64> pushed = 0;
    QMutex mutex;
    // By token: every lock was taken under a token of its own.
    std::set<QByteArray> taken;
    std::set<QByteArray> releasedByOwner; ///< its own DEL found it
    std::set<QByteArray> lost;            ///< its own DEL found another, or nothing
    std::multiset<QByteArray> finished;   ///< jobs, by the worker that removed them
};

// Those who race. However the test leaves, they have ended before what they share does.
class Racers
{
public:
    explicit Racers(Race& race)
        : m_race(race)
    {}
    Q_DISABLE_COPY_MOVE(Racers)
    ~Racers() { end(); }

    template<typename Function> void add(Function function)
    {
        m_threads.emplace_back(QThread::create(function));
    }
    void start()
    {
        for (const auto& thread : m_threads)
            thread->start();
    }
    bool end()
    {
        m_race.over = true;
        bool all = true;
        for (const auto& thread : m_threads)
            all = thread->wait(20'000) && all;
        return all;
    }

private:
    Race& m_race;
    std::vector<std::unique_ptr<QThread>> m_threads;
};

// Takes the lock under a new token each time, holds it for a moment and gives it back if it is
// still its own.
void lockClient(Race& race, int index)
{
    RespClient client(race.socket);
    std::set<QByteArray> taken;
    std::set<QByteArray> released;
    std::set<QByteArray> lost;
    for (int turn = 0; !race.over; ++turn) {
        const QByteArray token = 'c' + QByteArray::number(index) + '-' + QByteArray::number(turn);
        if (client.run({"SET", "lock:race", token, "NX", "PX", "60000"}).text != "OK")
            continue;
        taken.insert(token);
        for (int hold = 0; hold < turn % 8 * 20; ++hold)
            client.run({"PING"});
        const bool own = client.run({"EVAL", release, "1", "lock:race", token}).integer == 1;
        (own ? released : lost).insert(token);
    }
    const QMutexLocker guard(&race.mutex);
    race.taken.merge(taken);
    race.releasedByOwner.merge(released);
    race.lost.merge(lost);
}

// A job is done by the worker whose LREM removes it from processing. If the console has requeued it
// meanwhile, that is the next worker.
void worker(Race& race)
{
    RespClient client(race.socket);
    std::multiset<QByteArray> finished;
    for (int turn = 0; !race.over; ++turn) {
        const Reply job = client.run({"RPOPLPUSH", "jobs", "jobs:processing"});
        if (job.isNil())
            continue;
        for (int work = 0; work < turn % 5; ++work)
            client.run({"PING"});
        if (turn % 7 != 0 // every seventh is forgotten, as by a worker that died
            && client.run({"LREM", "jobs:processing", "-1", job.text}).integer == 1)
            finished.insert(job.text);
    }
    const QMutexLocker guard(&race.mutex);
    race.finished.merge(finished);
}

void producer(Race& race)
{
    RespClient client(race.socket);
    while (!race.over) {
        if (client.run({"LLEN", "jobs"}).integer < 50)
            client.run({"LPUSH", "jobs", "job-" + QByteArray::number(race.pushed++)});
    }
}

} // namespace

/// The console steps in while everybody works at full speed: it never takes what another has got
/// meanwhile, and no job is lost or there twice.
class TestActionRace : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init() { m_server.flush(); }

    void amongOthers();
    void theExecutorAmongOthers();

private:
    RedisServer m_server;
};

void TestActionRace::amongOthers()
{
    Race race;
    race.socket = m_server.socketPath();
    Actor actor(m_server.url());
    QVERIFY(actor.open());
    Racers racers(race);
    for (int i = 0; i < lockClients; ++i)
        racers.add([&race, i] { lockClient(race, i); });
    for (int i = 0; i < workers; ++i)
        racers.add([&race] { worker(race); });
    racers.add([&race] { producer(race); });
    racers.start();

    const PrimitivePtr lock = declaredPrimitive("set-nx-px", "lock:race");
    const PrimitivePtr queue = declaredPrimitive("reliable-list", "jobs");
    QRandomGenerator random(7);
    std::map<Outcome, int> counts;
    std::set<QByteArray> forced; // tokens whose lock the console says it released
    bool forcedTwice = false;
    qint64 requeued = 0;
    int undone = 0;
    int steps = 0;
    QElapsedTimer time;
    time.start();
    // On a machine that has much else to do chance takes longer to bring each of them.
    while (time.elapsed() < raceMs ||
           ((undone == 0 || counts[Outcome::Conflict] == 0 || forced.empty()) &&
            time.elapsed() < 10 * raceMs)) {
        if (random.bounded(2) == 0) {
            const QByteArray seen = m_server.run({"GET", "lock:race"}).text;
            const Result<Plan> plan = actor.plan(lock, "lock.release", {{"owner", seen}});
            if (seen.isEmpty() || !plan)
                continue;
            const Receipt receipt = actor.run(*plan);
            ++counts[receipt.outcome];
            ++steps;
            if (receipt.outcome == Outcome::Succeeded)
                forcedTwice = !forced.insert(seen).second || forcedTwice;
        } else {
            Values values{{"to", random.bounded(2) ? "next" : "back"}};
            values[random.bounded(2) ? "all" : "index"] = "1";
            const Result<Plan> plan = actor.plan(queue, "queue.requeue", values);
            if (!plan)
                continue;
            const Receipt receipt = actor.run(*plan);
            ++counts[receipt.outcome];
            ++steps;
            requeued += receipt.count;
            if (receipt.undoable && random.bounded(3) == 0) {
                undone += actor.undo(receipt.id).outcome == Outcome::Succeeded;
                ++steps;
            }
        }
    }
    QVERIFY(racers.end());

    // Each lock was ended once: by its owner, by the console, or it is still held. That the console
    // says so of a token which then found its lock gone is: owner seen is owner deleted.
    const QByteArray held = m_server.run({"GET", "lock:race"}).text;
    std::set<QByteArray> lost = race.lost;
    lost.erase(held);
    QVERIFY(!forcedTwice);
    QCOMPARE(forced, lost);
    for (const QByteArray& token : forced)
        QVERIFY(!race.releasedByOwner.contains(token) && race.taken.contains(token));
    QVERIFY2(!forced.empty(), "the console hardly ever stepped in");
    QVERIFY2(counts[Outcome::Conflict] > 0, "nothing ever changed between look and step");
    QCOMPARE(counts[Outcome::Unknown], 0);

    // Every job once: finished, waiting or in processing.
    std::multiset<QByteArray> jobs = race.finished;
    for (const char* list : {"jobs", "jobs:processing"}) {
        for (const Reply& job : m_server.run({"LRANGE", list, "0", "-1"}).items)
            jobs.insert(job.text);
    }
    QCOMPARE(qint64(jobs.size()), race.pushed.load());
    QCOMPARE(std::set<QByteArray>(jobs.begin(), jobs.end()).size(), jobs.size());
    QVERIFY(requeued > 0);
    QVERIFY(undone > 0);

    const std::vector<JournalEntry> journal = actor.journal();
    QCOMPARE(int(journal.size()), steps);
    int done = 0;
    for (const JournalEntry& e : journal)
        done += e.outcome == Outcome::Succeeded && e.undoes.isEmpty();
    QCOMPARE(done, counts[Outcome::Succeeded]);
    qInfo("%zu locks, %zu forced, %lld jobs, %lld requeued, %d conflicts, %d steps",
          race.taken.size(), forced.size(), qlonglong(race.pushed.load()), qlonglong(requeued),
          counts[Outcome::Conflict], steps);
}

// The same through the executor: what was frozen at planning is what is run, one after the other.
void TestActionRace::theExecutorAmongOthers()
{
    Race race;
    race.socket = m_server.socketPath();
    Racers racers(race);
    for (int i = 0; i < workers; ++i)
        racers.add([&race] { worker(race); });
    racers.add([&race] { producer(race); });
    QTemporaryDir folder;
    Connection control(m_server.url());
    FirstSeen firstSeen;
    const SystemClock clock;
    const QString journal = folder.filePath(u"j/journal.jsonl"_s);
    ActionExecutor executor(control, firstSeen, clock, {journal, folder.filePath(u"undo"_s)},
                            nullptr);
    QVERIFY(openAndWait(control));
    QSignalSpy planned(&executor, &ActionExecutor::planned);
    QSignalSpy finished(&executor, &ActionExecutor::finished);
    int receipts = 0;
    qint64 requeued = 0;
    connect(&executor, &ActionExecutor::receiptReady, this, [&](quint64, const Receipt& receipt) {
        ++receipts;
        requeued += receipt.count;
        QVERIFY(receipt.outcome == Outcome::Succeeded || receipt.outcome == Outcome::Conflict ||
                receipt.outcome == Outcome::Refused);
    });
    executor.enableWriteMode(60'000);
    QTRY_VERIFY(executor.acting().isWriteModeOn());
    racers.start();
    int asked = 0;
    qsizetype runs = 0;
    QElapsedTimer time;
    time.start();
    for (quint64 ticket = 1; time.elapsed() < raceMs / 2; ++ticket) {
        PlanRequest request;
        request.ticket = ticket;
        request.action = "queue.requeue";
        request.targets = {{declaredPrimitive("reliable-list", "jobs")},
                           {declaredPrimitive("reliable-list", "jobs")}}; // the same items twice
        request.request.values = {{"all", ""}};
        executor.plan(request);
        QTRY_COMPARE(planned.size(), qsizetype(ticket));
        const auto set = planned.last()[0].value<PlanSet>();
        QCOMPARE(set.ticket, ticket);
        if (set.plans.empty())
            continue; // nothing was in processing just then, so that nothing can be run
        asked += int(set.plans.size());
        executor.run(set.ticket, u"race"_s);
        ++runs;
        QTRY_COMPARE(finished.size(), runs);
    }
    QVERIFY(racers.end());
    QCOMPARE(receipts, asked);
    QVERIFY(requeued > 0);
    std::multiset<QByteArray> jobs = race.finished;
    for (const char* list : {"jobs", "jobs:processing"}) {
        for (const Reply& job : m_server.run({"LRANGE", list, "0", "-1"}).items)
            jobs.insert(job.text);
    }
    QCOMPARE(qint64(jobs.size()), race.pushed.load());
    QCOMPARE(std::set<QByteArray>(jobs.begin(), jobs.end()).size(), jobs.size());
    const auto contents = Journal(journal).read();
    QCOMPARE(int(contents->entries.size()), asked);
    QCOMPARE(contents->broken, 0);
}

LK_TEST(TestActionRace);
#include "tst_actionrace.moc"
