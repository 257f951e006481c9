// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <vector>

namespace lk {

/// Independent servers that hold locks together (Redlock), as the operator declared them. The
/// client that has its name on most of them holds the lock.
struct RedlockGroup
{
    std::vector<ServerUrl> servers; ///< three or more
    QByteArray match;               ///< glob over the locks' key names
    int line = 0;                   ///< line in the configuration file

    size_t quorum() const { return servers.size() / 2 + 1; }
};

} // namespace lk
