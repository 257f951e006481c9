// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lk {

/// One and the same deployment, by whichever of its nodes it is entered.
struct AlertIdentity
{
    QStringList names; ///< as the recording has them: the key, then the aliases
    QString endpoint;  ///< under which older files kept it; empty: none did
};

} // namespace lk
