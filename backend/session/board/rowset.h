// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/stateid.h"

#include <optional>

namespace lk {

/// Rows that a chip of a board shows alone, and that the overview counts together: those in one
/// state; of patterns, whose states say little, those of one layout. Empty: all.
struct RowSet
{
    std::optional<StateId> state;
    QByteArray layout; ///< of patterns: PrimitiveId::layout

    bool isAll() const { return !state && layout.isEmpty(); }
    bool operator==(const RowSet&) const = default;
};

size_t qHash(const RowSet& set, size_t seed = 0);

/// The one that it belongs to.
RowSet rowSetOf(const State& state);

QString rowSetTitle(const RowSet& set); ///< "full", "Counter"; translated

/// The same as a text and back, within one run of the program. That of all is empty.
QString rowSetId(const RowSet& set);
RowSet rowSetFrom(const QString& id);

} // namespace lk
