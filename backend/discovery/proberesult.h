// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/libraries/api/primitiveread.h"

namespace lk {

/// The result of one probe, independent of other keys.
struct ProbeResult
{
    /// See Classifier::classify(). If primitive is set, the claim's primitive has been moved into
    /// it.
    std::optional<Classified> claim;
    std::vector<Classified> named; ///< see Classifier::alsoNamed()
    PrimitivePtr primitive;        ///< the claim's, if it is more than possible; else null
    /// The decoded state, without a handle, if the probe is of the main key and suffices.
    std::optional<ReadOutcome> decoded;
};

/// Pure; threads may share the classifier.
ProbeResult judge(const Classifier& classifier, const Probe& probe);

} // namespace lk
