// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/timeunit.h"

#include <QByteArrayList>
#include <QString>

#include <optional>
#include <tl/expected.hpp>
#include <vector>

namespace lk {

/// The values of a pattern's placeholders in one name, in the pattern's order.
class NameValues
{
public:
    void set(const QByteArray& name, const QByteArray& value);
    /// Empty if there is no placeholder of that name.
    QByteArray value(const QByteArray& name) const;
    bool contains(const QByteArray& name) const;
    bool isEmpty() const { return m_values.empty(); }

private:
    std::vector<std::pair<QByteArray, QByteArray>> m_values;
};

/// A key name, member, field or value with placeholders, as layout files write it:
///   {prefix}           nothing, or anything that does not end in a letter or digit
///   {id}               anything, at least one byte
///   {n:digits}         only digits; also integer, number, hex, alnum, base64, base64url and uuid.
///                      {h:hex32} and the like match exactly that many characters
///   {t:seconds}        a number that is a time between 2008 and 2100 in that unit; also
///                      milliseconds, microseconds, nanoseconds
///   {t:isotime}        such a time in ISO 8601, with a T between day and hour
///   {p:pickle}         data from Python's pickle, which zlib or gzip may have compressed
///   {ip:address}       an IPv4 or IPv6 address
///   {w:second|minute}  one of these words
///   {{ and }}          the braces themselves
/// The same name twice stands for the same bytes. A value; threads may share one.
class NamePattern
{
public:
    NamePattern() = default;
    /// The error describes the problem for people, without a position.
    static tl::expected<NamePattern, QString> parse(const QByteArray& text);

    const QByteArray& text() const { return m_text; }
    /// The names of the placeholders, each once, in order of first appearance.
    const QByteArrayList& placeholders() const { return m_names; }
    /// The longest text that every matching name contains. Empty if there is none.
    const QByteArray& needle() const { return m_needle; }

    /// The values of the shortest match from the left. Nothing if the name does not match.
    std::optional<NameValues> match(QByteArrayView name) const;
    bool matches(QByteArrayView name) const;

    /// The name with all placeholders replaced. Nothing if one of them has no value.
    std::optional<QByteArray> fill(const NameValues& values) const;

private:
    enum class Form : quint8 {
        Literal,
        Prefix,
        Any,
        Digits,
        Integer,
        Number,
        Hex,
        Alnum,
        Base64,
        Base64Url,
        Uuid,
        Time,
        IsoTime,
        Address,
        Pickle,
        Words,
    };
    struct Part
    {
        Form form = Form::Literal;
        QByteArray text;      ///< Literal: the text; else the placeholder's name
        qsizetype slot = 0;   ///< index into the placeholders
        qsizetype length = 0; ///< the exact number of characters; 0: any number
        TimeUnit unit = TimeUnit::Seconds;
        QByteArrayList words;
        qsizetype shortest = 0; ///< the least number of characters
    };
    struct Attempt;

    static tl::expected<Part, QString> placeholder(const QByteArray& inside);
    static bool fits(const Part& part, QByteArrayView text);
    bool mayMatch(QByteArrayView name) const;
    bool matchFrom(Attempt& attempt, size_t part, qsizetype at) const;
    bool fits(QByteArrayView name, std::vector<QByteArrayView>& taken) const;
    void finalize();

    QByteArray m_text;
    std::vector<Part> m_parts;
    QByteArrayList m_names;
    QByteArray m_needle;      ///< the longest literal
    qsizetype m_shortest = 0; ///< no shorter name matches
};

} // namespace lk
