// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/serverevents.h"

#include "backend/text/errortext.h"

namespace lk {

namespace {

// Settings that affect keys and connections.
constexpr const char* settings[] = {"maxmemory", "maxmemory_policy", "config_file", "maxclients",
                                    "aof_enabled", "cluster_enabled", "configured_hz",
                                    // Where CONFIG GET is allowed:
                                    "appendfsync", "save", "notify-keyspace-events", "timeout",
                                    "client-output-buffer-limit", "min-replicas-to-write",
                                    "stop-writes-on-bgsave-error"};

// Empty if not reported. A reported CONFIG setting may be empty itself, like "no snapshots".
QString settingIn(const ServerInfo& info, const char* setting)
{
    const QString value = info.text(setting);
    const bool known = !info.text((QByteArray(setting) + "_known").constData()).isEmpty();
    return value.isEmpty() && known ? QStringLiteral("\"\"") : value;
}

RecordedEvent eventOf(EventType type, qint64 tMs)
{
    RecordedEvent event;
    event.tMs = tMs;
    event.type = type;
    return event;
}

} // namespace

std::vector<RecordedEvent> ServerEvents::onStatus(const ConnectionStatus& status, qint64 nowMs)
{
    const bool ready = status.phase == ConnectionStatus::Phase::Ready;
    const bool lost = status.phase == ConnectionStatus::Phase::Lost;
    std::vector<RecordedEvent> events;
    if (lost && m_ready) {
        events.push_back(eventOf(EventType::ServerLost, nowMs));
        events.back().severity = Finding::Severity::Error;
        events.back().text = errorText(status.error);
    } else if (ready && !m_ready && m_wasReady) {
        events.push_back(eventOf(EventType::ServerBack, nowMs));
    }
    if (ready || lost)
        m_ready = ready;
    m_wasReady = m_wasReady || ready;
    return events;
}

std::vector<RecordedEvent> ServerEvents::onInfo(const ServerInfo& info, qint64 nowMs, bool byNodes)
{
    std::vector<RecordedEvent> events;
    if (info.isEmpty())
        return events; // not reported this time
    const ServerInfo before = std::exchange(m_info, info);
    const qint64 lastMs = std::exchange(m_infoMs, nowMs);
    if (before.isEmpty())
        return events;
    // A process that started after the last report is the same server, restarted; otherwise another
    // server took its place. Uptime is in whole seconds.
    const bool same = before.mayBeSameProcess(info);
    const bool restarted =
        !same && nowMs - info.milliseconds("uptime_in_seconds").value_or(0) > lastMs - 1000;
    if (byNodes && !same && !restarted)
        return events; // another server's values are no change
    const NodeRole role = info.role();
    if (role != NodeRole::Unknown && before.role() != NodeRole::Unknown && role != before.role()) {
        events.push_back(eventOf(EventType::RoleChanged, nowMs));
        events.back().code = nodeRoleName(role).toLatin1();
        events.back().who = info.masterEndpoint();
        events.back().severity = Finding::Severity::Warning;
    }
    if (!same) {
        events.push_back(
            eventOf(restarted ? EventType::ServerRestarted : EventType::Failover, nowMs));
        events.back().text = info.version();
        events.back().severity = Finding::Severity::Warning;
    }
    for (const char* setting : settings) {
        const QString value = settingIn(info, setting);
        const QString old = settingIn(before, setting);
        if (value.isEmpty() || old.isEmpty() || value == old)
            continue;
        events.push_back(eventOf(EventType::ConfigChanged, nowMs));
        events.back().code = QByteArray(setting).replace('_', '-');
        events.back().text = value;
        events.back().detail = old;
    }
    return events;
}

std::vector<RecordedEvent> ServerEvents::onReport(const MonitorReport& report)
{
    std::vector<RecordedEvent> events;
    std::map<QString, bool> reachable;
    QStringList masters;
    for (const NodeFacts& node : report.nodes) {
        if (node.role == NodeRole::Master)
            masters << node.endpoint;
        if (!node.reachable)
            continue;
        reachable[node.endpoint] = *node.reachable;
        const auto before = m_reachable.find(node.endpoint);
        if (before == m_reachable.end() || before->second == *node.reachable)
            continue;
        events.push_back(
            eventOf(*node.reachable ? EventType::NodeBack : EventType::NodeLost, report.atMs));
        events.back().who = node.endpoint;
        events.back().severity =
            *node.reachable ? Finding::Severity::Info : Finding::Severity::Error;
    }
    masters.sort();
    if (!masters.isEmpty()) {
        // The same number with a new one among them: it took the place of a former master.
        const QStringList before = std::exchange(m_masters, masters);
        for (const QString& master : masters) {
            if (before.isEmpty() || before.contains(master))
                continue;
            QStringList gone;
            for (const QString& old : before) {
                if (!masters.contains(old))
                    gone << old;
            }
            if (gone.isEmpty())
                break; // the cluster has grown
            events.push_back(eventOf(EventType::Failover, report.atMs));
            events.back().who = master;
            events.back().detail = gone.join(QStringLiteral(", "));
            events.back().severity = Finding::Severity::Warning;
        }
    }
    m_reachable = std::move(reachable);
    return events;
}

} // namespace lk
