// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/statepacking.h"

#include "backend/core/statestorage.h"

namespace lk {

namespace {

template<typename S> bool packs(const S& s)
{
    bool all = true;
    eachField<S>([&]<typename F>(F) {
        if constexpr (F::field.is(Is::NeverPacked))
            all = all && isEmptyField(s.*F::field.member);
    });
    return all;
}

StateHead headOf(QByteArrayView bytes)
{
    ByteReader in(bytes);
    StateHead head;
    FieldReader<FieldForm::Packed>(in, {}).read(head);
    return head;
}

} // namespace

QByteArray packState(const State& state)
{
    if (state.as<QueueState>() || !packs(state) ||
        !state.body.visit([](const auto& body) { return packs(body); }))
        return {};
    ByteWriter out;
    writeState<FieldForm::Packed>(out, state);
    return out.take();
}

StatePtr unpackState(QByteArrayView bytes, PrimitivePtr primitive)
{
    if (primitive->kind == Kind::Queue)
        return nullptr;
    ByteReader in(bytes);
    return readState<FieldForm::Packed>(in, std::move(primitive));
}

StateRank rankOf(QByteArrayView bytes)
{
    const StateHead head = headOf(bytes);
    return {head.health, head.urgency};
}

qint64 asOfMsOf(QByteArrayView bytes)
{
    return headOf(bytes).asOfMs;
}

} // namespace lk
