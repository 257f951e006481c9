// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

class Session;

/// Of a replica that was named directly: its master, on which actions run, as "10.0.0.1:6379".
/// Empty: it is a master, or not known, or it is followed by itself, as that of a Sentinel group.
QString masterElsewhere(const Session& session);

/// Of a replica of a cluster that is looked at alone: with the whole of it, its master is there,
/// too.
bool isAloneOfCluster(const Session& session);

} // namespace lk
