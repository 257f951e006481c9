// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/layoutfile.h"

#include <algorithm>

namespace lk {

const KeyRule* LayoutFile::key(const QByteArray& role) const
{
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&](const KeyRule& k) { return k.role == role; });
    return found == keys.end() ? nullptr : &*found;
}

const KeyRule* LayoutFile::keyFor(const QByteArray& familyRole) const
{
    const auto found = std::find_if(keys.begin(), keys.end(),
                                    [&](const KeyRule& k) { return k.familyRole == familyRole; });
    return found == keys.end() ? nullptr : &*found;
}

} // namespace lk
