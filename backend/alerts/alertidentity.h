// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lk {

/// Identifies a deployment, through whichever of its nodes it is entered.
struct AlertIdentity
{
    QStringList names; ///< as in the recording: the key, then the aliases
    QString endpoint;  ///< its name in older files; empty if there is none
};

} // namespace lk
