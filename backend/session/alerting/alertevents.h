// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"

#include <functional>

namespace lk {

class Session;
class SessionAlerts;

/// What happens to a session's alerts, as it is recorded: fired and resolved where they are raised,
/// acknowledged and silenced where a person does that. For as long as all of them live, context
/// included.
void recordAlerts(SessionAlerts& alerts, const Session& session, QObject& context,
                  const std::function<void(std::vector<RecordedEvent>)>& record);

} // namespace lk
