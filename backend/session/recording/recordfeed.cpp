// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/recordfeed.h"

#include "backend/core/derived/agedstate.h"
#include "backend/core/derived/statechange.h"
#include "backend/core/redactedname.h"
#include "backend/history/series.h"
#include "backend/history/store/codec/statecodec.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/recording/recordednumbers.h"

#include <cstring>

namespace lk {

namespace {

constexpr qint64 underWayMs = 60'000;     // an action without a known outcome
constexpr qint64 serverEveryMs = 600'000; // its nodes' numbers, which always differ
// Totals have no state at a chart's beginning. The chart looks back this far for the last one.
constexpr qint64 totalsEveryMs = 3'600'000;
constexpr size_t mostLate = 1000; // events
constexpr qsizetype mostAlerted = 10'000;
constexpr qsizetype mostGone = 10'000;

bool isSame(double a, double b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

double absentValue()
{
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0);
}

double gapValue()
{
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), 1.0);
}

// Only more jobs are stuck, without any write: they have been there for too long.
bool isAsStuck(const State& a, const State& b)
{
    const auto* before = a.as<QueueState>();
    const auto* now = b.as<QueueState>();
    return !before || !now || before->stuck == now->stuck;
}

bool isOfOneProgram(const RecordedEvent& event)
{
    switch (event.type) {
    case EventType::AlertFired:
    case EventType::AlertResolved:
    case EventType::AlertAcknowledged:
    case EventType::AlertSilenced:
    case EventType::SilenceEnded:
        return true;
    case EventType::ConfigChanged: // others are settings of the server
        return event.code == configFileChanged;
    default:
        return false;
    }
}

bool isWorthTelling(const ServerFacts& a, const ServerFacts& b)
{
    const auto sameNode = [](const NodeFacts& one, const NodeFacts& other) {
        return one.endpoint == other.endpoint && one.role == other.role &&
               one.master == other.master && one.reachable == other.reachable &&
               one.version == other.version && one.slotCount == other.slotCount;
    };
    return a.version != b.version || a.role != b.role || a.master != b.master || a.mode != b.mode ||
           !std::ranges::equal(a.nodes, b.nodes, sameNode);
}

} // namespace

RecordFeed::RecordFeed(RecordWriter* writer)
    : m_writer(writer)
{
    connect(writer, &RecordWriter::resumed, this, &RecordFeed::onResumed);
    connect(writer, &RecordWriter::recordingChanged, this,
            [this](const QByteArray& deployment, bool here) {
                if (deployment != m_deployment.key)
                    return;
                m_elsewhere = !here;
                if (m_elsewhere) {
                    m_here = false;
                    sendOwn(std::exchange(m_late, {}));
                }
            });
}

void RecordFeed::begin(const RecordedDeployment& deployment, qint64 atMs)
{
    m_deployment = deployment;
    m_atMs = atMs; // another server's clock, as after a failover, may be behind
    m_writer->begin(deployment, atMs);
}

void RecordFeed::end(GapReason reason)
{
    if (m_here) {
        RecordBatch batch = newBatch(m_atMs);
        for (const Handle handle : std::as_const(m_pending)) {
            if (Known* known = m_known.find(handle))
                known->life.holds.tellAll(known->id, batch);
        }
        send(std::move(batch));
    }
    m_here = m_elsewhere = false;
    m_leftOpen.clear();
    if (!m_deployment.key.isEmpty())
        m_writer->end(m_deployment.key, reason);
}

RecordBatch RecordFeed::newBatch(qint64 atMs) const
{
    RecordBatch batch;
    batch.deployment = m_deployment.key;
    batch.atMs = atMs;
    return batch;
}

void RecordFeed::send(RecordBatch batch)
{
    if (m_here && !batch.isEmpty())
        m_writer->add(std::make_shared<RecordBatch>(std::move(batch)));
}

