// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/declaredgroups.h"

#include "backend/config/redlockconfig.h"

namespace lk {

Result<std::vector<RedlockGroup>> declaredGroups(const QString& configFile,
                                                 const QString& passwordVariable)
{
    Result<std::vector<RedlockGroup>> groups = loadRedlocks(configFile);
    if (!groups)
        return groups;
    for (RedlockGroup& group : *groups) {
        for (ServerUrl& url : group.servers) {
            if (url.password.isEmpty())
                url.password = passwordVariable;
        }
    }
    return groups;
}

} // namespace lk
