// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/snapshotreport.h"

#include "backend/report/snapshot/estimatejson.h"
#include "backend/report/snapshot/estimates.h"
#include "backend/report/snapshot/nodejson.h"

#include "backend/core/json/jsontext.h"
#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/text/certaintytext.h"
#include "backend/text/errortext.h"

#include <QIODevice>

#include <algorithm>

namespace lk {

namespace {

// An object's members are few, and so are the keys of most primitives: looking through them again
// for each role is cheaper than a table.
QByteArray keysObject(const Primitive& primitive, Codes codes)
{
    JsonObject object;
    const std::vector<KeyRole>& keys = primitive.keys;
    const auto sameRole = [](const QByteArray& role) {
        return [&role](const KeyRole& k) { return k.role == role; };
    };
    for (auto it = keys.begin(); it != keys.end(); ++it) {
        if (std::any_of(keys.begin(), it, sameRole(it->role)))
            continue;
        QByteArrayList names; // several processing lists: a list of names
        for (auto same = it; same != keys.end();
             same = std::find_if(same + 1, keys.end(), sameRole(it->role)))
            names << jsonString(exactKey(nameKind(primitive), same->key, codes));
        object.addJson(exactName(it->role).toUtf8(),
                       names.size() == 1 ? names.first() : '[' + names.join(',') + ']');
    }
    return object.text();
}

void addCommon(JsonObject& o, const State& state, const SlotOwners& owners, Codes codes)
{
    const Primitive& p = *state.primitive;
    o.add("name", exactKey(nameKind(p), p.name(), codes));
    o.add("layout", p.id.layout);
    o.addJson("keys", keysObject(p, codes));
    if (owners.exist()) {
        o.add("slot", owners.slotOf(p));
        const QString node = owners.nodeOf(p);
        node.isEmpty() ? o.addNull("node") : o.add("node", node);
        if (!owners.slotOf(p) && p.keys.size() > 1)
            o.addJson("slots", slotsJson(p, owners, codes));
    }
    o.add("confidence", double(p.confidence));
    if (p.provenBy != ProvenBy::Itself)
        o.add("proven_by", p.provenBy == ProvenBy::Siblings ? QByteArrayLiteral("siblings")
                           : p.provenBy == ProvenBy::Growth ? QByteArrayLiteral("growth")
                                                            : QByteArrayLiteral("turnover"));
    if (!p.alternative.isEmpty())
        o.add("alternative", p.alternative);
    if (state.problem)
        o.add("problem", errorText(*state.problem));
}

QByteArray consumersArray(const LimiterState& s)
{
    QByteArrayList consumers;
    for (const Consumer& c : s.consumers) {
        JsonObject o;
        o.add("name", exactName(c.name));
        o.add("key", exactName(c.key));
        o.add("limit", c.limit);
        o.add("occupancy", c.occupancy);
        o.add("next_free_ms", c.nextFreeMs);
        consumers << o.text();
    }
    return '[' + consumers.join(',') + ']';
}

void addLimiter(JsonObject& o, const State& state, const LimiterState& s)
{
    const auto known = [&](std::optional<qint64> n) { return state.problem ? std::nullopt : n; };
    o.add("algorithm", algorithmId(s.algorithm));
    o.add("window_ms", s.windowMs);
    o.add("window_source", sourceId(s.windowSource));
    o.add("limit", s.limit);
    o.add("limit_source", sourceId(s.limitSource));
    o.add("occupancy", known(s.occupancy));
    if (s.occupancyIsUpperBound)
        o.add("occupancy_is_upper_bound", true);
    o.add("remaining", known(s.remaining));
    o.add("next_free_ms", known(s.nextFreeMs));
    o.add("retry_after_ms", known(s.retryAfterMs));
    o.add("ttl_ms", state.ttlMs);
    if (s.consumersTotal > 0)
        o.add("consumers_total", s.consumersTotal);
    o.addJson("consumers", consumersArray(s));
}

void addStateId(JsonObject& o, const State& state)
{
    state.problem ? o.addNull("state") : o.add("state", stateId(state));
}

QByteArray holdersArray(const LockState& s)
{
    QByteArrayList holders;
    for (const LockHolder& h : s.holders) {
        JsonObject o;
        o.add("owner", exactName(h.name));
        o.add("holds", h.holds);
        o.add("mode", QByteArray(h.shared ? "shared" : "exclusive"));
        o.add("ttl_ms", h.leaseMs);
        holders << o.text();
    }
    return '[' + holders.join(',') + ']';
}

void addLock(JsonObject& o, const State& state, const LockState& s)
{
    s.ownerKnown ? o.add("owner", exactName(s.owner)) : o.addNull("owner");
    addStateId(o, state);
    o.add("ttl_ms", s.leaseMs ? s.leaseMs : state.ttlMs);
    o.add("holds", s.holds);
    o.add("limit", s.limit);
    o.add("waiters", s.waiters);
    if (s.holdersTotal > 0) {
        o.add("holders_total", s.holdersTotal);
        o.addJson("holders", holdersArray(s));
    }
}

QByteArray jobStatesArray(const QueueState& s)
{
    QByteArrayList states;
    for (const JobState& state : s.states) {
        JsonObject o;
        o.add("name", state.name);
        o.add("role", jobRoleId(state.role));
        o.add("count", state.count);
        states << o.text();
    }
    return '[' + states.join(',') + ']';
}

QByteArray workersArray(const QueueState& s, qint64 asOfMs)
{
    QByteArrayList workers;
    for (const QueueWorker& worker : s.workers) {
        JsonObject o;
        o.add("name", exactName(worker.name));
        worker.alive ? o.add("alive", *worker.alive) : o.addNull("alive");
        o.add("last_seen_ms", worker.lastSeenMs
                                  ? std::optional(std::max<qint64>(0, asOfMs - *worker.lastSeenMs))
                                  : std::nullopt);
        o.add("jobs", worker.jobs);
        workers << o.text();
    }
    return '[' + workers.join(',') + ']';
}

// Names the queue or queues that the totals count.
void addTotalsOf(JsonObject& o, RateSource source)
{
    if (source == RateSource::Totals)
        o.add("totals_of", QByteArrayLiteral("queue"));
    else if (source == RateSource::TotalsOfAll)
        o.add("totals_of", QByteArrayLiteral("all-queues"));
    else if (source == RateSource::TotalsOfWorker)
        o.add("totals_of", QByteArrayLiteral("workers"));
    else
        o.addNull("totals_of");
}

// How long jobs waited or ran; null if no job of the last hour has these times.
void addSpread(JsonObject& o, const char* name, const std::optional<DurationSpread>& spread)
{
    if (!spread)
        return o.addNull(name);
    JsonObject values;
    values.add("p50", spread->p50);
    values.add("p95", spread->p95);
    values.add("p99", spread->p99);
    values.add("jobs", spread->jobs);
    o.addJson(name, values.text());
}

void addQueue(JsonObject& o, const QueueState& s, qint64 asOfMs)
{
    o.add("ready", s.ready);
    o.add("processing", s.processing);
    o.add("delayed", s.delayed);
    o.add("dead", s.dead);
    o.add("paused", s.paused);
    o.add("paused_since_ms", s.pausedSinceMs);
    o.add("waiting", waitingJobs(s));
    o.add("overdue", s.due.overdue);
    o.add("overdue_ms", overdueMs(s, asOfMs));
    o.add("oldest_ready_ms", s.oldestReadyMs);
    o.add("oldest_processing_ms", s.oldestProcessingMs);
    o.add("stuck", s.stuck);
    o.addJson("states", jobStatesArray(s));
    if (s.workersKnown || !s.workers.empty())
        o.addJson("workers", workersArray(s, asOfMs));
    else
        o.addNull("workers");
    o.add("completed_total", s.completedTotal);
    o.add("failed_total", s.failedTotal);
    addTotalsOf(o, s.rateSource);
    addSpread(o, "waited_ms", s.waited);
    addSpread(o, "ran_ms", s.ran);
}

void addToken(JsonObject& o, const State& state, const TokenState& s)
{
    addStateId(o, state);
    o.add("uses", s.uses);
    o.add("ttl_ms", state.ttlMs);
}

void addPattern(JsonObject& o, const State& state, const PatternState& s)
{
    JsonObject values;
    for (const auto& [id, value] : s.values)
        values.add(id, value);
    o.addJson("values", values.text());
    o.add("ttl_ms", state.ttlMs);
}

QByteArray stateObject(const State& state, const SlotOwners& owners, Codes codes)
{
    JsonObject o;
    addCommon(o, state, owners, codes);
    if (const auto* limiter = state.as<LimiterState>())
        addLimiter(o, state, *limiter);
    else if (const auto* lock = state.as<LockState>())
        addLock(o, state, *lock);
    else if (const auto* queue = state.as<QueueState>())
        addQueue(o, *queue, state.asOfMs);
    else if (const auto* token = state.as<TokenState>())
        addToken(o, state, *token);
    else if (const auto* pattern = state.as<PatternState>())
        addPattern(o, state, *pattern);
    return o.text();
}

} // namespace

QByteArray findingJson(const Finding& finding, Codes codes)
{
    JsonObject o;
    o.add("code", finding.code);
    o.add("severity", severityId(finding.severity));
    o.add("kind", kindIdOf(finding));
    o.add("name", exactKey(finding.kind, finding.name, finding.group ? Codes::Revealed : codes));
    o.add("key", exactKey(finding.kind, finding.key, codes));
    o.add("message", finding.message);
    o.add("why", finding.why);
    o.add("advice", finding.advice);
    finding.action.isEmpty() ? o.addNull("action") : o.add("action", finding.action);
    if (finding.silenced)
        o.add("silenced", true);
    return o.text();
}

namespace {

void snapshotJsonAddKnown(JsonObject& o, QByteArrayView name, const QString& value)
{
    value.isEmpty() ? o.addNull(name) : o.add(name, value);
}

QByteArray linkId(MasterLink link)
{
    switch (link) {
    case MasterLink::Up:
        return QByteArrayLiteral("up");
    case MasterLink::Syncing:
        return QByteArrayLiteral("syncing");
    case MasterLink::Down:
        return QByteArrayLiteral("down");
    case MasterLink::NeverUp:
        return QByteArrayLiteral("never-up");
    case MasterLink::Unknown:
        break;
    }
    return QByteArrayLiteral("unknown");
}

QByteArray timeSourceId(TimeSource source)
{
    switch (source) {
    case TimeSource::Info:
        return QByteArrayLiteral("info");
    case TimeSource::Local:
        return QByteArrayLiteral("local");
    case TimeSource::Server:
        break;
    }
    return QByteArrayLiteral("server");
}

} // namespace

QByteArray serverJson(const ServerFacts& server)
{
    JsonObject o;
    o.add("endpoint", server.endpoint);
    snapshotJsonAddKnown(o, "flavour", flavourName(server.flavour));
    snapshotJsonAddKnown(o, "version", server.version);
    snapshotJsonAddKnown(o, "mode", serverModeName(server.mode));
    snapshotJsonAddKnown(o, "role", nodeRoleName(server.role));
    if (server.role == NodeRole::Replica) {
        snapshotJsonAddKnown(o, "master", server.master);
        o.add("master_link", linkId(server.masterLink));
        o.add("master_down_ms", server.masterDownMs);
        o.add("master_last_contact_ms", server.masterSilentMs);
    }
    o.add("time_ms", server.timeMs);
    o.add("time_source", timeSourceId(server.timeSource));
    o.add("keys_untouched", server.leavesKeysUntouched);
    QByteArrayList nodes;
    for (const NodeFacts& node : server.nodes)
        nodes << nodeJson(node);
    o.addJson("nodes", '[' + nodes.join(',') + ']');
    return o.text();
}

namespace {

QByteArray missingJson(const Missing& missing, const ScanCounts& scan)
{
    JsonObject o;
    o.add("cause", causeId(missing.cause));
    missing.permission.isEmpty() ? o.addNull("permission")
                                 : o.add("permission", missing.permission);
    o.add("keys", missing.keys);
    JsonObject primitives;
    for (const Kind kind : allKinds) {
        if (const qint64 n = missing.primitives[size_t(kind)])
            primitives.add(kindId(kind) + 's', n);
    }
    o.addJson("primitives", primitives.text());
    o.add("message", missingText(missing, scan));
    return o.text();
}

} // namespace

QByteArray scanJson(const ScanCounts& scan)
{
    JsonObject o;
    o.add("keys_scanned", scan.scanned);
    o.add("keys_matched", scan.matched);
    o.add("keys_unclaimed", scan.notRecognized);
    o.add("keys_possible", scan.possible);
    o.add("keys_skipped", scan.skipped);
    o.add("complete", scan.whole());
    QByteArrayList missing;
    for (const Missing& m : scan.missing)
        missing << missingJson(m, scan);
    o.addJson("missing", '[' + missing.join(',') + ']');
    o.add("commands", scan.commands);
    o.add("elapsed_ms", scan.elapsedMs);
    return o.text();
}

namespace {

// Writes keys that may be a primitive without proof: at most the first thousand of each kind.
void writePossible(const PossiblePrimitives& possible, QIODevice& out, Codes codes)
{
    out.write(",\n\"possible\":[");
    bool first = true;
    for (const PossiblePrimitive& one : possible.named) {
        JsonObject o;
        o.add("kind", kindId(one.kind));
        o.add("name", exactKey(one.kind, one.key, codes));
        o.add("layout", one.id.layout);
        o.add("reason", doubtText(one.doubt));
        out.write(std::exchange(first, false) ? "\n" : ",\n");
        out.write(o.text());
    }
    out.write("]");
}

QByteArray plural(Kind kind)
{
    return kindId(kind) + 's';
}

} // namespace

void writeJson(const Snapshot& snapshot, QIODevice& out, Codes codes)
{
    writeJson(snapshot, GatheredStates(snapshot.states), out, codes);
}

void writeJson(const Snapshot& snapshot, const StateSequence& states, QIODevice& out, Codes codes)
{
    out.write("{\"schema\":2,\n\"server\":" + serverJson(snapshot.server));
    out.write(",\n\"scan\":" + scanJson(snapshot.scan));
    if (isSample(snapshot))
        out.write(",\n\"estimates\":" + estimatesJson(snapshot.scan, states, codes));
    for (Kind kind : allKinds) {
        out.write(",\n\"" + plural(kind) + "\":[");
        bool first = true;
        const StateSequence::Range range = states.rangeOf(kind);
        for (size_t at = range.begin; at < range.end; ++at) {
            out.write(std::exchange(first, false) ? "\n" : ",\n");
            out.write(stateObject(*states.state(at), states.owners(), codes));
        }
        out.write("]");
    }
    out.write(",\n\"findings\":[");
    bool first = true;
    states.forEachFinding(snapshot, [&](const Finding& finding) {
        out.write(std::exchange(first, false) ? "\n" : ",\n");
        out.write(findingJson(finding, codes));
    });
    out.write("]");
    writePossible(*snapshot.possible, out, codes);
    out.write("}\n");
}

} // namespace lk
