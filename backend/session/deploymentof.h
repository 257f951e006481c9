// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <QStringList>

#include <optional>

namespace lk {

class Session;

/// Which deployment a session is of: the recording and the alerts keep it by these names. Known
/// only once it has answered, as a server may be a cluster's node; nothing: not yet. reports: how
/// many have come since it is connected. After some of them it is what is known by then: this user
/// may learn no more.
std::optional<RecordedDeployment> deploymentOf(const Session& session, int reports);

/// Under which endpoints the journal may have actions on it: of a cluster or a group any of its
/// nodes may have been entered.
QStringList journalPlacesOf(const Session& session);

} // namespace lk
