// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/stateid.h"

#include <optional>

namespace lk {

/// The rows that a chip of a board shows, and that the overview counts together: rows in one state,
/// or patterns of one layout, whose states say little. If empty: all rows.
struct RowSet
{
    std::optional<StateId> state;
    QByteArray layout; ///< for patterns: PrimitiveId::layout

    bool isAll() const { return !state && layout.isEmpty(); }
    bool operator==(const RowSet&) const = default;
};

size_t qHash(const RowSet& set, size_t seed = 0);

/// Returns the set to which the state belongs.
RowSet rowSetOf(const State& state);

QString rowSetTitle(const RowSet& set); ///< "full", "Counter"; translated

/// Converts a set to text and back, within one run of the program. The text is empty for all rows.
QString rowSetId(const RowSet& set);
RowSet rowSetFrom(const QString& id);

} // namespace lk
