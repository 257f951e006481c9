// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/config/checkconfig.h"

#include <optional>

namespace lk {

/// Reads the keys of one table of a configuration file by type. Keeps the first mistake; later
/// reads return defaults.
class TomlFields
{
public:
    /// known: every key that the table may have.
    TomlFields(const toml::table& table, const QStringList& known);

    bool has(const char* name) const { return m_table.contains(name); }
    QByteArray text(const char* name);
    qint64 durationMs(const char* name, qint64 otherwise);
    /// "500MB": powers of 1024.
    qint64 bytes(const char* name, qint64 otherwise);
    std::optional<double> number(const char* name);
    bool flag(const char* name, bool otherwise);
    QByteArrayList texts(const char* name);
    /// The index of the value in words; -1 if the key is missing.
    int word(const char* name, const QStringList& words);
    int minuteOfDay(const char* name); ///< "22:00"; -1 if the key is missing

    void require(const char* name, const QString& example);
    /// The location of the key, or of the table if the key is missing.
    toml::source_region at(const char* name) const;
    void refuse(const char* name, const QString& what);
    const std::optional<ConfigRefusal>& refusal() const { return m_refusal; }
    /// Returns the value, or the mistake if there was one.
    template<typename T> tl::expected<T, ConfigRefusal> checked(T value) const
    {
        if (m_refusal)
            return tl::unexpected(*m_refusal);
        return value;
    }

private:
    const toml::table& m_table;
    std::optional<ConfigRefusal> m_refusal;
};

/// All [[name]] of the file, which are tables.
using TomlTables = tl::expected<const toml::array*, ConfigRefusal>;
TomlTables tomlTables(const toml::node& node, const char* name);

} // namespace lk
