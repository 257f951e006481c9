// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/statecodec.h"

#include "backend/core/names/foreigntext.h"
#include "backend/core/redactedname.h"
#include "backend/history/store/codec/bodycodec.h"
#include "backend/history/store/codec/queuecodec.h"

namespace lk {

namespace {

constexpr quint8 formatVersion = 1; // of primitives and of states
constexpr TimeUnit lastUnit = allTimeUnits.back();
constexpr ErrorCode lastError = ErrorCode::SentinelWrongPass;

void writeObserved(ByteWriter& out, const Observed& o)
{
    out.whole(o.firstSeenMs);
    out.whole(o.sinceMs);
    out.whole(o.largestTtlMs);
    out.whole(o.leastLeftMs);
    out.whole(o.renewals);
    out.whole(o.fullSinceMs);
    out.whole(o.fullSamples);
}

Observed readObserved(ByteReader& in)
{
    Observed o;
    o.firstSeenMs = in.whole();
    o.sinceMs = in.whole();
    o.largestTtlMs = in.whole();
    o.leastLeftMs = in.whole();
    o.renewals = qint32(in.whole());
    o.fullSinceMs = in.whole();
    o.fullSamples = qint32(in.whole());
    return o;
}

// Data that only few states have. It follows all other data and is missing if there is none, and in
// older files.
enum Extra : quint8 { BytesKey = 1, DriftKey = 2, BareMembers = 4, LeasesAlive = 8, Due = 16 };

quint8 extrasOf(const State& state)
{
    int extras = state.bytesKey->isEmpty() ? 0 : BytesKey;
    if (const auto* limiter = state.as<LimiterState>()) {
        extras |= limiter->driftKey->isEmpty() ? 0 : DriftKey;
        extras |= limiter->bareMembers ? BareMembers : 0;
    } else if (const auto* queue = state.as<QueueState>()) {
        if (!recordedLeases(*queue).isEmpty())
            extras |= LeasesAlive;
        if (queue->pausedSinceMs || queue->due.readMs > 0)
            extras |= Due;
    }
    return quint8(extras);
}

void writeExtras(ByteWriter& out, const State& state)
{
    const quint8 extras = extrasOf(state);
    if (extras == 0)
        return;
    out.byte(extras);
    if (extras & BytesKey)
        out.text(redactedKey(state.kind(), *state.bytesKey));
    if (extras & DriftKey)
        out.text(*state.as<LimiterState>()->driftKey);
    if (extras & BareMembers)
        out.byte(quint8(*state.as<LimiterState>()->bareMembers));
    if (extras & LeasesAlive)
        out.text(recordedLeases(*state.as<QueueState>()));
    if (extras & Due) {
        const auto& queue = *state.as<QueueState>();
        out.maybe(queue.pausedSinceMs);
        out.maybe(queue.due.firstMs);
        out.maybe(queue.due.overdue);
    }
}

void readExtras(ByteReader& in, State& state)
{
    if (!in.ok() || in.atEnd())
        return;
    const quint8 extras = in.byte();
    if (extras & BytesKey)
        state.bytesKey = in.text();
    if (extras & (DriftKey | BareMembers)) {
        if (state.kind() != Kind::Limiter)
            return in.fail();
        auto& limiter = state.body.get<LimiterState>();
        if (extras & DriftKey)
            limiter.driftKey = in.text();
        if (extras & BareMembers)
            limiter.bareMembers = in.oneOf(lastUnit);
    }
    if (extras & LeasesAlive) {
        if (state.kind() != Kind::Queue)
            return in.fail();
        setLeases(state.body.get<QueueState>(), in.view());
    }
    if (extras & Due) {
        if (state.kind() != Kind::Queue)
            return in.fail();
        auto& queue = state.body.get<QueueState>();
        queue.pausedSinceMs = in.maybe();
        queue.due.firstMs = in.maybe();
        queue.due.overdue = in.maybe();
        queue.due.readMs = state.asOfMs;
    }
}

} // namespace

PrimitiveId recordedId(const Primitive& primitive)
{
    return {primitive.id.layout, redactedKey(primitive.kind, primitive.id.name)};
}

QByteArray encodePrimitive(const Primitive& primitive)
{
    ByteWriter out;
    out.byte(formatVersion);
    out.byte(quint8(primitive.kind));
    out.text(primitive.id.layout);
    out.text(redactedKey(primitive.kind, primitive.id.name));
    out.text(primitive.label->isEmpty() ? QByteArray()
                                        : redactedKey(primitive.kind, *primitive.label));
    out.text(primitive.alternative);
    out.real(primitive.confidence);
    out.flag(primitive.declaration != nullptr);
    out.number(primitive.keys.size());
    for (const KeyRole& key : primitive.keys) {
        out.text(key.role);
        out.text(redactedKey(primitive.kind, key.key));
        out.flag(key.assumed);
    }
    return out.take();
}

PrimitivePtr decodePrimitive(QByteArrayView bytes)
{
    ByteReader in(bytes);
    if (in.byte() != formatVersion)
        return nullptr;
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = in.oneOf(Kind::Pattern);
    primitive->id.layout = in.text();
    primitive->id.name = in.text();
    primitive->label = in.text();
    primitive->alternative = in.text();
    primitive->confidence = in.real();
    if (in.flag()) {
        auto declaration = std::make_shared<Declaration>();
        declaration->kind = primitive->kind;
        declaration->layout = primitive->id.layout;
        primitive->declaration = std::move(declaration);
    }
    for (size_t n = in.count(); n > 0 && in.ok(); --n) {
        KeyRole key;
        key.role = in.text();
        key.key = in.text();
        key.assumed = in.flag();
        primitive->keys.push_back(std::move(key));
    }
    if (!in.ok() || !in.atEnd() || primitive->keys.empty())
        return nullptr;
    return primitive;
}

QByteArray encodeState(const State& state)
{
    ByteWriter out;
    out.reserve(96);
    out.byte(formatVersion);
    out.byte(quint8(state.body.index()));
    out.flag(state.present);
    out.byte(quint8(state.health));
    out.real(state.urgency);
    writeEnd(out, state.ttlMs, state.asOfMs);
    out.maybe(state.bytes);
    out.flag(state.problem.has_value());
    if (state.problem) {
        out.byte(quint8(state.problem->code));
        // The detail may quote a key's name, which is a token's secret.
        out.text(state.kind() == Kind::Token ? QByteArray() : state.problem->detail.toUtf8());
    }
    writeObserved(out, state.observed);
    writeBody(out, state);
    writeExtras(out, state);
    return out.take();
}

StatePtr decodeState(QByteArrayView bytes, PrimitivePtr primitive, qint64 asOfMs)
{
    ByteReader in(bytes);
    const quint8 written = in.byte();
    if (!primitive || written != formatVersion || in.byte() != quint8(primitive->kind))
        return nullptr;
    auto state = std::make_shared<State>();
    state->primitive = std::move(primitive);
    state->asOfMs = asOfMs;
    state->present = in.flag();
    state->health = in.oneOf(Health::Error);
    state->urgency = in.real();
    state->ttlMs = readEnd(in, asOfMs);
    state->bytes = in.maybe();
    if (in.flag()) {
        Error problem{in.oneOf(lastError), {}};
        problem.detail = foreignText(QString::fromUtf8(in.view()));
        state->problem = std::move(problem);
    }
    state->observed = readObserved(in);
    readBody(in, *state);
    readExtras(in, *state);
    return in.ok() && in.atEnd() ? state : nullptr;
}

} // namespace lk
