// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/server/durability.h"

namespace lk {

FsyncPolicy fsyncPolicyOf(const QString& appendfsync)
{
    if (appendfsync == QLatin1String("always"))
        return FsyncPolicy::Always;
    if (appendfsync == QLatin1String("everysec"))
        return FsyncPolicy::EverySecond;
    return appendfsync == QLatin1String("no") ? FsyncPolicy::Never : FsyncPolicy::Unknown;
}

Evicts evictsOf(const QString& maxmemoryPolicy)
{
    if (maxmemoryPolicy.startsWith(QLatin1String("allkeys")))
        return Evicts::AnyKey;
    if (maxmemoryPolicy.startsWith(QLatin1String("volatile")))
        return Evicts::KeysWithTtl;
    return maxmemoryPolicy == QLatin1String("noeviction") ? Evicts::Nothing : Evicts::Unknown;
}

} // namespace lk
