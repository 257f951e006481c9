// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/libraries/libraryclients.h"

#include "backend/demo/libraries/bullclient.h"

#include <QDateTime>

#include <array>

namespace lk {

namespace {

constexpr const char* lockMs = "30000";
constexpr const char* blockS =
    "2"; // shorter than in the library, which has a separate connection for it
constexpr int restartMs = 10'000;
constexpr int backoffMs = 8000;
constexpr int attempts = 3;
constexpr int dyingOneIn = 60;
constexpr int bullWorkerFailingOneIn = 7;

constexpr std::array bullWorkerErrors{"connect ETIMEDOUT 10.0.4.12:587",
                                      "550 5.1.1 mailbox unavailable",
                                      "template invoice-de not found"};

QByteArray clientName(int number, bool clustered)
{
    return QByteArray(clustered ? "{bull}:" : "bull:") + QByteArrayLiteral("email").toBase64() +
           ":w:mailer-" + text(number);
}

qint64 bullWorkerNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

// A worker of BullMQ 5 that runs one job at a time. The name of its connection contains the queue
// and the worker, and it blocks on the marker while there is no job. Some jobs fail and are retried
// later; sometimes the worker crashes and restarts.
class BullWorker final : public BullClient
{
public:
    BullWorker(ServerUrl url, int number, quint32 seed)
        : BullClient(url, clientName(number, url.deployment == ServerUrl::Deployment::Cluster),
                     seed)
        , m_number(number)
    {}

private:
    void begin() override
    {
        after(between(50, 400), [this] { take(); });
    }

    void take()
    {
        // Moves jobs that have become due.
        ask({"ZRANGEBYSCORE", key("delayed"), "0", text((bullWorkerNow() + 1) * 4096 - 1), "LIMIT",
             "0", "100"},
            [this](const Reply& due) {
                for (const Reply& id : due.items)
                    promote(id.text);
            });
        ask({"RPOPLPUSH", key("wait"), key("active")}, [this](const Reply& id) {
            if (id.isText()) {
                work(id.text);
                return;
            }
            // Returns from the block with the marker, or nil.
            ask({"BZPOPMIN", key("marker"), blockS},
                [this](const Reply&) { after(50, [this] { take(); }); });
        });
    }

    void promote(const QByteArray& id)
    {
        ask({"ZREM", key("delayed"), id}, [this, id](const Reply& removed) {
            if (!removed.isInteger() || removed.integer != 1)
                return; // another worker did it, or an operator
            send({{"HSET", key(id), "delay", "0"}});
            enqueue(id, "delayed");
        });
    }

    void work(const QByteArray& id)
    {
        const QByteArray token = "5d2c8f0e-6f0b-4b53-9a0e-0c7d5a1e4f0" + text(m_number) + ":0";
        send({{"SET", key(id) + ":lock", token, "PX", lockMs},
              {"HSET", key(id), "processedOn", text(bullWorkerNow()), "pb",
               "mailer-" + text(m_number)},
              {"HINCRBY", key(id), "ats", "1"},
              event("active", id, {{"prev", "waiting"}})});
        if (oneIn(dyingOneIn)) {
            after(restartMs, [this] { take(); });
            return;
        }
        after(between(600, 3500), [this, id] {
            finish(id);
            take();
        });
    }

    void finish(const QByteArray& id)
    {
        ask({"LREM", key("active"), "-1", id}, [this, id](const Reply& removed) {
            if (!removed.isInteger() || removed.integer != 1)
                return; // another client has taken it meanwhile
            send({{"DEL", key(id) + ":lock"}, {"SREM", key("stalled"), id}});
            if (oneIn(bullWorkerFailingOneIn)) {
                fail(id);
                return;
            }
            send({{"HINCRBY", key(id), "atm", "1"}});
            end(id, {});
        });
    }

    void fail(const QByteArray& id)
    {
        const QByteArray error = oneOf(bullWorkerErrors);
        send({{"HSET", key(id), "stacktrace", stackTrace(error)}});
        ask({"HINCRBY", key(id), "atm", "1"}, [this, id, error](const Reply& made) {
            // Gives up on some jobs before all attempts are used.
            if (made.integer < attempts && !oneIn(3)) {
                send({{"HSET", key(id), "failedReason", error}});
                delay(id, qint64(backoffMs) << (made.integer - 1));
                return;
            }
            end(id, error);
            send({event("retries-exhausted", id, {{"attemptsMade", text(made.integer)}})});
        });
    }

    int m_number;
};

} // namespace

std::unique_ptr<DemoClient> makeBullWorker(const ServerUrl& url, int number, quint32 seed)
{
    return std::make_unique<BullWorker>(url, number, seed);
}

} // namespace lk
