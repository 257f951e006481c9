// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/detect/probe.h"

namespace lk {

/// Optional interface of a layout: hints about the names of the keys that it claims, so that it is
/// asked about few others.
class KeyHints
{
public:
    virtual ~KeyHints() = default;

    /// Texts that occur in names. If the layout claims a key of that type or names its siblings,
    /// the key's name contains at least one of them and is no longer than longestName. Empty if any
    /// name is possible.
    virtual std::vector<QByteArray> nameParts(KeyType type) const = 0;

    static constexpr qsizetype longestName = 4096; ///< bytes; longer names are data
};

} // namespace lk
