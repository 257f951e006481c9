// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <algorithm>
#include <array>

namespace lk {

/// The confidence from which a single key is offered. Below it, only several keys of one form are.
constexpr double offeredFrom = 0.2;

/// A key that may be a primitive but is not proven to be. It is offered to the operator, and
/// neither counted nor read nor judged.
struct PossiblePrimitive
{
    Kind kind = Kind::Limiter;
    PrimitiveId id;
    QByteArray key;
    Doubt doubt = Doubt::NameOnly;

    bool operator==(const PossiblePrimitive&) const = default;
};

/// All possible primitives at a moment. Immutable once published; threads share it.
struct PossiblePrimitives
{
    std::array<qint64, allKinds.size()> counts{}; ///< by kind
    std::vector<PossiblePrimitive> named;         ///< bounded for each kind; by kind, then by key

    qint64 count(Kind kind) const { return counts[size_t(kind)]; }
    qint64 total() const
    {
        qint64 sum = 0;
        for (const qint64 count : counts)
            sum += count;
        return sum;
    }
};

using PossiblePtr = std::shared_ptr<const PossiblePrimitives>;

} // namespace lk
