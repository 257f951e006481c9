// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <vector>

namespace lk {

/// One RESP2 reply as a value.
struct Reply
{
    enum class Type : quint8 { Nil, Status, Error, Integer, Bulk, Array };

    Type type = Type::Nil;
    qint64 integer = 0;       ///< Integer
    QByteArray text;          ///< Status, Error, Bulk
    std::vector<Reply> items; ///< Array

    bool isNil() const { return type == Type::Nil; }
    bool isError() const { return type == Type::Error; }
    bool isArray() const { return type == Type::Array; }
    bool isInteger() const { return type == Type::Integer; }
    /// Status or bulk.
    bool isText() const { return type == Type::Bulk || type == Type::Status; }

    bool operator==(const Reply&) const = default;

    // For tests and for replies that stand in for a command that was not sent.
    static Reply nil() { return {}; }
    static Reply status(QByteArray text) { return {Type::Status, 0, std::move(text), {}}; }
    static Reply error(QByteArray text) { return {Type::Error, 0, std::move(text), {}}; }
    static Reply number(qint64 n) { return {Type::Integer, n, {}, {}}; }
    static Reply bulk(QByteArray text) { return {Type::Bulk, 0, std::move(text), {}}; }
    static Reply array(std::vector<Reply> items) { return {Type::Array, 0, {}, std::move(items)}; }
};

} // namespace lk
