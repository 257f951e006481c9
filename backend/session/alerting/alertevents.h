// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

class Session;
class SessionAlerts;
class SessionRecorder;

/// What happens to a session's alerts gets into its recording: fired and resolved where they are
/// raised, acknowledged and silenced where a person does that. For as long as all of them live.
void recordAlerts(SessionAlerts& alerts, const Session& session, SessionRecorder& recorder);

} // namespace lk
