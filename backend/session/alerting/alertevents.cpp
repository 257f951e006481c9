// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/alerting/alertevents.h"

#include "backend/core/names/keyname.h"
#include "backend/session/alerting/sessionalerts.h"
#include "backend/session/recording/sessionrecorder.h"
#include "backend/session/session.h"

#include <algorithm>

namespace lk {

namespace {

RecordedEvent eventOf(const Alert& alert, EventType type, qint64 tMs)
{
    RecordedEvent event;
    event.tMs = tMs;
    event.type = type;
    event.primitive = alert.primitive;
    event.code = alert.rule;
    // Of one primitive its name is told with the event.
    const bool several = alert.primitive.name.isEmpty() && !alert.name.isEmpty();
    event.text = several ? displayName(alert.name) + QStringLiteral(": ") + alert.text : alert.text;
    event.ref = alert.id;
    event.severity = alert.severity;
    event.kind = alert.kind.value_or(Kind::Limiter);
    return event;
}

} // namespace

void recordAlerts(SessionAlerts& alerts, const Session& session, SessionRecorder& recorder)
{
    QObject::connect(&alerts, &SessionAlerts::happened, &recorder,
                     [&recorder](const std::vector<AlertEvent>& happened) {
                         std::vector<RecordedEvent> events;
                         for (const AlertEvent& event : happened) {
                             const bool fired = event.type == AlertEvent::Type::Fired;
                             events.push_back(
                                 eventOf(*event.alert,
                                         fired ? EventType::AlertFired : EventType::AlertResolved,
                                         fired ? event.alert->firedMs : event.alert->resolvedMs));
                         }
                         recorder.addEvents(std::move(events));
                     });
    QObject::connect(&alerts, &SessionAlerts::acknowledged, &recorder,
                     [&](const QByteArrayList& ids, const QString& by) {
                         for (const AlertPtr& alert : alerts.alerts()->open) {
                             if (!ids.contains(alert->id))
                                 continue;
                             RecordedEvent event = eventOf(*alert, EventType::AlertAcknowledged,
                                                           session.serverNowMs());
                             event.who = by;
                             recorder.addEvent(std::move(event));
                         }
                     });
    QObject::connect(&alerts, &SessionAlerts::silenced, &recorder, [&](const Silence& silence) {
        RecordedEvent event;
        event.tMs = session.serverNowMs();
        event.type = EventType::AlertSilenced;
        event.code = silence.rule;
        event.who = silence.by;
        event.text = silence.reason;
        event.value = double(silence.untilMs);
        recorder.addEvent(std::move(event));
    });
}

} // namespace lk
