// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/monitor/snapshotreport.h"

#include "backend/core/keyname.h"

#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lk {

namespace {

using namespace Qt::StringLiterals;

QJsonValue orNull(std::optional<qint64> n)
{
    return n ? QJsonValue(*n) : QJsonValue(QJsonValue::Null);
}

QJsonValue orNull(const QString& text)
{
    return text.isEmpty() ? QJsonValue(QJsonValue::Null) : QJsonValue(text);
}

QString latin(const QByteArray& ascii)
{
    return QString::fromLatin1(ascii);
}

QJsonObject keysObject(const Primitive& primitive)
{
    QJsonObject keys;
    for (const KeyRole& k : primitive.keys) {
        const QString role = latin(k.role);
        if (keys.contains(role)) { // several processing lists: a list of names
            QJsonArray names = keys[role].isArray() ? keys[role].toArray() : QJsonArray{keys[role]};
            names.append(displayName(k.key));
            keys[role] = names;
        } else {
            keys.insert(role, displayName(k.key));
        }
    }
    return keys;
}

QJsonObject common(const State& state)
{
    const Primitive& p = *state.primitive;
    QJsonObject o{{u"name"_qs, displayName(p.id.name)},
                  {u"layout"_qs, latin(p.id.layout)},
                  {u"keys"_qs, keysObject(p)},
                  {u"confidence"_qs, p.confidence}};
    if (!p.alternative.isEmpty())
        o.insert(u"alternative"_qs, latin(p.alternative));
    if (state.problem)
        o.insert(u"problem"_qs, errorText(*state.problem));
    return o;
}

QJsonArray consumersArray(const LimiterState& s)
{
    QJsonArray consumers;
    for (const Consumer& c : s.consumers) {
        consumers.append(QJsonObject{{u"name"_qs, displayName(c.name)},
                                     {u"key"_qs, displayName(c.key)},
                                     {u"limit"_qs, orNull(c.limit)},
                                     {u"occupancy"_qs, c.occupancy},
                                     {u"next_free_ms"_qs, orNull(c.nextFreeMs)}});
    }
    return consumers;
}

void addLimiter(QJsonObject& o, const State& state, const LimiterState& s)
{
    const bool known = !state.problem;
    const auto value = [&](std::optional<qint64> n) { return known ? orNull(n) : QJsonValue(); };
    o.insert(u"algorithm"_qs, latin(algorithmId(s.algorithm)));
    o.insert(u"window_ms"_qs, orNull(s.windowMs));
    o.insert(u"window_source"_qs, latin(sourceId(s.windowSource)));
    o.insert(u"limit"_qs, orNull(s.limit));
    o.insert(u"limit_source"_qs, latin(sourceId(s.limitSource)));
    o.insert(u"occupancy"_qs, value(s.occupancy));
    if (s.occupancyIsUpperBound)
        o.insert(u"occupancy_is_upper_bound"_qs, true);
    o.insert(u"remaining"_qs, value(s.remaining));
    o.insert(u"next_free_ms"_qs, value(s.nextFreeMs));
    o.insert(u"retry_after_ms"_qs, value(s.retryAfterMs));
    o.insert(u"ttl_ms"_qs, orNull(state.ttlMs));
    if (s.consumersTotal > 0) {
        o.insert(u"consumers_total"_qs, s.consumersTotal);
        o.insert(u"consumers"_qs, consumersArray(s));
    }
}

void addLock(QJsonObject& o, const State& state, const LockState& s)
{
    o.insert(u"owner"_qs, s.ownerKnown ? QJsonValue(displayName(s.owner)) : QJsonValue());
    o.insert(u"state"_qs, state.problem ? QJsonValue() : QJsonValue(latin(stateId(state))));
    o.insert(u"ttl_ms"_qs, orNull(s.leaseMs ? s.leaseMs : state.ttlMs));
    o.insert(u"holds"_qs, s.holds);
    o.insert(u"waiters"_qs, orNull(s.waiters));
}

void addQueue(QJsonObject& o, const QueueState& s)
{
    o.insert(u"ready"_qs, orNull(s.ready));
    o.insert(u"processing"_qs, orNull(s.processing));
    o.insert(u"delayed"_qs, orNull(s.delayed));
    o.insert(u"dead"_qs, orNull(s.dead));
    o.insert(u"oldest_processing_ms"_qs, orNull(s.oldestProcessingMs));
}

void addToken(QJsonObject& o, const State& state, const TokenState& s)
{
    o.insert(u"state"_qs, state.problem ? QJsonValue() : QJsonValue(latin(stateId(state))));
    o.insert(u"uses"_qs, orNull(s.uses));
    o.insert(u"ttl_ms"_qs, orNull(state.ttlMs));
}

void addPattern(QJsonObject& o, const State& state, const PatternState& s)
{
    QJsonObject values;
    for (const auto& [id, value] : s.values)
        values.insert(latin(id), value);
    o.insert(u"values"_qs, values);
    o.insert(u"ttl_ms"_qs, orNull(state.ttlMs));
}

QJsonObject stateObject(const State& state)
{
    QJsonObject o = common(state);
    if (const auto* limiter = state.as<LimiterState>())
        addLimiter(o, state, *limiter);
    else if (const auto* lock = state.as<LockState>())
        addLock(o, state, *lock);
    else if (const auto* queue = state.as<QueueState>())
        addQueue(o, *queue);
    else if (const auto* token = state.as<TokenState>())
        addToken(o, state, *token);
    else if (const auto* pattern = state.as<PatternState>())
        addPattern(o, state, *pattern);
    return o;
}

QString severityId(Finding::Severity severity)
{
    switch (severity) {
    case Finding::Severity::Error:
        return u"error"_qs;
    case Finding::Severity::Warning:
        return u"warning"_qs;
    case Finding::Severity::Info:
        break;
    }
    return u"info"_qs;
}

QJsonObject findingObject(const Finding& finding)
{
    return {{u"code"_qs, latin(finding.code)},
            {u"severity"_qs, severityId(finding.severity)},
            {u"name"_qs, displayName(finding.name)},
            {u"key"_qs, displayName(finding.key)},
            {u"message"_qs, finding.message}};
}

QByteArray compact(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QByteArray plural(Kind kind)
{
    return kindId(kind) + 's';
}

} // namespace

void writeJson(const Snapshot& snapshot, QIODevice& out)
{
    const ServerFacts& server = snapshot.server;
    const ScanCounts& scan = snapshot.scan;
    out.write("{\"schema\":1,\n\"server\":");
    out.write(compact({{u"endpoint"_qs, server.endpoint},
                       {u"version"_qs, orNull(server.version)},
                       {u"mode"_qs, orNull(server.mode)},
                       {u"role"_qs, orNull(server.role)},
                       {u"time_ms"_qs, server.timeMs}}));
    out.write(",\n\"scan\":");
    out.write(compact({{u"keys_scanned"_qs, scan.scanned},
                       {u"keys_matched"_qs, scan.matched},
                       {u"keys_unclaimed"_qs, scan.unclaimed},
                       {u"keys_skipped"_qs, scan.skipped},
                       {u"complete"_qs, scan.complete},
                       {u"commands"_qs, scan.commands},
                       {u"elapsed_ms"_qs, scan.elapsedMs}}));
    for (Kind kind : allKinds) {
        out.write(",\n\"" + plural(kind) + "\":[");
        bool first = true;
        for (const StatePtr& state : snapshot.states) {
            if (state->kind() != kind)
                continue;
            out.write(std::exchange(first, false) ? "\n" : ",\n");
            out.write(compact(stateObject(*state)));
        }
        out.write("]");
    }
    out.write(",\n\"findings\":[");
    bool first = true;
    for (const Finding& finding : snapshot.findings) {
        out.write(std::exchange(first, false) ? "\n" : ",\n");
        out.write(compact(findingObject(finding)));
    }
    out.write("]}\n");
}

} // namespace lk
