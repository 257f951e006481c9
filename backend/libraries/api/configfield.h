// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/declaration.h"

namespace lk {

/// What a value in a configuration table must look like.
enum class FieldShape : quint8 {
    Count,        ///< a whole number above zero
    Duration,     ///< "250ms", "10m"
    WholeSeconds, ///< a duration that has no fraction of a second
    Companion,    ///< the name of another key; a companion of the field's name
};

/// A key of a configuration table, besides "key" and "layout", which all tables have.
struct ConfigField
{
    QByteArray name; ///< "limit"
    FieldShape shape = FieldShape::Count;
    /// Where the number goes; null for companions.
    std::optional<qint64> Declaration::*number = nullptr;
};

} // namespace lk
