// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/metrics/sessionmetrics.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/report/metrics/owncost.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/redlock/redlocks.h"
#include "backend/session/session.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionstates.h"
#include "backend/text/errortext.h"

#include <algorithm>
#include <map>

namespace lk {

namespace {

using Sessions = std::vector<const Session*>;
using Labels = MetricsDocument::Labels;

constexpr std::array healthNames{"idle", "ok", "warning", "error"}; // index: Health

Labels labelsOf(const Session& session, Labels more = {})
{
    more.insert(more.begin(), {"deployment", session.name().toUtf8()});
    return more;
}

QByteArray nameOf(const Primitive& primitive)
{
    return exactKey(nameKind(primitive), primitive.name()).toUtf8();
}

// Two primitives with the same displayed name, as queues of one name under two prefixes, are named
// by their keys: a duplicate name makes a scraper refuse the whole document.
std::vector<QByteArray> namesOf(const std::vector<StatePtr>& states)
{
    std::map<std::pair<QByteArray, QByteArray>, int> times;
    for (const StatePtr& state : states)
        ++times[{nameOf(*state->primitive), state->primitive->id.layout}];
    std::vector<QByteArray> names;
    for (const StatePtr& state : states) {
        const Primitive& primitive = *state->primitive;
        const QByteArray name = nameOf(primitive);
        names.push_back(times[{name, primitive.id.layout}] == 1
                            ? name
                            : exactKey(nameKind(primitive), primitive.id.name).toUtf8());
    }
    return names;
}

struct Ranked
{
    double rank = 0;
    KeptState state;
};

// The first of a kind by a number; those without one are not among them.
template<typename Rank>
std::vector<StatePtr> leaders(const Session& session, Kind kind, const Rank& rank)
{
    std::vector<Ranked> all;
    for (const auto& [handle, kept] : session.states().all()) {
        if (kept.kind() != kind)
            continue;
        const StatePtr state = kept.state();
        if (state->problem)
            continue;
        if (const std::optional<double> number = rank(*state))
            all.push_back({*number, kept});
    }
    const size_t count = std::min(all.size(), mostNamedSeries);
    std::partial_sort(all.begin(), all.begin() + qsizetype(count), all.end(),
                      [](const Ranked& a, const Ranked& b) {
                          return std::tuple(-a.rank, a.state.primitive()->id.name) <
                                 std::tuple(-b.rank, b.state.primitive()->id.name);
                      });
    std::vector<StatePtr> first;
    for (size_t i = 0; i < count; ++i)
        first.push_back(all[i].state.state());
    return first;
}

std::optional<double> depth(const State& state)
{
    const auto* queue = state.as<QueueState>();
    return double(queue->ready.value_or(0) + queue->processing.value_or(0) + queue->stuck);
}

std::optional<double> fill(const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    if (!limiter->occupancy || !limiter->limit || *limiter->limit <= 0)
        return std::nullopt;
    return double(*limiter->occupancy) / double(*limiter->limit);
}

void writeConnection(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_up", "1 if the deployment is connected, else 0.");
    for (const Session* s : sessions)
        out.add(labelsOf(*s), s->status().phase == ConnectionStatus::Phase::Ready ? 1 : 0);
    out.gauge("lockkeeper_node_up", "1 if the node answers, else 0.");
    for (const Session* s : sessions) {
        size_t count = 0;
        for (const NodeFacts& node : s->report().nodes) {
            if (node.reachable && count++ < mostNamedSeries)
                out.add(labelsOf(*s, {{"node", node.endpoint.toUtf8()},
                                      {"role", nodeRoleName(node.role).toUtf8()}}),
                        *node.reachable ? 1 : 0);
        }
    }
    out.gauge("lockkeeper_scan_complete", "1 if all keys were read once, else 0.");
    for (const Session* s : sessions)
        out.add(labelsOf(*s), s->report().scan.whole() ? 1 : 0);
    out.gauge("lockkeeper_scanned_keys", "Keys whose names were seen by the last scan.");
    for (const Session* s : sessions)
        out.add(labelsOf(*s), double(s->report().scan.scanned));
}

// Returns the status of the recording, which includes write failures. Null if this process is not
// to record the session.
const SessionRecorder::Status* recordingOf(const Session& session)
{
    const SessionRecorder* recorder = recorderOf(session);
    return recorder ? &recorder->status() : nullptr;
}

bool isFailing(const SessionRecorder::Status& status)
{
    return status.problem && !status.elsewhere;
}

void writeRecording(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_recording", "1 if this process records the deployment, else 0.");
    for (const Session* s : sessions) {
        if (const auto* status = recordingOf(*s))
            out.add(labelsOf(*s), status->here && !isFailing(*status) ? 1 : 0);
    }
    out.gauge("lockkeeper_recording_problem", "1 if the recording cannot be written, else 0.");
    for (const Session* s : sessions) {
        if (const auto* status = recordingOf(*s))
            out.add(labelsOf(*s), isFailing(*status) ? 1 : 0);
    }
    // All of them are in one file.
    const auto measured = std::ranges::find_if(sessions, [](const Session* s) {
        const auto* status = recordingOf(*s);
        return status && !status->size.path.isEmpty();
    });
    if (measured == sessions.end())
        return;
    const RecordingSize& size = recordingOf(**measured)->size;
    out.gauge("lockkeeper_recording_bytes", "Size of the recording's file.", "bytes");
    out.add({}, double(size.bytes));
    out.gauge("lockkeeper_recording_cap_bytes", "What the recording's file may grow to.", "bytes");
    out.add({}, double(size.capBytes));
}

void writePrimitives(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_primitives", "Detected primitives by kind and health.");
    for (const Session* s : sessions) {
        for (const Kind kind : allKinds) {
            for (size_t health = 0; s->board().summary() && health < healthNames.size(); ++health)
                out.add(labelsOf(*s, {{"kind", kindId(kind)}, {"health", healthNames[health]}}),
                        double(s->board().summary()->of(kind).byHealth[health]));
        }
    }
    out.gauge("lockkeeper_tokens", "Tokens by state.");
    for (const Session* s : sessions) {
        if (!s->board().summary())
            continue;
        out.add(labelsOf(*s, {{"state", "live"}}), double(s->board().summary()->tokensLive));
        out.add(labelsOf(*s, {{"state", "used"}}), double(s->board().summary()->tokensUsed));
        out.add(labelsOf(*s, {{"state", "never_issued"}}),
                double(s->board().summary()->tokensNeverIssued));
    }
    out.gauge("lockkeeper_locks_without_ttl", "Held locks that nothing ends.");
    for (const Session* s : sessions) {
        if (s->board().summary())
            out.add(labelsOf(*s), double(s->board().summary()->noTtlLocks));
    }
}

void writeFindings(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_findings", "Hazards seen in the data that are not silenced.");
    for (const Session* s : sessions) {
        if (!s->findings().latest())
            continue;
        // A finding that was checked for and not found is 0.
        const Redlocks* groups = Redlocks::of(*s);
        for (const KnownFinding& known : knownFindings()) {
            if (known.ofRedlock && (!groups || groups->reports().empty()))
                continue;
            const auto count = s->findings().latest()->byCode.find(known.code);
            out.add(labelsOf(*s, {{"code", known.code}}),
                    count == s->findings().latest()->byCode.end() ? 0 : double(count->second));
        }
    }
    out.gauge("lockkeeper_findings_silenced", "Hazards that the operator has silenced.");
    for (const Session* s : sessions) {
        if (s->findings().latest())
            out.add(labelsOf(*s), double(s->findings().latest()->silenced));
    }
}

void writeQueues(MetricsDocument& out, const Sessions& sessions)
{
    std::map<const Session*, std::vector<StatePtr>> deepest;
    for (const Session* s : sessions)
        deepest[s] = leaders(*s, Kind::Queue, depth);
    const auto each = [&](const auto& write) {
        for (const Session* s : sessions) {
            const std::vector<QByteArray> names = namesOf(deepest[s]);
            for (size_t i = 0; i < names.size(); ++i) {
                const State& state = *deepest[s][i];
                write(labelsOf(*s, {{"queue", names[i]}, {"layout", state.primitive->id.layout}}),
                      *state.as<QueueState>());
            }
        }
    };
    out.gauge("lockkeeper_queue_jobs", "Jobs of the deepest queues by role.");
    each([&](const Labels& labels, const QueueState& queue) {
        const std::pair<const char*, std::optional<qint64>> counts[] = {
            {"ready", queue.ready},
            {"processing", queue.processing},
            {"delayed", queue.delayed},
            {"dead", queue.dead}};
        for (const auto& [role, count] : counts) {
            Labels all = labels;
            all.emplace_back("role", role);
            if (count)
                out.add(all, double(*count));
        }
    });
    out.gauge("lockkeeper_queue_stuck_jobs", "Stuck jobs of the deepest queues.");
    each([&](const Labels& labels, const QueueState& q) { out.add(labels, double(q.stuck)); });
    out.gauge("lockkeeper_queue_oldest_processing_seconds",
              "For how long the oldest job of the deepest queues is in progress.", "seconds");
    each([&](const Labels& labels, const QueueState& queue) {
        if (queue.oldestProcessingMs)
            out.add(labels, double(*queue.oldestProcessingMs) / 1000);
    });
}

void writeLimiters(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_limiter_used_ratio", "Used part of the fullest limiters.", "ratio");
    for (const Session* s : sessions) {
        const std::vector<StatePtr> fullest = leaders(*s, Kind::Limiter, fill);
        const std::vector<QByteArray> names = namesOf(fullest);
        for (size_t i = 0; i < names.size(); ++i)
            out.add(
                labelsOf(*s, {{"limiter", names[i]}, {"layout", fullest[i]->primitive->id.layout}}),
                *fill(*fullest[i]));
    }
}

void writeAlerts(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_alerts", "Open alerts by severity and what was done about them.");
    std::map<const Session*, std::map<QByteArray, qint64>> byRule;
    for (const Session* s : sessions) {
        if (!s->alerts())
            continue;
        const Alerts& alerts = *s->alerts()->alerts();
        const qint64 nowMs = s->setup().clock->nowMs();
        std::array<std::array<qint64, 3>, 3> counts{};
        for (const AlertPtr& alert : alerts.open) {
            const size_t what = alert->acknowledgedMs != 0        ? 1
                                : alerts.silenceOf(*alert, nowMs) ? 2
                                                                  : 0;
            ++counts[size_t(alert->severity)][what];
            ++byRule[s][alert->rule];
        }
        constexpr std::array states{"unattended", "acknowledged", "silenced"};
        for (size_t severity = 0; severity < counts.size(); ++severity) {
            for (size_t what = 0; what < states.size(); ++what)
                out.add(labelsOf(*s, {{"severity", severityId(Finding::Severity(severity))},
                                      {"state", states[what]}}),
                        double(counts[severity][what]));
        }
    }
    out.gauge("lockkeeper_alerts_by_rule", "Open alerts by rule.");
    for (const auto& [s, rules] : byRule) {
        size_t count = 0;
        for (const auto& [rule, open] : rules) {
            if (count++ < mostNamedSeries)
                out.add(labelsOf(*s, {{"rule", exactName(rule).toUtf8()}}), double(open));
        }
    }
    out.gauge("lockkeeper_notifications_queued", "Notifications that are not delivered yet.");
    for (const Session* s : sessions) {
        for (const TargetStatus& target :
             s->alerts() ? s->alerts()->alerts()->targets : std::vector<TargetStatus>())
            out.add(labelsOf(*s, {{"target", exactName(target.name).toUtf8()}}),
                    double(target.queued));
    }
}

void writeCost(MetricsDocument& out, const Sessions& sessions)
{
    out.gauge("lockkeeper_server_commands_per_second", "Commands that the server runs.");
    for (const Session* s : sessions) {
        if (const auto number = s->info().number("instantaneous_ops_per_sec"))
            out.add(labelsOf(*s), double(*number));
    }
    out.gauge("lockkeeper_own_commands_per_second", "Commands that Lockkeeper sends.");
    for (const Session* s : sessions)
        out.add(labelsOf(*s), s->report().cost.commandsPerSecond);
    out.gauge("lockkeeper_own_bytes_per_second", "Bytes that Lockkeeper sends and receives.");
    for (const Session* s : sessions)
        out.add(labelsOf(*s), s->report().cost.bytesPerSecond);
    const OwnCost own = ownCost();
    out.counter("lockkeeper_process_cpu_seconds", "CPU time of this process.", "seconds");
    out.add({}, own.cpuSeconds);
    out.gauge("lockkeeper_process_resident_memory_bytes", "Memory of this process.", "bytes");
    out.add({}, double(own.residentBytes));
    out.gauge("lockkeeper_build_info", "The version of Lockkeeper.");
    out.add({{"version", LOCKKEEPER_VERSION}}, 1);
}

} // namespace

QByteArray sessionMetrics(const Sessions& sessions, MetricsFormat format)
{
    MetricsDocument out(format);
    writeConnection(out, sessions);
    writeRecording(out, sessions);
    writePrimitives(out, sessions);
    writeFindings(out, sessions);
    writeQueues(out, sessions);
    writeLimiters(out, sessions);
    writeAlerts(out, sessions);
    writeCost(out, sessions);
    return out.finish();
}

HealthAnswer sessionHealth(const Sessions& sessions)
{
    HealthAnswer answer;
    const auto tell = [&](const Session& session, const QString& problem) {
        answer.healthy = false;
        answer.text += (session.name() + QStringLiteral(": ") + problem).toUtf8() + '\n';
    };
    for (const Session* s : sessions) {
        if (s->status().phase != ConnectionStatus::Phase::Ready)
            tell(*s, QStringLiteral("not connected"));
        else if (const auto& map = s->report().map; map && map->unserved().count > 0)
            tell(*s, errorText({ErrorCode::ClusterDown, map->unserved().text}));
        if (const auto* status = recordingOf(*s); status && isFailing(*status))
            tell(*s, QStringLiteral("not recorded: ") + errorText(*status->problem));
    }
    if (answer.healthy)
        answer.text = "ok\n";
    return answer;
}

} // namespace lk
