// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

#include <QStringList>

#include <vector>

namespace lk {

/// The node that a script with these keys goes to, "127.0.0.1:7002/0"; empty where the deployment
/// is named by its only server.
QString nodeOfKeys(Link& link, const std::vector<QByteArray>& keys);

/// What this deployment is known by: as it was named, and the nodes that hold its data now.
QStringList placesOf(Link& link);

/// For people: a node is told without the database, which is the deployment's.
QString nodeText(const QString& node);

} // namespace lk
