// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/asynq/protobuf.h"

namespace lk {

namespace {

std::optional<quint64> varint(QByteArrayView bytes, qsizetype& at)
{
    quint64 value = 0;
    for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = quint8(bytes[at++]);
        value |= quint64(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::vector<ProtoField>> protoFieldsOf(const QByteArray& message)
{
    std::vector<ProtoField> fields;
    qsizetype at = 0;
    while (at < message.size()) {
        const std::optional<quint64> tag = varint(message, at);
        if (!tag || *tag >> 3 == 0)
            return std::nullopt;
        ProtoField field;
        field.number = *tag >> 3;
        const int wire = int(*tag & 7);
        qsizetype size = wire == 1 ? 8 : wire == 5 ? 4 : 0;
        if (wire == 0) {
            field.value = varint(message, at);
            if (!field.value)
                return std::nullopt;
        } else if (wire == 2) {
            const std::optional<quint64> length = varint(message, at);
            if (!length || *length > quint64(message.size()))
                return std::nullopt;
            size = qsizetype(*length);
        } else if (size == 0) {
            return std::nullopt;
        }
        if (size > message.size() - at)
            return std::nullopt;
        field.bytes = message.mid(at, size);
        at += size;
        fields.push_back(std::move(field));
    }
    return fields;
}

QByteArray protoBytes(const std::vector<ProtoField>& fields, quint64 number)
{
    QByteArray found;
    for (const ProtoField& field : fields) {
        if (field.number == number && !field.value)
            found = field.bytes;
    }
    return found;
}

std::optional<qint64> protoNumber(const std::vector<ProtoField>& fields, quint64 number)
{
    std::optional<qint64> found;
    for (const ProtoField& field : fields) {
        if (field.number == number && field.value)
            found = qint64(*field.value);
    }
    return found;
}

} // namespace lk
