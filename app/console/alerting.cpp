// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console/alerting.h"

#include "backend/session/endthread.h"
#include "backend/session/sessionalerts.h"

#include <algorithm>

namespace lk {

namespace {

bool has(const Alerts& alerts, const QByteArray& id)
{
    const auto same = [&](const AlertPtr& alert) { return alert->id == id; };
    return std::any_of(alerts.open.begin(), alerts.open.end(), same) ||
           std::any_of(alerts.past.begin(), alerts.past.end(), same);
}

qint64 unattended(const Session& session)
{
    return session.alerts()->alerts()->unattended(session.setup().clock->nowMs()).count;
}

} // namespace

Alerting::Alerting()
{
    m_thread.setObjectName(QStringLiteral("alerts"));
    m_thread.start();
    connect(&m_notifier, &DesktopNotifier::activated, this, &Alerting::find);
    connect(&m_tray, &AlertTray::activated, this, [this] { find({}); });
}

Alerting::~Alerting()
{
    endThread(m_thread);
}

void Alerting::follow(Session& session)
{
    SessionAlerts* alerts = session.alerts();
    if (!alerts)
        return;
    m_sessions.push_back(&session);
    alerts->showOnDesktop();
    connect(alerts, &SessionAlerts::desktopWanted, &m_notifier, &DesktopNotifier::show);
    connect(&m_notifier, &DesktopNotifier::answered, alerts, &SessionAlerts::desktopAnswered);
    connect(alerts, &SessionAlerts::changed, this, &Alerting::update);
    connect(alerts, &QObject::destroyed, this, [this, ended = &session] {
        std::erase(m_sessions, ended);
        update();
    });
}

void Alerting::update()
{
    const OverAll all = overAll();
    m_tray.setCount(all.count.count, all.count.worst, all.names.join(QStringLiteral(", ")));
}

Alerting::OverAll Alerting::overAll() const
{
    OverAll all;
    QStringList quiet;
    for (const Session* session : m_sessions) {
        const Alerts::Count count =
            session->alerts()->alerts()->unattended(session->setup().clock->nowMs());
        all.count.count += count.count;
        if (count.worst)
            all.count.worst = std::max(all.count.worst.value_or(*count.worst), *count.worst);
        (count.count > 0 ? all.names : quiet) << session->name();
    }
    if (all.names.isEmpty())
        all.names = quiet;
    return all;
}

// Without a given alert, the first session with an unattended one.
void Alerting::find(const QByteArray& alert)
{
    const auto it = std::find_if(m_sessions.begin(), m_sessions.end(), [&](const Session* s) {
        return alert.isEmpty() ? unattended(*s) > 0 : has(*s->alerts()->alerts(), alert);
    });
    if (it != m_sessions.end())
        emit wanted(*it, alert);
    else if (!m_sessions.empty())
        emit wanted(m_sessions.front(), {});
}

} // namespace lk
