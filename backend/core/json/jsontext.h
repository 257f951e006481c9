// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <concepts>
#include <optional>

namespace lk {

/// A JSON object as UTF-8 text, put together member by member in the order in which they are
/// added: a quarter of the time of a tree of values, which counts where there are 100,000 of them.
/// Names are not checked for being there twice.
class JsonObject final
{
public:
    void add(QByteArrayView name, bool value);
    void add(QByteArrayView name, qint64 value);
    void add(QByteArrayView name, double value); ///< null where JSON has no such number
    void add(QByteArrayView name, std::optional<qint64> value); ///< null for none
    /// The same. A template, so that no number becomes one of these.
    template<std::same_as<bool> Bool> void add(QByteArrayView name, std::optional<Bool> value)
    {
        value ? add(name, *value) : addNull(name);
    }
    void add(QByteArrayView name, const QString& value);
    void add(QByteArrayView name, const QByteArray& utf8);
    void addNull(QByteArrayView name);
    /// A value that is JSON already: another object's text, a list.
    void addJson(QByteArrayView name, QByteArrayView json);

    QByteArray text() const;

private:
    void begin(QByteArrayView name);

    QByteArray m_text; ///< all but the closing brace; empty: no member yet
};

/// A JSON string, quotes included. Half a surrogate pair is replaced.
QByteArray jsonString(const QString& value);

} // namespace lk
