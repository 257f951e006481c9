// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>
#include <vector>

namespace lk {

/// A field of a message in the wire format of Protocol Buffers: a number, or bytes.
struct ProtoField
{
    quint64 number = 0; ///< in the message's definition
    std::optional<quint64> value;
    QByteArray bytes;
};

/// Returns the fields of a message in their order. Returns nothing if the bytes are not a complete
/// message, for example if they were cut.
std::optional<std::vector<ProtoField>> protoFieldsOf(const QByteArray& message);

/// Return the bytes or the value of the last field with that number.
QByteArray protoBytes(const std::vector<ProtoField>& fields, quint64 number);
std::optional<qint64> protoNumber(const std::vector<ProtoField>& fields, quint64 number);

} // namespace lk
