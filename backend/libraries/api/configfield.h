// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/declaration.h"

namespace lk {

/// The syntax of a value in a configuration table.
enum class FieldShape : quint8 {
    Count,        ///< a whole number above zero
    Duration,     ///< "250ms", "10m"
    WholeSeconds, ///< a duration that has no fraction of a second
    Companion,    ///< the name of another key; the companion's role is the field's name
};

/// A key of a configuration table, besides "key" and "layout", which all tables have.
struct ConfigField
{
    QByteArray name; ///< "limit"
    FieldShape shape = FieldShape::Count;
    /// The member that receives the number; null for companions.
    std::optional<qint64> Declaration::*number = nullptr;
};

} // namespace lk
