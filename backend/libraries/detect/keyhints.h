// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

/// What a layout may tell, besides being one, of the keys that it claims, so that it is asked about
/// few others.
class KeyHints
{
public:
    virtual ~KeyHints() = default;

    /// Texts of which the name of a key of that type contains at least one, and which is no longer
    /// than longestName, where the layout claims it or names its siblings. Empty: any name may be
    /// one.
    virtual std::vector<QByteArray> nameParts(KeyType type) const = 0;

    static constexpr qsizetype longestName = 4096; ///< bytes; a longer one is data
};

} // namespace lk
