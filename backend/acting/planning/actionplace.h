// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

#include <QStringList>

#include <vector>

namespace lk {

/// Returns the node that a script with these keys goes to: "127.0.0.1:7002/0". Empty if the
/// deployment is named by its only server.
QString nodeOfKeys(Link& link, const std::vector<QByteArray>& keys);

/// Returns the endpoints of this deployment: the one it was named by, and the nodes that hold its
/// data now.
QStringList placesOf(Link& link);

/// Returns the node for display, without the database, which is the deployment's.
QString nodeText(const QString& node);

} // namespace lk
