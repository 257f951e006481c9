// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <vector>

namespace lk {

/// Independent servers that hold locks together, as the operator declared them: a lock is held by
/// whoever has its name on most of them (Redlock).
struct RedlockGroup
{
    std::vector<ServerUrl> servers; ///< three or more
    QByteArray match;               ///< glob over the locks' key names
    int line = 0;                   ///< of the configuration file

    size_t quorum() const { return servers.size() / 2 + 1; }
};

} // namespace lk
