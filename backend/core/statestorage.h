// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/fieldcodec.h"
#include "backend/core/statefields.h"

namespace lk {

/// The beginning of a stored state, by which states are sorted.
struct StateHead
{
    Health health = Health::Idle;
    bool present = true;
    OptionalInt ttlMs;
    double urgency = 0; ///< of most locks and tokens: the TTL in seconds
    OptionalInt bytes;
    qint64 asOfMs = 0;
};

template<>
inline constexpr auto fieldsOf<StateHead> = std::tuple(
    field(&StateHead::health), field(&StateHead::present), field(&StateHead::ttlMs, Is::Left),
    field(&StateHead::urgency).usual([](const StateHead& s, const FieldContext&) {
        return std::optional<qint64>(s.ttlMs);
    }),
    field(&StateHead::bytes), field(&StateHead::asOfMs, Is::NotRecorded));

/// Writes all of a state that is stored in the form.
template<FieldForm form> void writeState(ByteWriter& out, const State& state)
{
    FieldWriter<form> writer(out, {state.asOfMs, state.ttlMs});
    writer.write(StateHead{state.health, state.present, state.ttlMs, state.urgency, state.bytes,
                           state.asOfMs});
    writer.write(state);
    state.body.visit([&](const auto& body) { writer.write(body); });
}

/// Makes the body of that kind, which has the same place among the bodies as among the kinds.
template<typename... Bodies> void setBody(BoxedVariant<Bodies...>& body, Kind kind)
{
    size_t at = 0;
    (void)((at++ == size_t(kind) ? (body = Bodies(), true) : false) || ...);
}

/// Reads a state. Null if the bytes are not exactly one of the primitive's kind. asOfMs: when it
/// was read, if the bytes do not say so.
template<FieldForm form>
StatePtr readState(ByteReader& in, PrimitivePtr primitive, qint64 asOfMs = 0)
{
    StateHead head;
    FieldReader<form>(in, {asOfMs}).read(head);
    const auto state = std::make_shared<State>();
    state->health = head.health;
    state->present = head.present;
    state->urgency = head.urgency;
    state->ttlMs = head.ttlMs;
    state->bytes = head.bytes;
    state->asOfMs = form == FieldForm::Packed ? head.asOfMs : asOfMs;
    setBody(state->body, primitive->kind);
    state->primitive = std::move(primitive);
    FieldReader<form> reader(in, {state->asOfMs, state->ttlMs});
    reader.read(*state);
    state->body.visit([&](auto& body) { reader.read(body); });
    return in.ok() && in.atEnd() ? state : nullptr;
}

} // namespace lk