// Earlier changes are in the recording, but nothing of the time since.
void RecordFeed::onResumed(const QByteArray& deployment)
{
    if (deployment != m_deployment.key)
        return;
    m_here = true;
    RecordBatch batch = newBatch(m_atMs);
    batch.events = std::exchange(m_late, {});
    findPrimitives(batch.events);
    m_leftOpen.load(m_writer->path(), deployment, m_atMs);
    batch.states.push_back({deploymentTotals(), m_atMs, nullptr}); // registers its name
    for (const auto& [handle, known] : m_known) {
        Known& own = *m_known.find(handle);
        own.life = {};
        m_leftOpen.resume(own.life, own.id);
        // Uses the current state, as earlier reads are not part of the recording.
        const StatePtr now = agedState(known.state.state(), m_atMs);
        batch.states.push_back({now->primitive, m_atMs, now});
        addLife(own.life, own.id, *own.state.state(), batch);
        if (isPending(own.life))
            m_pending.insert(handle);
        own.samples.clear();
        const size_t told = batch.samples.size();
        addSamples(own, *now, true, batch);
        for (size_t i = told; i < batch.samples.size(); ++i)
            batch.samples[i].tMs = m_atMs;
    }
    for (const LiveFindingPtr& live : std::as_const(m_findings))
        addFinding(*live, {}, batch);
    for (auto it = m_totals.cbegin(); it != m_totals.cend(); ++it)
        batch.samples.push_back({deploymentTotals()->id, it.key(), m_atMs, it->value});
    if (!m_server.endpoint.isEmpty()) {
        batch.server = m_server;
        batch.scan = m_scan;
    }
    send(std::move(batch));
}

void RecordFeed::takeChanges(const StateChangesPtr& changes, qint64 atMs)
{
    m_atMs = std::max(m_atMs, atMs);
    RecordBatch batch = newBatch(m_atMs);
    for (const StateChange& change : *changes) {
        // A primitive that was forgotten during an outage was not reported here.
        if (const Handle last = m_known.at(change.handle.index); last != change.handle)
            forget(last, m_atMs, batch);
        if (change.state)
            take(change.handle, change, batch);
        else
            forget(change.handle, m_atMs, batch);
    }
    send(std::move(batch));
    emit taken();
}

void RecordFeed::take(Handle handle, const StateChange& change, RecordBatch& batch)
{
    Known& known = m_known[handle];
    const StatePtr& state = change.state;
    const StatePtr before = known.state.state();
    const bool isNew = !before;
    const bool same = !isNew && before->primitive == state->primitive &&
                      isSameContent(*before, *state) && isAsStuck(*before, *state) &&
                      before->health == state->health;
    if (isNew) {
        known.id = recordedId(*state->primitive);
        m_leftOpen.resume(known.life, known.id);
    }
    if (!same)
        batch.states.push_back({state->primitive, state->asOfMs, state});
    // It may have been renewed or become stuck.
    const auto told = qptrdiff(batch.events.size());
    addLife(known.life, known.id, *state, batch);
    batch.events.erase(
        std::remove_if(batch.events.begin() + told, batch.events.end(),
                       [this](const RecordedEvent& event) { return isTooMuch(event); }),
        batch.events.end());
    if (isPending(known.life))
        m_pending.insert(handle);
    addSamples(known, *state, !same, batch);
    known.state = change.keep();
}

// Events over the budget are dropped. The numbers of the deployment or the queue still contain
// them.
bool RecordFeed::isTooMuch(const RecordedEvent& event)
{
    if (event.type == EventType::TokenEnded)
        return !m_tokenEnds.take(m_atMs);
    return event.type == EventType::JobsMoved && event.code != jobRoleId(JobRole::Dead) &&
           !m_moves.take(m_atMs);
}

void RecordFeed::forget(Handle handle, qint64 atMs, RecordBatch& batch)
{
    Known* known = m_known.find(handle);
    if (!known)
        return;
    const qint64 vanishedMs = known->life.vanishedMs;
    endLife(known->life, known->id, known->state.kind(), atMs, batch);
    batch.states.push_back({known->state.primitive(), atMs, nullptr, vanishedMs});
    if (m_gone.size() > mostGone)
        m_gone.clear();
    for (const KeyRole& role : known->state.primitive()->keys)
        m_gone.insert(exactKey(known->state.kind(), role.key), known->id);
    m_pending.remove(handle);
    m_known.erase(handle);
}

