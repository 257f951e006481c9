// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/text/proposal.h"

#include <QStringList>

#include <string_view>

namespace lk {

// The words of the configuration file: its tables and their keys.

/// As the layout reads it, or else its kind; nothing if neither has such a key.
std::optional<ConfigField> findConfigField(const Layout& layout, std::string_view name);
/// The ids of the layouts of a kind that have such a key; empty: it is misspelt.
QStringList layoutsWithField(Kind kind, std::string_view name);
/// Nothing if there is no such table.
std::optional<Kind> configTableKind(std::string_view name);

QStringList configTableNames();
QStringList configFieldNames(Kind kind);
QStringList layoutNames(Kind kind);

} // namespace lk
