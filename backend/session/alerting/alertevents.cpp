// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/alerting/alertevents.h"

#include "backend/core/names/keyname.h"
#include "backend/session/session.h"
#include "backend/session/sessionalerts.h"

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
    // An event of one primitive contains its name already.
    const bool several = alert.primitive.name.isEmpty() && !alert.name.isEmpty();
    event.text = several ? displayName(alert.name) + QStringLiteral(": ") + alert.text : alert.text;
    event.ref = alert.id;
    event.severity = alert.severity;
    event.kind = alert.kind.value_or(Kind::Limiter);
    return event;
}

RecordedEvent silenceEvent(EventType type, const Silence& silence, const Alerts& alerts,
                           qint64 localMs, qint64 serverMs)
{
    RecordedEvent event;
    event.tMs = serverMs;
    event.type = type;
    event.code = silence.rule;
    event.who = silence.by;
    event.text = silence.reason;
    event.detail = displayName(silence.match);
    event.value = silence.untilMs > 0 ? double(silence.untilMs + serverMs - localMs) : 0;
    if (silence.match.isEmpty())
        return event;
    // If the open alerts that it covers concern one primitive, records that primitive and the
    // alert's name.
    const Alert* covered = nullptr;
    for (const AlertPtr& alert : alerts.open) {
        if (!silence.covers(*alert, localMs))
            continue;
        if (covered && !(covered->primitive == alert->primitive))
            return event;
        covered = alert.get();
    }
    if (covered) {
        event.primitive = covered->primitive;
        event.kind = covered->kind.value_or(Kind::Limiter);
        event.detail = displayName(covered->name);
    }
    return event;
}

} // namespace

void recordAlerts(SessionAlerts& alerts, const Session& session, QObject& context,
                  const std::function<void(std::vector<RecordedEvent>)>& record)
{
    QObject::connect(&alerts, &SessionAlerts::happened, &context,
                     [record](const std::vector<AlertEvent>& happened) {
                         std::vector<RecordedEvent> events;
                         for (const AlertEvent& event : happened) {
                             const bool fired = event.type == AlertEvent::Type::Fired;
                             events.push_back(
                                 eventOf(*event.alert,
                                         fired ? EventType::AlertFired : EventType::AlertResolved,
                                         fired ? event.alert->firedMs : event.alert->resolvedMs));
                         }
                         record(std::move(events));
                     });
    QObject::connect(&alerts, &SessionAlerts::acknowledged, &context,
                     [&alerts, &session, record](const QByteArrayList& ids, const QString& by) {
                         std::vector<RecordedEvent> events;
                         for (const AlertPtr& alert : alerts.alerts()->open) {
                             if (!ids.contains(alert->id))
                                 continue;
                             events.push_back(eventOf(*alert, EventType::AlertAcknowledged,
                                                      session.serverNowMs()));
                             events.back().who = by;
                         }
                         record(std::move(events));
                     });
    const auto told = [&alerts, &session](EventType type, const Silence& silence) {
        return silenceEvent(type, silence, *alerts.alerts(), session.setup().clock->nowMs(),
                            session.serverNowMs());
    };
    QObject::connect(&alerts, &SessionAlerts::silenced, &context,
                     [told, record](const Silence& silence) {
                         record({told(EventType::AlertSilenced, silence)});
                     });
    QObject::connect(&alerts, &SessionAlerts::silenceEnded, &context,
                     [told, record](const Silence& silence, const QString& by) {
                         RecordedEvent event = told(EventType::SilenceEnded, silence);
                         event.who = by;
                         event.value = 0;
                         record({std::move(event)});
                     });
}

} // namespace lk
