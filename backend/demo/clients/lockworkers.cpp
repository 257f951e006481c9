// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

#include <array>

namespace lk {

namespace {

constexpr std::array lockNames{
    "lock:invoice:42",    "lock:invoice:57",    "lock:report:daily",
    "lock:sync:{eu}",     "lock:sync:{us}",     "lock:import:catalog",
    "lock:index:rebuild", "lock:payout:weekly", "lock:cache:warmup",
};
constexpr int workers = 8;
constexpr auto exportLock = "lock.nightly-export";
constexpr int exportTimeoutS = 12;
constexpr int lockWorkersUsers = 9;
constexpr int lifetimeMs = 30'000;           ///< lifetime of a user's worker
constexpr int lockWorkersRestartMs = 20'000; ///< delay before a crashed worker restarts

// Workers that acquire, renew and release locks, and sometimes crash while they hold one. Also one
// worker for each of some users, with a limited lifetime.
class LockWorkers final : public DemoClient
{
public:
    LockWorkers(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-workers"), seed)
    {}

private:
    /// A lock that a worker holds.
    struct Hold
    {
        QByteArray key;
        QByteArray token;
        int leaseMs = 0;
        int workMs = 0;       ///< remaining work
        bool crashes = false; ///< crashes when the work is half done
    };

    void begin() override
    {
        // Left by a program without leases; no client ever releases it.
        send({{"SET", "lock:migration:2019", hex(32), "NX"}});
        for (int i = 0; i < workers; ++i) {
            if (i < workers / 2)
                tryToLock();
            else
                after(between(500, 8000), [this] { tryToLock(); });
        }
        tryToExport();
        every(2500, 4500, [this] { tryToExport(); });
        for (int i = 0; i < lockWorkersUsers / 2; ++i)
            tryToSpawn();
        every(1500, 4000, [this] { tryToSpawn(); });
    }

    void tryToLock()
    {
        Hold hold;
        hold.key = oneOf(lockNames);
        hold.token = hex(32);
        hold.leaseMs = between(5, 30) * 1000;
        hold.workMs = between(3, 45) * 1000;
        hold.crashes = oneIn(10);
        run("lock-acquire", {hold.key}, {hold.token, text(hold.leaseMs)},
            [=, this](const Reply& taken) {
                if (!taken.isNil())
                    work(hold);
                else
                    after(between(600, 2500), [this] { tryToLock(); });
            });
    }

    void work(Hold hold)
    {
        const int stretch = std::min(hold.workMs, hold.leaseMs / 3);
        hold.workMs -= stretch;
        after(stretch, [=, this] {
            if (hold.crashes && hold.workMs < hold.leaseMs) {
                after(lockWorkersRestartMs, [this] { tryToLock(); });
                return;
            }
            if (hold.workMs <= 0) {
                release(hold);
                return;
            }
            run("lock-renew", {hold.key}, {hold.token, text(hold.leaseMs)},
                [=, this](const Reply& renewed) {
                    if (renewed.integer == 1)
                        work(hold);
                    else // the lock was lost to another client
                        after(between(1000, 4000), [this] { tryToLock(); });
                });
        });
    }

    void release(const Hold& hold)
    {
        run("lock-release", {hold.key}, {hold.token},
            [this](const Reply&) { after(between(1000, 9000), [this] { tryToLock(); }); });
    }

    void tryToExport()
    {
        run("timestamp-lock-acquire", {exportLock}, {text(exportTimeoutS)},
            [this](const Reply& taken) {
                // Every other holder crashes, and the next one takes over when the lease ends.
                if (!taken.isText() || oneIn(2))
                    return;
                after(between(4000, 9000), [this, value = taken.text] {
                    run("timestamp-lock-release", {exportLock}, {value});
                });
            });
    }

    // One worker per user. Its lease is its lifetime and is never renewed; some workers finish
    // earlier.
    void tryToSpawn()
    {
        const QByteArray key =
            QByteArrayLiteral("worker:user:") + text(between(1, lockWorkersUsers));
        const QByteArray worker = QByteArrayLiteral("vm-") + hex(8);
        run("lock-acquire", {key}, {worker, text(lifetimeMs)}, [=, this](const Reply& taken) {
            if (!taken.isNil() && oneIn(3))
                after(between(6000, 20'000), [=, this] { run("lock-release", {key}, {worker}); });
        });
    }
};

} // namespace

std::unique_ptr<DemoClient> makeLockWorkers(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<LockWorkers>(url, seed);
}

} // namespace lk
