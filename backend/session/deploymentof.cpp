// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/deploymentof.h"

#include "backend/session/deploymentkey.h"
#include "backend/session/session.h"

namespace lk {

namespace {

constexpr int mostReports = 5; // after which it no longer waits

} // namespace

std::optional<RecordedDeployment> deploymentOf(const Session& session, int reports)
{
    if (!session.isLive())
        return std::nullopt;
    const MonitorReport& report = session.report();
    const bool isNode = session.info().mode() == ServerMode::Cluster && !report.map &&
                        session.url().deployment != ServerUrl::Deployment::Node;
    const bool known = !session.info().isEmpty() && report.clock.known() && !isNode;
    if (!known && reports < mostReports)
        return std::nullopt;
    return recordedDeployment(session.url(), report.map ? &*report.map : nullptr, session.name());
}

QStringList journalPlacesOf(const Session& session)
{
    QStringList places{session.url().endpoint()};
    const MonitorReport& report = session.report();
    const bool isGroup = session.url().deployment == ServerUrl::Deployment::Sentinel;
    if (!report.map && !isGroup)
        return places;
    for (const NodeFacts& node : report.nodes)
        places << QStringLiteral("%1/%2").arg(node.endpoint).arg(session.url().database);
    return places;
}

} // namespace lk
