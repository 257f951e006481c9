// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/libraries/libraryclients.h"

#include "backend/demo/libraries/bullclient.h"

#include <QDateTime>

#include <array>

namespace lk {

namespace {

constexpr int stalledCheckMs = 300'000;
constexpr qint64 bullProducerMostWaiting = 60;

constexpr std::array names{"welcome", "receipt", "invoice", "password-reset"};
constexpr std::array people{"ada", "grace", "edsger", "barbara", "donald", "radia", "leslie"};
constexpr std::array bullProducerErrors{
    "connect ETIMEDOUT 10.0.4.12:587", "550 5.1.1 mailbox unavailable",
    "550 5.1.1 mailbox unavailable", "template invoice-de not found"};

qint64 bullProducerNow()
{
    return QDateTime::currentMSecsSinceEpoch();
}

// Fills a queue in the format of BullMQ 5: waiting and delayed jobs, some that failed before the
// demo began, and one whose worker was gone by then. Also looks for stalled jobs, as one worker of
// a queue does; rarely, so that one can be seen.
class BullProducer final : public BullClient
{
public:
    BullProducer(ServerUrl url, quint32 seed)
        : BullClient(std::move(url), QByteArrayLiteral("demo-bullmq"), seed)
    {}

private:
    void begin() override
    {
        send({{"HSET", key("meta"), "opts.maxLenEvents", "200", "version", "bullmq:5.81.5"}});
        for (int i = 0; i < 14; ++i)
            push();
        for (int i = 0; i < 11; ++i)
            failBefore(between(60, 3600) * 1000);
        for (int i = 0; i < 5; ++i)
            schedule(between(60, 1800) * 1000);
        stallBefore(380'000);
        checkStalled();
        every(350, 900, [this] {
            if (chance(wave(0.3, 1, 90'000)))
                push();
        });
        every(20'000, 40'000, [this] { schedule(between(20, 90) * 1000); });
        every(stalledCheckMs, stalledCheckMs, [this] { checkStalled(); });
    }

    QByteArray makeJob(qint64 createdMs, qint64 delayMs = 0)
    {
        const QByteArray id = text(++m_lastId);
        const QByteArray name = oneOf(names);
        const QByteArray later = delayMs > 0 ? "\"delay\":" + text(delayMs) + ',' : QByteArray();
        send(
            {{"INCR", key("id")},
             {"HSET", key(id), "name", name, "data",
              "{\"to\":\"" + QByteArray(oneOf(people)) +
                  "@example.org\",\"order\":" + text(between(10'000, 99'999)) + '}',
              "opts",
              '{' + later + "\"attempts\":3,\"backoff\":{\"delay\":8000,\"type\":\"exponential\"}}",
              "timestamp", text(createdMs), "delay", text(delayMs), "priority", "0"},
             event("added", id, {{"name", name}})});
        return id;
    }

    void push()
    {
        if (m_waiting > bullProducerMostWaiting) {
            --m_waiting; // counts down until the next push returns the true length
            return;
        }
        enqueue(makeJob(bullProducerNow()), nullptr, [this](const Reply& length) {
            if (length.isInteger())
                m_waiting = length.integer;
        });
    }

    void schedule(qint64 delayMs) { delay(makeJob(bullProducerNow(), delayMs), delayMs); }

    void failBefore(qint64 agoMs)
    {
        const QByteArray id = makeJob(bullProducerNow() - agoMs - 26'000);
        const QByteArray error = oneOf(bullProducerErrors);
        send({{"HSET", key(id), "processedOn", text(bullProducerNow() - agoMs - 900), "finishedOn",
               text(bullProducerNow() - agoMs), "ats", "3", "atm", "3", "failedReason", error,
               "stacktrace", stackTrace(error)},
              {"ZADD", key("failed"), text(bullProducerNow() - agoMs), id}});
    }

    // The job has no lock.
    void stallBefore(qint64 agoMs)
    {
        const QByteArray id = makeJob(bullProducerNow() - agoMs - 9000);
        send({{"HSET", key(id), "processedOn", text(bullProducerNow() - agoMs), "pb", "mailer-0",
               "ats", "1"},
              {"LPUSH", key("active"), id}});
    }

    // Returns jobs suspected since the last check that have no lock. Jobs in progress now are
    // suspected until the next check.
    void checkStalled()
    {
        send({{"SET", key("stalled-check"), text(bullProducerNow()), "PX", text(stalledCheckMs)}});
        ask({"SMEMBERS", key("stalled")}, [this](const Reply& suspected) {
            for (const Reply& id : suspected.items)
                returnStalled(id.text);
            ask({"LRANGE", key("active"), "0", "-1"}, [this](const Reply& active) {
                for (const Reply& id : active.items)
                    send({{"SADD", key("stalled"), id.text}});
            });
        });
    }

    void returnStalled(const QByteArray& id)
    {
        ask({"EXISTS", key(id) + ":lock"}, [this, id](const Reply& lock) {
            if (!lock.isInteger() || lock.integer != 0)
                return;
            ask({"LREM", key("active"), "1", id}, [this, id](const Reply& removed) {
                if (!removed.isInteger() || removed.integer != 1)
                    return;
                send({{"SREM", key("stalled"), id},
                      {"HINCRBY", key(id), "stc", "1"},
                      {"RPUSH", key("wait"), id},
                      {"ZADD", key("marker"), "0", "0"},
                      event("waiting", id, {{"prev", "active"}}),
                      event("stalled", id)});
            });
        });
    }

    qint64 m_lastId = 0;
    qint64 m_waiting = 0; ///< from the last push
};

} // namespace

std::unique_ptr<DemoClient> makeBullProducer(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<BullProducer>(url, seed);
}

} // namespace lk