// all: includes numbers that only grow or run down by themselves.
void RecordFeed::addSamples(Known& known, const State& state, bool all, RecordBatch& batch)
{
    const auto metrics = metricsOf(*state.primitive);
    const auto* queue = state.as<QueueState>();
    const size_t count = metrics.size() + (queue ? queue->states.size() : 0);
    known.samples.resize(count, gapValue());
    const auto tell = [&](size_t i, const QByteArray& metric, double value) {
        if (isSame(known.samples[i], value))
            return;
        known.samples[i] = value;
        batch.samples.push_back({known.id, metric, state.asOfMs, value});
    };
    for (size_t i = 0; i < metrics.size(); ++i) {
        if (!all && metrics[i].unit == Metric::Unit::Milliseconds)
            continue;
        const std::optional<double> value = state.problem ? std::nullopt : metrics[i].value(state);
        tell(i, metrics[i].id,
             value                                      ? *value
             : metrics[i].emptyIsNone && !state.problem ? absentValue()
                                                        : gapValue());
    }
    for (size_t i = metrics.size(); i < count; ++i) {
        const JobState& jobs = queue->states[i - metrics.size()];
        tell(i, jobsMetric(jobs.name),
             jobs.count && !state.problem ? double(*jobs.count) : gapValue());
    }
}

void RecordFeed::addFinding(const LiveFinding& live, std::optional<qint64> closedMs,
                            RecordBatch& batch)
{
    FindingChange change;
    change.finding.finding = live.finding;
    change.finding.sinceMs = live.sinceMs;
    change.closedMs = closedMs;
    if (const Known* known = m_known.find(live.handle))
        change.finding.primitive = known->id;
    Finding& finding = change.finding.finding;
    finding.why.clear();
    finding.advice.clear();
    if (!finding.group && !finding.ofServer) {
        finding.name = redactedKey(live.kind, finding.name);
        finding.key = redactedKey(live.kind, finding.key);
    }
    batch.findings.push_back(std::move(change));
}

void RecordFeed::takeFindings(const LiveFindingsPtr& findings)
{
    m_atMs = std::max(m_atMs, findings->atMs);
    RecordBatch batch = newBatch(m_atMs);
    QHash<quint64, LiveFindingPtr> now;
    now.reserve(qsizetype(findings->rows.size()));
    for (const LiveFindingPtr& live : findings->rows) {
        if (!m_findings.contains(live->id))
            addFinding(*live, {}, batch);
        now.insert(live->id, live);
    }
    for (auto it = m_findings.cbegin(); it != m_findings.cend(); ++it) {
        if (!now.contains(it.key()))
            addFinding(**it, findings->atMs, batch);
    }
    m_findings = std::move(now);
    send(std::move(batch));
}

void RecordFeed::takeEvents(const std::vector<RecordedEvent>& events)
{
    if (m_elsewhere)
        return sendOwn(events);
    if (!m_here) {
        // For example that the server is back, which happens before recording continues.
        if (m_late.size() < mostLate)
            m_late.insert(m_late.end(), events.begin(), events.end());
        return;
    }
    RecordBatch batch = newBatch(m_atMs);
    batch.events = events;
    findPrimitives(batch.events);
    send(std::move(batch));
}

// Another program that records the deployment sees the rest, but not this user's actions or the
// alerts raised here.
void RecordFeed::sendOwn(std::vector<RecordedEvent> events)
{
    std::erase_if(events, [](const RecordedEvent& event) { return !isOfOneProgram(event); });
    findPrimitives(events);
    if (!events.empty())
        m_writer->addOwnEvents(m_deployment.key, events);
}

