// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"
#include "backend/libraries/detect/siblingkeys.h"

namespace lk::test {

/// The siblings that the layout names; none where it never does.
inline std::vector<QByteArray> siblingsOf(const Layout& layout, const QByteArray& name,
                                          KeyType type)
{
    const auto* keys = dynamic_cast<const SiblingKeys*>(&layout);
    return keys ? keys->siblings(name, type) : std::vector<QByteArray>();
}

} // namespace lk::test
