// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/jobs/jobsreport.h"

#include "backend/core/json/jsontext.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/errortext.h"

#include <QIODevice>

namespace lk {

namespace {

void addText(JsonObject& o, const char* name, const QByteArray& bytes)
{
    if (bytes.isEmpty())
        o.addNull(name);
    else
        o.add(name, exactName(bytes));
}

// As it is stored where it is text; else with \xNN.
QString payloadText(const QByteArray& payload)
{
    QString text = QString::fromUtf8(payload);
    return text.toUtf8() == payload ? text : exactName(payload);
}

// own: the key that contains only this job; shared: the key that contains it among others. Uses own
// if there is one.
void addPlace(JsonObject& o, const QByteArray& own, const QByteArray& shared,
              const std::optional<ClusterMap>& map)
{
    addText(o, "job_key", own);
    const QByteArray& key = own.isEmpty() ? shared : own;
    if (!map || key.isEmpty())
        return;
    const ClusterMap::Node* node = map->ownerOf(keySlot(key));
    o.add("slot", qint64(keySlot(key)));
    node ? o.add("node", node->endpoint) : o.addNull("node");
}

QByteArray jobObject(const JobsReport& report, const ReportedState& state,
                     const ReportedJob& reported)
{
    const QueueJob& job = reported.job;
    const JobFacts& facts = job.facts;
    JsonObject o;
    o.add("state", exactName(state.state.name));
    o.add("role", jobRoleId(state.state.role));
    addText(o, "id", facts.id);
    addText(o, "name", facts.name);
    addText(o, "worker", facts.worker);
    addText(o, "key", job.key);
    const Primitive& queue = *report.queue->primitive;
    const Layout* layout = facts.id.isEmpty() ? nullptr : findLayout(queue.id.layout);
    addPlace(o, layout ? layout->jobKey(queue, state.state.name, facts.id) : QByteArray(), job.key,
             report.map);
    o.add("enqueued_at_ms", facts.enqueuedMs);
    o.add("started_at_ms", facts.startedMs);
    o.add("finished_at_ms", facts.finishedMs);
    o.add("due_at_ms", facts.dueMs);
    o.add("attempts", facts.attempts);
    o.add("max_attempts", facts.mostAttempts);
    addText(o, "error", facts.error);
    addText(o, "progress", facts.progress);
    if (facts.leaseAlive)
        o.add("lease_alive", *facts.leaseAlive);
    else
        o.addNull("lease_alive");
    o.add("digest", QStringLiteral("%1").arg(job.fingerprint, 16, 16, QLatin1Char('0')));
    o.add("payload_bytes", job.size);
    if (!reported.payload) {
        o.addNull("payload");
        return o.text();
    }
    o.add("payload", payloadText(*reported.payload));
    o.add("payload_cut", reported.payloadCut);
    return o.text();
}

QByteArray queueObject(const State& state)
{
    const Primitive& primitive = *state.primitive;
    const auto& queue = state.body.get<QueueState>();
    JsonObject o;
    o.add("name", exactName(primitive.name()));
    o.add("primitive", exactKey(primitive.kind, primitive.id.name));
    o.add("layout", primitive.id.layout);
    o.add("paused", queue.paused);
    o.add("paused_since_ms", queue.pausedSinceMs);
    o.add("overdue", queue.due.overdue);
    QByteArrayList states;
    for (const JobState& jobs : queue.states) {
        JsonObject each;
        each.add("name", exactName(jobs.name));
        each.add("role", jobRoleId(jobs.role));
        each.add("count", jobs.count);
        states << each.text();
    }
    o.addJson("states", '[' + states.join(',') + ']');
    return o.text();
}

QByteArray readObject(const ReportedState& state)
{
    JsonObject o;
    o.add("state", exactName(state.state.name));
    o.add("jobs", qint64(state.jobs.size()));
    o.add("scanned", state.scanned);
    o.add("count", state.state.count);
    o.add("complete", state.complete);
    if (state.problem)
        o.add("problem", errorText(*state.problem));
    else
        o.addNull("problem");
    return o.text();
}

} // namespace

void writeJobsJson(const JobsReport& report, QIODevice& out)
{
    JsonObject o;
    o.add("schema", qint64(1));
    o.add("time_ms", report.queue->asOfMs);
    o.addJson("queue", queueObject(*report.queue));
    if (report.grep.isEmpty())
        o.addNull("grep");
    else
        o.add("grep", report.grep);
    QByteArrayList read;
    QByteArrayList jobs;
    for (const ReportedState& state : report.states) {
        read << readObject(state);
        for (const ReportedJob& job : state.jobs)
            jobs << jobObject(report, state, job);
    }
    o.addJson("read", '[' + read.join(',') + ']');
    o.addJson("jobs", '[' + jobs.join(",\n") + ']');
    out.write(o.text() + '\n');
}

} // namespace lk
