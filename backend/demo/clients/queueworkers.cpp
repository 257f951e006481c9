// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/clients.h"

#include <array>

namespace lk {

namespace {

constexpr int janitorMs = 120'000;            ///< how long a job may stay in processing
constexpr int queueWorkersRestartMs = 10'000; ///< delay before a crashed worker restarts
constexpr int maxDead = 25;

constexpr std::array people{"ada", "grace", "edsger", "barbara", "donald", "radia", "leslie"};
constexpr std::array templates{"receipt", "welcome", "password-reset", "invoice", "digest"};

// Producers and workers of two queues. Some workers crash with a job in progress; after a while a
// janitor requeues it. Some jobs fail and are dead-lettered.
class QueueWorkers final : public DemoClient
{
public:
    QueueWorkers(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-queues"), seed)
        , m_mail{QByteArrayLiteral("mail:jobs"), 4, 300, 1800, 150, 40, 150}
        , m_thumbs{QByteArrayLiteral("thumbs"), 1, 500, 1500, 40, 50, 40}
    {}

private:
    /// The settings of one queue. Durations in milliseconds.
    struct Queue
    {
        QByteArray ready;
        int workers = 1;
        int shortestWork = 0;
        int longestWork = 0;
        int dyingOneIn = 0; ///< one in so many jobs crashes its worker
        int deadOneIn = 0;  ///< one in so many jobs fails
        int maxReady = 0;   ///< producers pause above this length

        QByteArray processing() const { return ready + ":processing"; }
        QByteArray dead() const { return ready + ":dead"; }
    };

    void begin() override
    {
        beginMail();
        beginThumbs();
    }

    void beginMail()
    {
        for (int i = 0; i < 12; ++i)
            pushMail();
        // A job whose worker crashed before the demo began, and one that fails.
        run("reliable-list-take", {m_mail.ready, m_mail.processing()}, {},
            [this](const Reply& job) { abandon(m_mail, job.text); });
        run("reliable-list-take", {m_mail.ready, m_mail.processing()}, {},
            [this](const Reply& job) {
                run("reliable-list-requeue", {m_mail.processing(), m_mail.dead()},
                    {job.text, "last"});
            });
        for (int i = 0; i < m_mail.workers; ++i)
            take(m_mail);
        // The workers do nearly four jobs per second; the load is higher for part of the time.
        every(180, 180, [this] {
            if (chance(wave(0.2, 1, 80'000)))
                pushMail();
        });
    }

    void beginThumbs()
    {
        for (int i = 0; i < 3; ++i)
            pushThumb();
        take(m_thumbs);
        every(1500, 5000, [this] { pushThumb(); });
    }

    void pushMail()
    {
        const QByteArray id = QByteArrayLiteral("mail-") + text(++m_lastId).rightJustified(6, '0');
        push(m_mail, "{\"id\":\"" + id + "\",\"to\":\"" + oneOf(people) +
                         "@example.org\",\"template\":\"" + oneOf(templates) + "\"}");
    }

    void pushThumb()
    {
        const QByteArray id = QByteArrayLiteral("thumb-") + text(++m_lastId).rightJustified(6, '0');
        push(m_thumbs, "{\"id\":\"" + id + "\",\"image\":\"uploads/" + hex(12) +
                           ".jpg\",\"width\":" + text(between(1, 4) * 160) + "}");
    }

    void push(const Queue& queue, const QByteArray& job)
    {
        qint64& length = m_lengths[queue.ready];
        if (length > queue.maxReady) {
            // Counts down instead of reading the length: the next push returns the true one.
            --length;
            return;
        }
        run("reliable-list-push", {queue.ready}, {job},
            [this, ready = queue.ready](const Reply& now) {
                if (now.isInteger())
                    m_lengths[ready] = now.integer;
            });
    }

    void take(const Queue& queue)
    {
        run("reliable-list-take", {queue.ready, queue.processing()}, {},
            [&, this](const Reply& job) {
                if (!job.isText()) {
                    after(250, [&, this] { take(queue); });
                    return;
                }
                if (oneIn(queue.dyingOneIn)) {
                    abandon(queue, job.text);
                    after(queueWorkersRestartMs, [&, this] { take(queue); });
                    return;
                }
                after(between(queue.shortestWork, queue.longestWork),
                      [&, this, payload = job.text] { finish(queue, payload); });
            });
    }

    void finish(const Queue& queue, const QByteArray& job)
    {
        const auto next = [&, this](const Reply&) { take(queue); };
        if (oneIn(queue.deadOneIn)) {
            run("reliable-list-requeue", {queue.processing(), queue.dead()}, {job, "last"}, next);
            send({{"LTRIM", queue.dead(), "0", text(maxDead - 1)}});
        } else {
            run("reliable-list-ack", {queue.processing()}, {job}, next);
        }
    }

    void abandon(const Queue& queue, const QByteArray& job)
    {
        after(janitorMs, [&, this, job] {
            run("reliable-list-requeue", {queue.processing(), queue.ready}, {job, "next"});
        });
    }

    Queue m_mail;
    Queue m_thumbs;
    std::map<QByteArray, qint64> m_lengths; ///< length of the ready lists, from the last push
    int m_lastId = 0;
};

} // namespace

std::unique_ptr<DemoClient> makeQueueWorkers(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<QueueWorkers>(url, seed);
}

} // namespace lk
