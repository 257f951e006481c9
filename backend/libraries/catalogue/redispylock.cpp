// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/ownerlock.h"

namespace lk {

// redis-py's Lock(): the token is uuid.uuid1().hex, which no other library uses. The program
// chooses the name.
const Layout& layouts_redisPyLock()
{
    static const OwnerLock layout({.id = "redis-py-lock",
                                   .title = QT_TRANSLATE_NOOP("lk::Layout", "redis-py lock"),
                                   .form = OwnerForm::Uuid1Hex,
                                   .places = {},
                                   .named = 0.95,
                                   .needsTtl = false});
    return layout;
}

} // namespace lk
