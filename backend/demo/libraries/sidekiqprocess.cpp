// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/libraries/libraryclients.h"

#include <map>

#include <QJsonObject>

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

#include <array>
#include <cmath>

namespace lk {

namespace {

constexpr int heartbeatMs = 5000;
constexpr const char* expiry = "60"; // seconds, Sidekiq's own
constexpr qint64 sidekiqProcessMostWaiting = 40;
constexpr int sidekiqProcessFailingOneIn = 10;
constexpr const char* mostDead = "-21"; // by rank: the newest 20 stay

constexpr char process[] = "app-1:4711:3f9a1c0b77de";
constexpr char workers[] = "app-1:4711:3f9a1c0b77de:workers";
constexpr char queueKey[] = "queue:default";
constexpr char workingKey[] = "working:queue:default:app-1:4711:c07be21d88f0";
constexpr char heartbeatKey[] = "reliable-fetcher-heartbeat-app-1-4711-c07be21d88f0";
// A process without a heartbeat.
constexpr char lostKey[] = "working:queue:default:app-2:4690:91d3ff04aa6c";

struct JobClass
{
    const char* name;
    const char* error;
    const char* message;
};
constexpr std::array jobClasses{
    JobClass{"OrderConfirmationJob", "Net::ReadTimeout",
             "Net::ReadTimeout with #<TCPSocket:(closed)>"},
    JobClass{"SearchIndexJob", "ActiveRecord::RecordNotFound", "Couldn't find Order"},
    JobClass{"WebhookDeliveryJob", "Errno::ECONNREFUSED",
             "Failed to open TCP connection to hooks.example.org:443"},
    JobClass{"LegacyExportJob", "NoMethodError", "undefined method `rows' for nil:NilClass"}};

// Goes to the dead jobs at its first failure.
constexpr char withoutRetry[] = "LegacyExportJob";

double nowS()
{
    return double(QDateTime::currentMSecsSinceEpoch()) / 1000;
}

QByteArray seconds(double s)
{
    return QByteArray::number(s, 'f', 3);
}

QByteArray json(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

// A queue in the format of Sidekiq 6.4 with GitLab's reliable fetcher: a process with four threads,
// jobs that fail and are retried, a few dead ones, and one that a lost process had taken.
class SidekiqProcess final : public DemoClient
{
public:
    SidekiqProcess(ServerUrl url, quint32 seed)
        : DemoClient(std::move(url), QByteArrayLiteral("demo-sidekiq"), seed)
    {}

private:
    void begin() override
    {
        // The fetcher looks for lists of lost processes once an hour. This marks the check as done.
        send({{"SADD", "queues", "default"},
              {"SET", "reliable-fetcher-cleanup-lock", "1", "EX", "3600"}});
        beat();
        for (int i = 0; i < 6; ++i)
            push();
        for (int i = 0; i < 7; ++i)
            keep("dead", failed(job(), 24), nowS() - between(60, 9000));
        for (int i = 0; i < 3; ++i)
            keep("schedule", job(), nowS() + between(30, 900));
        for (int i = 0; i < 4; ++i)
            keep("retry", failed(job(), i), nowS() + between(30, 900));
        QJsonObject lost = job();
        lost.insert(QStringLiteral("enqueued_at"), nowS() - 430);
        send({{"LPUSH", lostKey, json(lost)}});
        for (const char* thread : {"gnm5k", "gnm6c", "gnm74", "gnm7w"})
            take(thread);
        every(heartbeatMs, heartbeatMs, [this] { beat(); });
        every(500, 1500, [this] { push(); });
        every(30'000, 60'000, [this] { keep("schedule", job(), nowS() + between(20, 120)); });
        for (const char* set : {"schedule", "retry"})
            every(2000, 5000, [this, set] { poll(set); });
    }

    QJsonObject job()
    {
        const JobClass& jobClass = oneOf(jobClasses);
        const bool once = qstrcmp(jobClass.name, withoutRetry) == 0;
        return {{QStringLiteral("retry"), once ? QJsonValue(0) : QJsonValue(true)},
                {QStringLiteral("queue"), QStringLiteral("default")},
                {QStringLiteral("args"), QJsonArray{between(1000, 9999)}},
                {QStringLiteral("class"), QLatin1String(jobClass.name)},
                {QStringLiteral("jid"), QString::fromLatin1(hex(24))},
                {QStringLiteral("created_at"), nowS()}};
    }

    QJsonObject failed(QJsonObject job, int count)
    {
        const QString name = job.value(u"class").toString();
        for (const JobClass& jobClass : jobClasses) {
            if (name != QLatin1String(jobClass.name))
                continue;
            job.insert(QStringLiteral("error_class"), QLatin1String(jobClass.error));
            job.insert(QStringLiteral("error_message"), QLatin1String(jobClass.message));
        }
        job.insert(count == 0 ? QStringLiteral("failed_at") : QStringLiteral("retried_at"), nowS());
        job.insert(QStringLiteral("retry_count"), count);
        return job;
    }

    // Only heartbeats report the jobs that threads work on.
    void beat()
    {
        const QJsonObject info{{QStringLiteral("hostname"), QStringLiteral("app-1")},
                               {QStringLiteral("started_at"), nowS() - 86'400},
                               {QStringLiteral("pid"), 4711},
                               {QStringLiteral("tag"), QStringLiteral("shop")},
                               {QStringLiteral("concurrency"), 4},
                               {QStringLiteral("queues"), QJsonArray{QStringLiteral("default")}},
                               {QStringLiteral("labels"), QJsonArray()},
                               {QStringLiteral("identity"), QLatin1String(process)}};
        std::vector<Command> commands{{"SADD", "processes", process},
                                      {"HSET", process, "info", json(info), "busy",
                                       text(qint64(m_working.size())), "rss", "182340", "beat",
                                       seconds(nowS()), "rtt_us", "212", "quiet", "false"},
                                      {"EXPIRE", process, expiry},
                                      {"SET", heartbeatKey, "1", "EX", expiry},
                                      {"UNLINK", workers}};
        for (const auto& [thread, entry] : m_working)
            commands.push_back({"HSET", workers, thread, entry});
        if (!m_working.empty())
            commands.push_back({"EXPIRE", workers, expiry});
        send(std::move(commands));
    }

    void push()
    {
        if (m_waiting > sidekiqProcessMostWaiting)
            --m_waiting; // counts down until the next push returns the true length
        else
            enqueue(job());
    }

    void enqueue(QJsonObject job)
    {
        job.insert(QStringLiteral("enqueued_at"), nowS());
        ask({"LPUSH", queueKey, json(job)}, [this](const Reply& length) {
            if (length.isInteger())
                m_waiting = length.integer;
        });
    }

    void keep(const char* set, const QJsonObject& job, double atS)
    {
        send({{"ZADD", set, seconds(atS), json(job)}});
    }

    void poll(const char* set)
    {
        ask({"ZRANGEBYSCORE", set, "-inf", seconds(nowS()), "LIMIT", "0", "1"},
            [this, set](const Reply& due) {
                if (due.items.empty())
                    return;
                const QByteArray payload = due.items.front().text;
                ask({"ZREM", set, payload}, [this, payload](const Reply& removed) {
                    if (removed.isInteger() &&
                        removed.integer == 1) // else another client has moved it
                        enqueue(QJsonDocument::fromJson(payload).object());
                });
            });
    }

    void take(const QByteArray& thread)
    {
        ask({"RPOPLPUSH", queueKey, workingKey}, [this, thread](const Reply& payload) {
            if (payload.isText())
                work(thread, payload.text);
            else
                after(1000, [this, thread] { take(thread); });
        });
    }

    void work(const QByteArray& thread, const QByteArray& payload)
    {
        m_working[thread] = json({{QStringLiteral("queue"), QStringLiteral("default")},
                                  {QStringLiteral("payload"), QString::fromUtf8(payload)},
                                  {QStringLiteral("run_at"), qint64(nowS())}});
        after(between(1500, 6000), [this, thread, payload] {
            m_working.erase(thread);
            const QByteArray day =
                QDateTime::currentDateTimeUtc().date().toString(Qt::ISODate).toLatin1();
            send({{"LREM", workingKey, "1", payload},
                  {"INCR", "stat:processed"},
                  {"INCR", "stat:processed:" + day},
                  {"EXPIRE", "stat:processed:" + day, "157680000"}});
            if (oneIn(sidekiqProcessFailingOneIn))
                fail(payload);
            take(thread);
        });
    }

    void fail(const QByteArray& payload)
    {
        QJsonObject job = QJsonDocument::fromJson(payload).object();
        const bool once = job.value(u"retry") == QJsonValue(0);
        const int count = job.contains(u"retry_count") ? job.value(u"retry_count").toInt() + 1 : 0;
        job = failed(std::move(job), count);
        send({{"INCR", "stat:failed"}});
        if (once) {
            keep("dead", job, nowS());
            send({{"ZREMRANGEBYRANK", "dead", "0", mostDead}});
        } else {
            keep("retry", job, nowS() + std::pow(count, 4) + 15 + between(0, 9) * (count + 1));
        }
    }

    std::map<QByteArray, QByteArray> m_working; ///< by thread, for the next heartbeat
    qint64 m_waiting = 0;                       ///< from the last push
};

} // namespace

std::unique_ptr<DemoClient> makeSidekiqProcess(const ServerUrl& url, quint32 seed)
{
    return std::make_unique<SidekiqProcess>(url, seed);
}

} // namespace lk
