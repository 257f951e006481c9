// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/core/keptstate.h"

namespace lk {

/// What the rows of a board are of. To ask for a state may take as long as to unpack it: the rest
/// is asked for by itself. Of handles that it knows.
class RowStates
{
public:
    virtual ~RowStates() = default;
    virtual const KeptState& kept(Handle row) const = 0;

    const Primitive& primitive(Handle row) const { return *kept(row).primitive(); }
    StateRank rank(Handle row) const { return kept(row).rank(); }
    StatePtr state(Handle row) const { return kept(row).state(); }
};

} // namespace lk
