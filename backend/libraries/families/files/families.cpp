// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/family.h"

#include <algorithm>

// The list of all families. Each has a file with its description and a line here.
#define LK_FAMILIES(X)                                                                             \
    X(concurrencyFamily)                                                                           \
    X(fixedWindowFamily)                                                                           \
    X(gateFamily)                                                                                  \
    X(gcraFamily)                                                                                  \
    X(slidingCounterFamily)                                                                        \
    X(slidingLogFamily)                                                                            \
    X(tokenBucketFamily)                                                                           \
    X(ownerLockFamily)                                                                             \
    X(holderSetFamily)                                                                             \
    X(timestampLockFamily)                                                                         \
    X(listQueueFamily)                                                                             \
    X(jobQueueFamily)                                                                              \
    X(oneTimeTokenFamily)

namespace lk {

namespace families {
#define LK_DECLARE(name) Family name();
LK_FAMILIES(LK_DECLARE)
#undef LK_DECLARE
} // namespace families

const std::vector<Family>& allFamilies()
{
#define LK_DESCRIPTION(name) families::name(),
    static const std::vector<Family> all = {LK_FAMILIES(LK_DESCRIPTION)};
#undef LK_DESCRIPTION
    return all;
}

const Family* findFamily(const QByteArray& id)
{
    const std::vector<Family>& all = allFamilies();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Family& f) { return id == f.id; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace lk
