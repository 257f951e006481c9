// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <QStringList>

#include <optional>

namespace lk {

class Session;

/// Returns the deployment of a session, by whose names recording and alerts store it. Empty until
/// the server has answered, as it may be a cluster's node. reports: the number of reports since it
/// connected. After some reports it returns what is known by then, because this user may not be
/// allowed to learn more.
std::optional<RecordedDeployment> deploymentOf(const Session& session, int reports);

/// Returns the endpoints under which the journal may contain actions on the deployment: any node of
/// a cluster or group may have been the entry.
QStringList journalPlacesOf(const Session& session);

} // namespace lk
