// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/resque/resquejobs.h"

#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QTimeZone>

namespace lk {

namespace {

// Resque writes a heartbeat a minute and prunes a worker after five without one; node-resque pings
// every few seconds, but not while a job keeps its process busy. See
// lua/actions/resque/resque-jobs.lua.
constexpr qint64 signOfLifeEndsMs = 300'000;

QByteArray textOf(const QJsonObject& object, const char* field)
{
    return object.value(QLatin1String(field)).toString().toUtf8();
}

QJsonObject objectOf(const QByteArray& json)
{
    return QJsonDocument::fromJson(json).object();
}

// Reads ISO 8601 as Ruby writes it, or "Sun Nov 22 2026 06:26:08 GMT+0000 (...)" as JavaScript
// does.
std::optional<qint64> momentOf(const QByteArray& text)
{
    const QString written = QString::fromLatin1(text.left(64));
    QDateTime moment = QDateTime::fromString(written, Qt::ISODate);
    if (!moment.isValid()) {
        const QString time = written.left(24);
        moment = QLocale::c().toDateTime(time, QStringLiteral("ddd MMM dd yyyy HH:mm:ss"));
        moment.setTimeZone(QTimeZone::utc());
        const qsizetype zone = written.indexOf(QLatin1String("GMT"));
        bool fine = false;
        const int offset = zone < 0 ? 0 : written.mid(zone + 3, 5).toInt(&fine); // +0130
        if (fine)
            moment = moment.addSecs(-((offset / 100) * 3600 + (offset % 100) * 60));
    }
    return moment.isValid() ? std::optional(moment.toMSecsSinceEpoch()) : std::nullopt;
}

// Sidekiq uses the same names, but each of its jobs has an id.
bool isJob(const QJsonObject& job)
{
    return job.value(QLatin1String("class")).isString() && job.contains(QLatin1String("args")) &&
           !job.contains(QLatin1String("jid"));
}

bool isNumber(const QByteArray& text)
{
    return wholeNumber(text).has_value();
}

} // namespace

ResqueName resqueNameOf(const QByteArray& key, KeyType type)
{
    if (type == KeyType::Set) {
        for (const char* part : {"queues", "workers"}) {
            if (key.endsWith(QByteArray(":") + part))
                return {key.chopped(qsizetype(qstrlen(part)) + 1), part, {}};
        }
        return {};
    }
    if (type == KeyType::String) {
        const qsizetype at = key.indexOf(":worker:");
        const QByteArray rest = at > 0 ? key.mid(at + 8) : QByteArray();
        const bool worker = rest.count(':') >= 2 && !rest.endsWith(":started");
        return worker ? ResqueName{key.left(at), "worker", rest} : ResqueName{};
    }
    if (type != KeyType::List)
        return {};
    if (key.endsWith(":failed"))
        return {key.chopped(7), "failed", {}};
    if (const qsizetype at = key.indexOf(":queue:"); at > 0)
        return {key.left(at), "queue", key.mid(at + 7)};
    if (const qsizetype at = key.lastIndexOf(":delayed:"); at > 0 && isNumber(key.mid(at + 9)))
        return {key.left(at), "delayed", key.mid(at + 9)};
    return {};
}

QByteArray resqueSpaceOf(const QByteArray& key)
{
    for (const char* part :
         {":workers", ":failed", ":delayed_queue_schedule", ":failed_queues", ":workers:heartbeat",
          ":connection_test_key", ":resque_scheduler_leader_lock",
          ":pruning_dead_workers_in_progress"}) {
        if (key.endsWith(part))
            return key.chopped(qsizetype(qstrlen(part)));
    }
    for (const char* part : {":worker:", ":delayed:", ":timestamps:", ":stat:", ":workerslock:"}) {
        if (const qsizetype at = key.indexOf(part); at > 0)
            return key.left(at);
    }
    return {};
}

QByteArray resqueQueueOf(const ResqueName& name, const Probe& probe)
{
    if (name.part == "queues") // other libraries store the queues' keys there
        return probe.sample.empty() || probe.sample.front().contains(':') ? QByteArray()
                                                                          : probe.sample.front();
    if (name.part == "workers" || name.part == "worker") {
        const QByteArray member = name.part == "worker"  ? name.rest
                                  : probe.sample.empty() ? QByteArray()
                                                         : probe.sample.front();
        const QByteArray worker = resqueWorkerName(member);
        const QByteArray queues = member.mid(worker.size() + 1);
        const bool fits = member.count(':') >= 2 && isNumber(worker.mid(worker.indexOf(':') + 1));
        const QByteArray first = queues.split(',').front();
        return fits && !first.contains('*') ? first : QByteArray();
    }
    const QJsonObject job = objectOf(probe.first);
    if (name.part == "queue")
        return isJob(job) ? name.rest : QByteArray();
    if (name.part == "delayed")
        return isJob(job) ? textOf(job, "queue") : QByteArray();
    return isJob(job.value(QLatin1String("payload")).toObject()) ? textOf(job, "queue")
                                                                 : QByteArray();
}

ResqueJob resqueJobOf(const QByteArray& json)
{
    const QJsonObject job = objectOf(json);
    ResqueJob found;
    found.facts.name = textOf(job, "class").left(128);
    found.queue = textOf(job, "queue");
    return found;
}

ResqueJob resqueFailureOf(const QByteArray& json)
{
    const QJsonObject failure = objectOf(json);
    ResqueJob found;
    found.queue = textOf(failure, "queue");
    found.facts.name =
        textOf(failure.value(QLatin1String("payload")).toObject(), "class").left(128);
    found.facts.worker = textOf(failure, "worker");
    found.facts.finishedMs = momentOf(textOf(failure, "failed_at"));
    const QByteArray exception = textOf(failure, "exception");
    const QByteArray error = textOf(failure, "error");
    found.facts.error = firstLine(exception.isEmpty() ? error : exception + ": " + error);
    return found;
}

QByteArray resqueWorkerName(const QByteArray& member)
{
    const qsizetype host = member.indexOf(':');
    const qsizetype pid = host < 0 ? -1 : member.indexOf(':', host + 1);
    return pid < 0 ? member : member.left(pid);
}

ResqueWorker resqueWorkerOf(const QByteArray& member, const QByteArray& heartbeat,
                            const Reply& working, const Reply& ping, qint64 nowMs)
{
    ResqueWorker worker;
    worker.state.name = resqueWorkerName(member);
    const qsizetype colon = worker.state.name.indexOf(':');
    worker.state.host = worker.state.name.left(colon);
    worker.state.process = worker.state.name.mid(colon + 1);
    worker.queues = member.mid(worker.state.name.size() + 1).split(',');
    if (!heartbeat.isEmpty()) {
        worker.state.lastSeenMs = momentOf(heartbeat);
    } else if (ping.isText()) {
        const QJsonValue seconds = objectOf(ping.text).value(QLatin1String("time"));
        if (seconds.isDouble())
            worker.state.lastSeenMs = seconds.toInteger() * 1000;
    }
    if (worker.state.lastSeenMs)
        worker.state.alive = nowMs - *worker.state.lastSeenMs < signOfLifeEndsMs;
    worker.state.jobs = 0;
    const QJsonObject on = working.isText() ? objectOf(working.text) : QJsonObject();
    if (on.contains(QLatin1String("payload"))) {
        JobFacts job;
        job.name = textOf(on.value(QLatin1String("payload")).toObject(), "class").left(128);
        job.worker = worker.state.name;
        job.startedMs = momentOf(textOf(on, "run_at"));
        job.leaseAlive = worker.state.alive;
        worker.job = job;
        worker.queue = textOf(on, "queue");
    }
    return worker;
}

} // namespace lk
