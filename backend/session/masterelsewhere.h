// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

class Session;

/// For a replica that the user named directly: returns its master, on which actions run, as
/// "10.0.0.1:6379". Empty if the server is a master or its master is not known, and for a Sentinel
/// group or a cluster, whose masters the console can follow.
QString masterElsewhere(const Session& session);

/// Returns true for a replica of a cluster that is viewed on its own. Its master is in view only
/// with the whole cluster.
bool isAloneOfCluster(const Session& session);

} // namespace lk
