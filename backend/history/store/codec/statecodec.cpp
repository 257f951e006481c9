// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/statecodec.h"

#include "backend/core/statestorage.h"

namespace lk {

template<> inline constexpr auto lastOf<Kind> = Kind::Pattern;

template<>
inline constexpr auto fieldsOf<PrimitiveId> = std::tuple(field(&PrimitiveId::layout),
                                                         field(&PrimitiveId::name));

template<>
inline constexpr auto fieldsOf<KeyRole> = std::tuple(field(&KeyRole::role), field(&KeyRole::key),
                                                     field(&KeyRole::assumed));

template<>
inline constexpr auto
    fieldsOf<Primitive> = std::tuple(field(&Primitive::kind), field(&Primitive::id),
                                     field(&Primitive::label), field(&Primitive::alternative),
                                     field(&Primitive::keys));

namespace {

constexpr quint8 formatVersion = 1; // of primitives and of states

} // namespace

PrimitiveId recordedId(const Primitive& primitive)
{
    return {primitive.id.layout, redactedKey(primitive.kind, primitive.id.name)};
}

QByteArray encodePrimitive(const Primitive& primitive)
{
    Primitive own = primitive;
    own.id = recordedId(primitive);
    if (!own.label->isEmpty())
        own.label = redactedKey(own.kind, *own.label);
    for (KeyRole& key : own.keys)
        key.key = redactedKey(own.kind, key.key);
    ByteWriter out;
    out.byte(formatVersion);
    FieldWriter<FieldForm::Recorded>(out, {}).write(own);
    out.real(own.confidence);
    out.flag(own.declaration != nullptr);
    return out.take();
}

PrimitivePtr decodePrimitive(QByteArrayView bytes)
{
    ByteReader in(bytes);
    if (in.byte() != formatVersion)
        return nullptr;
    auto primitive = std::make_shared<Primitive>();
    FieldReader<FieldForm::Recorded>(in, {}).read(*primitive);
    primitive->confidence = in.real();
    if (in.flag()) {
        auto declaration = std::make_shared<Declaration>();
        declaration->kind = primitive->kind;
        declaration->layout = primitive->id.layout;
        primitive->declaration = std::move(declaration);
    }
    const bool isWhole = in.ok() && in.atEnd() && !primitive->keys.empty();
    return isWhole ? primitive : nullptr;
}

QByteArray encodeState(const State& state)
{
    ByteWriter out;
    out.byte(formatVersion);
    out.byte(quint8(state.body.index()));
    writeState<FieldForm::Recorded>(out, state);
    return out.take();
}

StatePtr decodeState(QByteArrayView bytes, PrimitivePtr primitive, qint64 asOfMs)
{
    ByteReader in(bytes);
    const quint8 version = in.byte();
    if (!primitive || version != formatVersion || in.byte() != quint8(primitive->kind))
        return nullptr;
    return readState<FieldForm::Recorded>(in, std::move(primitive), asOfMs);
}

} // namespace lk