// An alert on a finding contains one key, but not its primitive. A primitive that is gone when it
// is resolved existed when it fired.
void RecordFeed::findPrimitives(std::vector<RecordedEvent>& events)
{
    QHash<QByteArray, std::vector<RecordedEvent*>> wanted;
    for (RecordedEvent& event : events) {
        const bool byKey = event.primitive.layout.isEmpty() && !event.primitive.name.isEmpty();
        if (!byKey)
            continue;
        if (const auto known = m_alerted.constFind(event.ref); known != m_alerted.cend())
            event.primitive = *known;
        else
            wanted[event.primitive.name].push_back(&event);
        if (event.type == EventType::AlertResolved)
            m_alerted.remove(event.ref);
    }
    if (wanted.isEmpty())
        return;
    const auto found = [&](const Known& known, const QByteArray& name) {
        const auto it = wanted.constFind(name);
        if (it == wanted.cend())
            return;
        for (RecordedEvent* event : *it) {
            if (event->kind != known.state.kind() || !event->primitive.layout.isEmpty())
                continue;
            event->primitive = known.id;
            if (event->type != EventType::AlertResolved && m_alerted.size() < mostAlerted)
                m_alerted.insert(event->ref, known.id);
        }
    };
    for (const auto& [handle, known] : m_known) {
        found(known, known.id.name);
        for (const KeyRole& role : known.state.primitive()->keys)
            found(known, redactedKey(known.state.kind(), role.key));
    }
}

void RecordFeed::takeServer(const ServerFacts& server, const ScanCounts& scan)
{
    const bool due = isWorthTelling(m_server, server) || m_scan.complete != scan.complete ||
                     m_scan.missing != scan.missing || server.timeMs - m_serverMs >= serverEveryMs;
    m_server = server;
    m_scan = scan;
    if (!due)
        return;
    m_serverMs = server.timeMs;
    RecordBatch batch = newBatch(m_atMs);
    batch.server = server;
    batch.scan = scan;
    send(std::move(batch));
}

void RecordFeed::takeTotals(const std::vector<std::pair<QByteArray, double>>& totals, qint64 atMs)
{
    m_atMs = std::max(m_atMs, atMs);
    RecordBatch batch = newBatch(m_atMs);
    for (const auto& [metric, value] : totals) {
        const auto known = m_totals.constFind(metric);
        if (known != m_totals.cend() && isSame(known->value, value) &&
            atMs - known->sentMs < totalsEveryMs)
            continue;
        m_totals.insert(metric, {value, atMs});
        batch.samples.push_back({deploymentTotals()->id, metric, atMs, value});
    }
    send(std::move(batch));
}

void RecordFeed::takeJournal(const JournalPtr& journal, const QStringList& places)
{
    if (!m_here)
        return;
    QHash<QString, PrimitiveId> byKey;
    RecordBatch batch = newBatch(m_atMs);
    for (const JournalEntry& entry : journal->entries) {
        if (!places.contains(entry.endpoint) || m_receipts.contains(entry.receipt))
            continue;
        if (entry.outcome == Outcome::Unknown && m_atMs - entry.localMs < underWayMs)
            continue; // it is under way: recorded once its outcome is known
        m_receipts.insert(entry.receipt);
        if (byKey.isEmpty()) {
            byKey = m_gone;
            for (const auto& [handle, known] : m_known) {
                for (const KeyRole& role : known.state.primitive()->keys)
                    byKey.insert(exactKey(known.state.kind(), role.key), known.id);
            }
        }
        RecordedEvent event;
        event.tMs = entry.serverMs > 0 ? entry.serverMs : entry.localMs;
        event.type = EventType::Action;
        for (const QString& key : entry.keys) {
            if (event.primitive.name.isEmpty())
                event.primitive = byKey.value(key);
        }
        event.code = entry.action;
        event.who = entry.who;
        event.text = entry.reason;
        event.detail = QString::fromLatin1(outcomeId(entry.outcome));
        event.ref = entry.receipt;
        event.value = double(entry.count);
        batch.events.push_back(std::move(event));
    }
    send(std::move(batch));
}

void RecordFeed::tick(qint64 atMs)
{
    m_atMs = std::max(m_atMs, atMs);
    RecordBatch batch = newBatch(m_atMs);
    m_pending.removeIf([&](const Handle& handle) {
        Known* known = m_known.find(handle);
        return !known || !advanceLife(known->life, known->id, atMs, batch);
    });
    if (!m_here)
        return;
    m_leftOpen.giveUp(atMs, batch);
    // Sent even if empty: it confirms that nothing was missed until then.
    m_writer->add(std::make_shared<RecordBatch>(std::move(batch)));
}

} // namespace lk
