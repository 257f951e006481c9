// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <functional>

namespace lk {

class Session;
class SessionAlerts;

/// Records the events of a session's alerts: fired and resolved where they are raised, acknowledged
/// and silenced where the user does that. Ends when alerts, session or context is destroyed.
void recordAlerts(SessionAlerts& alerts, const Session& session, QObject& context,
                  const std::function<void(std::vector<RecordedEvent>)>& record);

} // namespace lk
