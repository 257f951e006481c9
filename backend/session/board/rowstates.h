// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/core/keptstate.h"

namespace lk {

/// Gives access to the states behind a board's rows, by known handles. state() may have to unpack
/// the state, so primitive() and rank() have functions of their own.
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
