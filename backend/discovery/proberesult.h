// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/classifier.h"
#include "backend/libraries/api/read.h"

namespace lk {

/// What one probe says by itself, whatever else is known.
struct ProbeResult
{
    /// See Classifier::classify(). What it found is moved into primitive where that is set.
    std::optional<Classified> claim;
    std::vector<Classified> named; ///< see Classifier::alsoNamed()
    PrimitivePtr primitive;        ///< the claim's, if it is more than possible; else null
    /// Of the primitive, without a handle, where the probe is of its main key and suffices.
    std::optional<ReadOutcome> decoded;
};

/// Pure; threads may share the classifier.
ProbeResult judge(const Classifier& classifier, const Probe& probe);

} // namespace lk
