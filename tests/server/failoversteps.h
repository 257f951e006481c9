// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/sessionacting.h"
#include "backend/session/sessionstates.h"
#include "tests/server/livesession.h"
#include "tests/server/takensnapshot.h"
#include "tests/support/faultproxy.h"
#include "tests/support/writingload.h"

#include <set>

namespace lk::test {

inline constexpr int failoverPatienceMs = 60'000;

/// A deployment in which one master dies under load and its replica replaces it. The steps act on a
/// queue and a lock on that master.
struct FailingDeployment
{
    ServerUrl url; ///< that master is behind the proxy
    FaultProxy* proxy = nullptr;
    QByteArray queue;
    QByteArray lock;                               ///< its owner is "me"
    int locks = 0;                                 ///< in all
    std::function<Reply(const Command&)> ask = {}; ///< asks the current master of those
    std::function<bool()> caughtUp = {};           ///< the replica has all data of the master
    std::function<void()> kill = {};               ///< by SIGKILL
    std::function<bool()> waitForTheOther = {};    ///< until the replica has taken over
    std::function<bool(const TakenSnapshot&)> saysWhatLacks = {}; ///< by name

    Config config() const
    {
        return configOf("[[queue]]\nkey = \"" + queue +
                        "\"\nlayout = \"reliable-list\"\nprocessing = \"" + queue +
                        ":processing\"\n");
    }
    qint64 length() const { return ask({"LLEN", queue}).integer; }
    bool isLocked() const { return ask({"EXISTS", lock}).integer == 1; }
};

/// A session in write mode on such a deployment, with the receipts of its steps.
class ActingSession final
{
public:
    explicit ActingSession(const FailingDeployment& deployment)
        : live(deployment.url, deployment.config(), {},
               {m_folder.filePath(QStringLiteral("j/journal.jsonl")),
                UndoStore(m_folder.filePath(QStringLiteral("undo")))})
        , planned(&live->acting(), &SessionActing::planned)
        , dropped(&live->acting(), &SessionActing::planDropped)
        , receipts(&live->acting(), &SessionActing::receiptReady)
    {}

