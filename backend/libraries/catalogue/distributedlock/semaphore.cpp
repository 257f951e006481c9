// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/zsetlock.h"

#include "backend/libraries/families/locks/ownershape.h"

namespace lk {

namespace {

bool isMachinePid(QByteArrayView text)
{
    return mayBe(OwnerForm::MachinePid, text) && ownerInfoOf(text, 0).form == OwnerForm::MachinePid;
}

} // namespace

namespace layouts {

// DistributedLock for .NET. The set's TTL is three times a lease.
const Layout& distributedSemaphore()
{
    static const ZsetLock layout(
        {.id = "distributedlock-net-semaphore",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "DistributedLock semaphore (.NET)"),
         .scores = {},
         .isMember = isMachinePid,
         .places = {}});
    return layout;
}

} // namespace layouts

} // namespace lk
