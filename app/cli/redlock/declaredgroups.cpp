// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/redlock/declaredgroups.h"

#include <optional>

namespace lk {

std::vector<RedlockGroup> withPassword(std::vector<RedlockGroup> groups,
                                       const QString& passwordVariable)
{
    for (RedlockGroup& group : groups) {
        std::optional<QString> user; // of the first that came without a password
        for (ServerUrl& url : group.servers) {
            if (!url.password.isEmpty())
                continue;
            user = user.value_or(url.user);
            if (url.user == *user)
                url.password = passwordVariable;
        }
    }
    return groups;
}

} // namespace lk
