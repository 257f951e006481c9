// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/ownerlock.h"

namespace lk {

// DistributedLock for .NET: the token is "<machine>_<pid>_<random>".
const Layout& layouts_distributedLock()
{
    static const OwnerLock layout(
        {.id = "distributedlock-net",
         .title = QT_TRANSLATE_NOOP("lk::Layout", "DistributedLock (.NET)"),
         .form = OwnerForm::MachinePid,
         .places = {},
         .named = 0.95,
         .nameless = 0.75});
    return layout;
}

} // namespace lk