    /// Everything is seen, and write mode is on.
    bool begin(const FailingDeployment& deployment)
    {
        return QTest::qWaitFor(
                   [&] {
                       return live.isReady() && live.state(deployment.lock) &&
                              live.state(deployment.queue);
                   },
                   failoverPatienceMs) &&
               turnOn();
    }
    /// Until it is on: a server may just have taken over.
    bool turnOn()
    {
        return QTest::qWaitFor(
            [&] {
                if (!live->acting().isWriteModeOn() && live.isReady())
                    live->acting().enableWriteMode(600'000);
                return QTest::qWaitFor([&] { return live->acting().isWriteModeOn(); }, 2000);
            },
            failoverPatienceMs);
    }
    /// Returns false if there is no plan to run.
    bool plan(const QByteArray& name, const QByteArray& action,
              const std::map<QByteArray, QByteArray>& values)
    {
        planned.clear();
        live->acting().planAction(action, {{live.state(name)->primitive}}, ActionRequest{values});
        return take();
    }
    bool planUndo(const QByteArray& receipt)
    {
        planned.clear();
        live->acting().planUndo({receipt});
        return take();
    }
    /// Runs the last plan. Empty if there was none.
    std::optional<Receipt> run()
    {
        receipts.clear();
        live->acting().run(ticket, QStringLiteral("a test"));
        return receipt();
    }
    std::optional<Receipt> receipt()
    {
        if (!QTest::qWaitFor([&] { return receipts.size() == 1; }, failoverPatienceMs))
            return std::nullopt;
        return receipts[0][1].value<Receipt>();
    }
    /// True if confirming that plan reports that it is void.
    bool isVoid(quint64 old)
    {
        dropped.clear();
        receipts.clear();
        live->acting().run(old, {});
        return QTest::qWaitFor([&] { return dropped.size() == 1; }, failoverPatienceMs) &&
               dropped[0][0].toULongLong() == old && receipts.isEmpty();
    }

private:
    bool take()
    {
        if (!QTest::qWaitFor([&] { return planned.size() == 1; }, failoverPatienceMs))
            return false;
        const auto set = planned[0][0].value<PlanSet>();
        ticket = set.ticket;
        return set.plans.size() == 1;
    }

    QTemporaryDir m_folder{QDir::tempPath() + QStringLiteral("/lk-XXXXXX")};

public:
    LiveSession live;
    QSignalSpy planned;
    QSignalSpy dropped;
    QSignalSpy receipts;
    quint64 ticket = 0;
};

/// The locks among the names, without those that are there twice.
inline std::set<QByteArray> lockNames(LiveSession& live, int* all)
{
    std::set<QByteArray> names;
    *all = 0;
    for (const auto& [handle, kept] : live->states().all()) {
        const StatePtr state = kept.state();
        if (state->kind() != Kind::Lock)
            continue;
        names.insert(state->primitive->id.name);
        ++*all;
    }
    return names;
}

inline int lockCount(LiveSession& live)
{
    int all = 0;
    const std::set<QByteArray> names = lockNames(live, &all);
    return int(names.size()) == all ? all : -1; // one is there twice
}

// The master dies in the middle of a scan.
inline void snapshotWhileAMasterDies(FailingDeployment& deployment)
{
    bool dead = false;
    QTimer killer;
    const qint64 before = deployment.proxy->bytesToClient();
    QObject::connect(&killer, &QTimer::timeout, &killer, [&] {
        if (!dead && deployment.proxy->bytesToClient() > before + 20'000) {
            deployment.kill();
            dead = true;
        }
    });
    killer.start(0);
    const TakenSnapshot taken = takeSnapshot(deployment.url, {}, {}, failoverPatienceMs);
    killer.stop();
    QVERIFY(dead);
    if (taken.snapshot) {
        QByteArrayList names = taken.names("locks");
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
        if (taken.scan()[QLatin1String("complete")].toBool())
            QCOMPARE(int(names.size()), deployment.locks);
        else
            QVERIFY2(deployment.saysWhatLacks(taken), taken.json.left(3000).constData());
    } else {
        QVERIFY2(taken.error.code != ErrorCode::Timeout, qPrintable(taken.error.detail));
    }
    QVERIFY(deployment.waitForTheOther());
    QTRY_VERIFY_WITH_TIMEOUT(
        takeSnapshot(deployment.url).scan()[QLatin1String("complete")].toBool(),
        failoverPatienceMs);
    const TakenSnapshot after = takeSnapshot(deployment.url);
    QVERIFY(after.snapshot);
    QVERIFY(after.scan()[QLatin1String("complete")].toBool());
    QCOMPARE(int(after.list("locks").size()), deployment.locks);
}

inline void windowWhileAMasterDies(FailingDeployment& deployment)
{
    LiveSession live(deployment.url, deployment.config());
    QTRY_COMPARE_WITH_TIMEOUT(lockCount(live), deployment.locks, failoverPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(live.scanned(), failoverPatienceMs);
    deployment.kill();
    QVERIFY(deployment.waitForTheOther());
    QCOMPARE(deployment.ask({"SET", deployment.lock, "afterwards", "PX", "6000000"}).text,
             QByteArray("OK"));
    QTRY_COMPARE_WITH_TIMEOUT(live.owner(deployment.lock), QByteArray("afterwards"),
                              failoverPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(live.isReady() && live.scanned(), failoverPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(lockCount(live), deployment.locks, failoverPatienceMs);
}

inline void planIsVoidOnceItsMasterIsGone(FailingDeployment& deployment)
{
    ActingSession session(deployment);
    QVERIFY(session.begin(deployment));
    QVERIFY(session.plan(deployment.lock, "lock.release", {{"owner", "me"}}));
    const quint64 before = session.ticket;
    QTRY_VERIFY_WITH_TIMEOUT(deployment.caughtUp(), failoverPatienceMs);
    deployment.kill();
    QTRY_COMPARE_WITH_TIMEOUT(session.dropped.size(), 1, failoverPatienceMs);
    QCOMPARE(session.dropped[0][0].toULongLong(), before);
    QTRY_VERIFY_WITH_TIMEOUT(!session.live->acting().isWriteModeOn(), failoverPatienceMs);
    QVERIFY(deployment.waitForTheOther());
    QVERIFY(session.turnOn());
    QVERIFY(session.isVoid(before));
    QVERIFY(deployment.isLocked());

    QVERIFY(session.plan(deployment.lock, "lock.release", {{"owner", "me"}}));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done);
    QVERIFY2(done->outcome == Outcome::Succeeded, qPrintable(done->text));
    QVERIFY(!deployment.isLocked());
}

/// From the sending of a script to the end of its master. arrived: it ran, and its answer is lost;
/// else it never came there.
inline void killInFlight(FailingDeployment& deployment, ActingSession& session, bool arrived,
                         const std::function<bool()>& hasRun)
{
    if (arrived)
        deployment.proxy->muteFrom("EVAL\r\n"); // the server does not know the script
    else
        deployment.proxy->holdFrom("EVAL");
    session.receipts.clear();
    session.live->acting().run(session.ticket, {});
    if (arrived)
        QTRY_VERIFY_WITH_TIMEOUT(hasRun() && deployment.caughtUp(), failoverPatienceMs);
    else
        QTRY_VERIFY_WITH_TIMEOUT(deployment.proxy->isHolding(), failoverPatienceMs);
    deployment.kill();
    const std::optional<Receipt> lost = session.receipt();
    QVERIFY(lost);
    QCOMPARE(lost->outcome, Outcome::Unknown);
    QVERIFY(deployment.waitForTheOther());
}

inline void actionInFlight(FailingDeployment& deployment, bool arrived)
{
    ActingSession session(deployment);
    QVERIFY(session.begin(deployment));
    const qint64 before = deployment.length();
    QTRY_VERIFY_WITH_TIMEOUT(deployment.caughtUp(), failoverPatienceMs);
    QVERIFY(session.plan(deployment.queue, "queue.push", {{"payload", "new"}}));
    const quint64 ticket = session.ticket;
    killInFlight(deployment, session, arrived, [&] { return deployment.length() == before + 1; });
    if (QTest::currentTestFailed())
        return;
    const qint64 after = before + (arrived ? 1 : 0);
    QCOMPARE(deployment.length(), after);
    QVERIFY(session.turnOn());
    QVERIFY(session.isVoid(ticket));
    QTRY_COMPARE_WITH_TIMEOUT(session.live.ready(deployment.queue), std::optional<qint64>(after),
                              failoverPatienceMs);
    deployment.proxy->heal(); // whatever is on its way comes too late
    QVERIFY(session.plan(deployment.queue, "queue.push", {{"payload", "newer"}}));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done);
    QVERIFY2(done->outcome == Outcome::Succeeded, qPrintable(done->text));
    QCOMPARE(deployment.length(), after + 1);
}

inline void undoAcrossAFailover(FailingDeployment& deployment)
{
    ActingSession session(deployment);
    QVERIFY(session.begin(deployment));
    QVERIFY(session.plan(deployment.lock, "lock.release", {{"owner", "me"}}));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done && done->outcome == Outcome::Succeeded);
    QVERIFY(!deployment.isLocked());
    QTRY_VERIFY_WITH_TIMEOUT(deployment.caughtUp(), failoverPatienceMs);
    QVERIFY(session.planUndo(done->id));
    const quint64 before = session.ticket;
    deployment.kill();
    QTRY_VERIFY_WITH_TIMEOUT(!session.live->acting().isWriteModeOn(), failoverPatienceMs);
    QVERIFY(deployment.waitForTheOther());
    QVERIFY(session.turnOn());
    QVERIFY(session.isVoid(before));
    QVERIFY(!deployment.isLocked());
    QVERIFY(session.planUndo(done->id));
    const std::optional<Receipt> undone = session.run();
    QVERIFY(undone);
    QVERIFY2(undone->outcome == Outcome::Succeeded, qPrintable(undone->text));
    QCOMPARE(deployment.ask({"GET", deployment.lock}).text, QByteArray("me"));
}

inline void undoInFlight(FailingDeployment& deployment, bool arrived)
{
    ActingSession session(deployment);
    QVERIFY(session.begin(deployment));
    QVERIFY(session.plan(deployment.lock, "lock.release", {{"owner", "me"}}));
    const std::optional<Receipt> done = session.run();
    QVERIFY(done && done->outcome == Outcome::Succeeded);
    QTRY_VERIFY_WITH_TIMEOUT(deployment.caughtUp(), failoverPatienceMs);
    QVERIFY(session.planUndo(done->id));
    killInFlight(deployment, session, arrived, [&] { return deployment.isLocked(); });
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(deployment.isLocked(), arrived);
    QVERIFY(session.turnOn());
    // The earlier state is restored once: if that has happened, there is nothing more to do.
    const std::optional<Receipt> again =
        session.planUndo(done->id) ? session.run() : std::optional<Receipt>();
    QCOMPARE(again && again->outcome == Outcome::Succeeded, !arrived);
    QCOMPARE(deployment.ask({"GET", deployment.lock}).text, QByteArray("me"));
}

} // namespace lk::test
