// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/declaration.h"

#include <QStringList>

#include <string_view>

namespace lk {

// The words of the configuration file: its tables and their keys, and what to propose instead of
// one that is not among them.

enum class FieldShape : quint8 { Count, Duration, Companion };

/// A key of a table, besides "key" and "layout", which all tables have.
struct ConfigField
{
    const char* name;
    FieldShape shape;
    Kind kind;
    const char* onlyLayout; ///< null: any of the kind
    /// Where the number goes; null for companions.
    std::optional<qint64> Declaration::*number = nullptr;
};

/// Null if tables of that kind have no such key.
const ConfigField* findConfigField(Kind kind, std::string_view name);
/// Nothing if there is no such table.
std::optional<Kind> configTableKind(std::string_view name);

QStringList configTableNames();
QStringList configFieldNames(Kind kind);
QStringList layoutNames(Kind kind);

/// The word in quotes.
QString quotedWord(std::string_view word);
/// What follows "unknown ...": the nearest right word, then all of them.
QString proposal(std::string_view given, const QStringList& right);

} // namespace lk
