// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/serverfacts.h"

#include "backend/findings/findingtraits.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct ServerFactsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerFacts)
};

QString orUnknown(const QString& text)
{
    return text.isEmpty() ? ServerFactsText::tr("unknown") : text;
}

QString size(std::optional<qint64> bytes)
{
    return bytes ? QLocale().formattedDataSize(*bytes, 1, QLocale::DataSizeSIFormat)
                 : ServerFactsText::tr("unknown");
}

std::vector<const NodeFacts*> mastersOf(const std::vector<NodeFacts>& nodes)
{
    std::vector<const NodeFacts*> masters;
    for (const NodeFacts& node : nodes) {
        const bool leaves = node.slotCount == 0 && !node.reachable.value_or(false); // it failed
        if (node.master.isEmpty() && node.slotCount && !leaves)
            masters.push_back(&node);
    }
    return masters;
}

// Returns the sum over all masters. Nothing if one of them does not report the figure.
std::optional<qint64> sumOf(const std::vector<NodeFacts>& nodes,
                            std::optional<qint64> NodeFacts::*figure)
{
    qint64 sum = 0;
    for (const NodeFacts* master : mastersOf(nodes)) {
        if (!(master->*figure))
            return std::nullopt;
        sum += *(master->*figure);
    }
    return sum;
}

// Without a reachable replica, no node is promoted if the master is lost.
bool isWithoutReplica(const NodeFacts& master, const std::vector<NodeFacts>& nodes)
{
    return std::none_of(nodes.begin(), nodes.end(), [&](const NodeFacts& node) {
        return node.master == master.endpoint && node.reachable.value_or(false);
    });
}

// Masters that keep their data alike, as if they were one: the oldest snapshot, all changes.
struct AlikeMasters
{
    Durability durability;
    QStringList endpoints;

    // Those that lose most come first.
    int rank() const
    {
        const int kept = durability.appendOnly == true    ? 3
                         : durability.snapshots == true   ? 2
                         : durability.appendOnly == false ? 0
                                                          : 1;
        return durability.diskError == DiskError::None ? kept : -1;
    }
};

bool isAlike(Durability a, Durability b)
{
    for (Durability* each : {&a, &b}) {
        each->lastSnapshotMs.reset();
        each->unsaved.reset();
        each->eviction.clear();
        each->maxMemory.reset();
    }
    return a == b;
}

std::vector<AlikeMasters> alikeMasters(const std::vector<NodeFacts>& nodes)
{
    std::vector<AlikeMasters> groups;
    for (const NodeFacts* master : mastersOf(nodes)) {
        const Durability& own = master->durability;
        const auto it = std::find_if(groups.begin(), groups.end(), [&](const AlikeMasters& group) {
            return isAlike(group.durability, own);
        });
        if (it == groups.end()) {
            groups.push_back({own, {master->endpoint}});
            continue;
        }
        it->endpoints << master->endpoint;
        Durability& all = it->durability;
        if (all.unsaved)
            all.unsaved = own.unsaved ? std::optional(*all.unsaved + *own.unsaved) : std::nullopt;
        if (all.lastSnapshotMs && own.lastSnapshotMs)
            all.lastSnapshotMs = std::min(*all.lastSnapshotMs, *own.lastSnapshotMs);
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) { return a.rank() < b.rank(); });
    return groups;
}

// One value where all have the same; else each with those that have it.
template<typename Value> QString valueOfAll(const std::vector<NodeFacts>& nodes, Value value)
{
    std::vector<std::pair<QString, QStringList>> values;
    for (const NodeFacts* master : mastersOf(nodes)) {
        const QString own = value(*master);
        const auto it = std::find_if(values.begin(), values.end(),
                                     [&own](const auto& each) { return each.first == own; });
        if (it == values.end())
            values.push_back({own, {master->endpoint}});
        else
            it->second << master->endpoint;
    }
    if (values.size() == 1)
        return values.front().first;
    QStringList lines;
    for (const auto& [own, endpoints] : values)
        lines << ServerFactsText::tr("%1: %2").arg(endpoints.join(QStringLiteral(", ")), own);
    return lines.join(QLatin1Char('\n'));
}

QString clusterReplicationText(const std::vector<NodeFacts>& nodes)
{
    QStringList without;
    const auto masters = mastersOf(nodes);
    for (const NodeFacts* master : masters) {
        if (isWithoutReplica(*master, nodes))
            without << master->endpoint;
    }
    if (without.isEmpty())
        return ServerFactsText::tr(
                   "Each of the %1 masters has a replica. Replication is asynchronous: a "
                   "failover can lose the latest writes.")
            .arg(masters.size());
    if (without.size() == qsizetype(masters.size()))
        return ServerFactsText::tr(
                   "None of the %1 masters has a replica: if a machine is lost, so is the "
                   "data in its slots.")
            .arg(masters.size());
    return ServerFactsText::tr(
               "Masters without a replica: %1. If such a machine is lost, so is the data in "
               "its slots.")
        .arg(without.join(QStringLiteral(", ")));
}

} // namespace

QString durabilityText(const ServerInfo& info, qint64 serverNowMs,
                       const std::vector<NodeFacts>& nodes)
{
    if (info.version().isEmpty() && !info.number("aof_enabled"))
        return ServerFactsText::tr("Unknown: no permission for INFO.");
    if (mastersOf(nodes).size() <= 1)
        return durabilityText(info.durability(), serverNowMs);
    const std::vector<AlikeMasters> groups = alikeMasters(nodes);
    QStringList paragraphs;
    for (const AlikeMasters& group : groups) {
        const QString where =
            groups.size() == 1
                ? ServerFactsText::tr("This applies to all %1 masters.").arg(group.endpoints.size())
                : ServerFactsText::tr("This applies to %1.")
                      .arg(group.endpoints.join(QStringLiteral(", ")));
        paragraphs << durabilityText(group.durability, serverNowMs) + QLatin1Char(' ') + where;
    }
    return paragraphs.join(QLatin1Char('\n'));
}

QString replicationText(const ServerInfo& info, const std::vector<NodeFacts>& nodes)
{
    if (mastersOf(nodes).size() > 1 && info.role() != NodeRole::Unknown)
        return clusterReplicationText(nodes);
    if (info.role() == NodeRole::Unknown)
        return ServerFactsText::tr("Unknown: no permission for INFO.");
    if (info.isReplica()) {
        const QString master = info.masterEndpoint();
        if (const QString stale = staleReplicaText(info.facts({})); !stale.isEmpty())
            return stale + QLatin1Char(' ') + ServerFactsText::tr("Actions are off.");
        const std::optional<qint64> contact = info.milliseconds("master_last_io_seconds_ago");
        if (!contact)
            return ServerFactsText::tr("A replica of %1. Actions are off.").arg(master);
        return ServerFactsText::tr("A replica of %1, last contact %2 ago. Actions are off.")
            .arg(master, formatDuration(*contact));
    }
    if (!info.number("connected_slaves"))
        return ServerFactsText::tr("A master; its replicas are unknown: no permission.");
    const qint64 replicas = info.number("connected_slaves").value_or(0);
    if (replicas == 0)
        return ServerFactsText::tr(
            "A master without replicas: if this machine is lost, so is its data.");
    return ServerFactsText::tr(
               "A master; replicas: %1. Replication is asynchronous: a failover can lose the "
               "latest writes.")
        .arg(replicas);
}

std::vector<FactGrid::Row> identityFacts(const ServerInfo& info, const ServerUrl& url,
                                         const std::vector<NodeFacts>& nodes, bool recorded)
{
    const std::optional<qint64> uptime = info.milliseconds("uptime_in_seconds");
    const ServerFacts facts = info.facts(url.endpoint());
    const bool isGroup = url.deployment == ServerUrl::Deployment::Sentinel;
    const qsizetype masters = qsizetype(mastersOf(nodes).size());
    QString role = orUnknown(nodeRoleName(info.role()));
    if (masters > 1) // the role of the node that answers for all says nothing of the others
        role = ServerFactsText::tr("%1 masters").arg(masters);
    else if (isGroup && !nodes.empty())
        role = ServerFactsText::tr("master of %1: %2").arg(url.masterName, nodes.front().endpoint);
    std::vector<FactGrid::Row> rows{
        {ServerFactsText::tr("Address"), url.endpoint(), true},
        {ServerFactsText::tr("Version"), orUnknown(facts.program()), false},
        {ServerFactsText::tr("Mode"),
         orUnknown(serverModeName(isGroup ? ServerMode::Sentinel : info.mode())), false},
        {ServerFactsText::tr("Role"), role, false}};
    if (masters > 1) { // what one node says of itself would be taken for what all of them have
        const auto clients = sumOf(nodes, &NodeFacts::clients);
        rows.push_back({ServerFactsText::tr("Clients"),
                        clients ? QLocale().toString(*clients) : ServerFactsText::tr("unknown"),
                        false});
    } else if (!recorded) {
        rows.push_back({ServerFactsText::tr("Up for"),
                        uptime ? formatDuration(*uptime) : ServerFactsText::tr("unknown"), false});
        rows.push_back(
            {ServerFactsText::tr("Clients"), orUnknown(info.text("connected_clients")), false});
        rows.push_back({ServerFactsText::tr("Blocked clients"),
                        orUnknown(info.text("blocked_clients")), false});
    }
    if (!url.sshJump.isEmpty())
        rows.insert(rows.begin() + 1, {ServerFactsText::tr("SSH jump host"), url.sshJump, true});
    return rows;
}

namespace {

QString limitText(const Durability& durability)
{
    if (!durability.maxMemory)
        return ServerFactsText::tr("unknown");
    return *durability.maxMemory == 0 ? ServerFactsText::tr("none") : size(durability.maxMemory);
}

QString evictionText(const Durability& durability)
{
    const QString& policy = durability.eviction;
    switch (evictsOf(policy)) {
    case Evicts::AnyKey:
        return ServerFactsText::tr("%1: locks and queues may be evicted when memory is full")
            .arg(policy);
    case Evicts::KeysWithTtl:
        return ServerFactsText::tr(
                   "%1: keys with a TTL, such as locks and tokens, may be evicted when "
                   "memory is full")
            .arg(policy);
    case Evicts::Nothing:
        return ServerFactsText::tr("%1: writes are rejected when memory is full").arg(policy);
    case Evicts::Unknown:
        break;
    }
    return orUnknown(policy);
}

} // namespace

std::vector<FactGrid::Row> memoryFacts(const ServerInfo& info, const std::vector<NodeFacts>& nodes)
{
    const Durability own = info.durability();
    if (mastersOf(nodes).size() > 1) {
        const NodeFacts* fullest = nullptr;
        for (const NodeFacts* master : mastersOf(nodes)) {
            if (!fullest || master->memoryBytes > fullest->memoryBytes)
                fullest = master;
        }
        const auto limit = [](const NodeFacts& node) { return limitText(node.durability); };
        const auto eviction = [](const NodeFacts& node) { return evictionText(node.durability); };
        return {{ServerFactsText::tr("Used, all nodes"),
                 size(sumOf(nodes, &NodeFacts::memoryBytes)), false},
                {ServerFactsText::tr("Most used"),
                 fullest->memoryBytes ? ServerFactsText::tr("%1 by %2")
                                            .arg(size(fullest->memoryBytes), fullest->endpoint)
                                      : ServerFactsText::tr("unknown"),
                 false},
                {ServerFactsText::tr("Limit per node"), valueOfAll(nodes, limit), false},
                {ServerFactsText::tr("Eviction"), valueOfAll(nodes, eviction), false}};
    }
    return {{ServerFactsText::tr("Used"), size(info.number("used_memory")), false},
            {ServerFactsText::tr("Peak"), size(info.number("used_memory_peak")), false},
            {ServerFactsText::tr("Limit"), limitText(own), false},
            {ServerFactsText::tr("Eviction"), evictionText(own), false}};
}

namespace {

QString flagText(const std::optional<bool>& on)
{
    if (!on)
        return ServerFactsText::tr("unknown");
    return *on ? ServerFactsText::tr("on") : ServerFactsText::tr("off");
}

std::vector<FactGrid::Row> clusterPersistenceFacts(qint64 serverNowMs,
                                                   const std::vector<NodeFacts>& nodes)
{
    const auto masters = mastersOf(nodes);
    const auto any = [&masters](auto told) {
        return std::any_of(masters.begin(), masters.end(),
                           [&](const NodeFacts* node) { return told(node->durability); });
    };
    const auto row = [&nodes](const QString& label, auto value) {
        return FactGrid::Row{
            label, valueOfAll(nodes, [&](const NodeFacts& node) { return value(node.durability); }),
            false};
    };
    std::vector<FactGrid::Row> rows{
        row(ServerFactsText::tr("Append-only file"),
            [](const Durability& d) { return flagText(d.appendOnly); })};
    if (any([](const Durability& d) { return d.appendOnly == true; }))
        rows.push_back(row(ServerFactsText::tr("fsync"), [](const Durability& d) {
            return d.appendOnly == true ? orUnknown(d.fsync) : QStringLiteral("\u2013");
        }));
    rows.push_back(row(ServerFactsText::tr("Snapshots"),
                       [](const Durability& d) { return flagText(d.snapshots); }));
    std::optional<qint64> oldest;
    for (const NodeFacts* master : masters) {
        const Durability& d = master->durability;
        if (d.snapshots != false && d.lastSnapshotMs)
            oldest = std::min(oldest.value_or(*d.lastSnapshotMs), *d.lastSnapshotMs);
    }
    if (oldest)
        rows.push_back({ServerFactsText::tr("Oldest snapshot"),
                        ServerFactsText::tr("%1 ago").arg(
                            formatDuration(std::max<qint64>(0, serverNowMs - *oldest))),
                        false});
    if (any([](const Durability& d) { return d.diskError == DiskError::Snapshot; }))
        rows.push_back(row(ServerFactsText::tr("Last snapshot failed"), [](const Durability& d) {
            return d.diskError == DiskError::Snapshot ? d.failure : QStringLiteral("\u2013");
        }));
    return rows;
}

} // namespace

std::vector<FactGrid::Row> persistenceFacts(const ServerInfo& info, qint64 serverNowMs,
                                            const std::vector<NodeFacts>& nodes)
{
    if (mastersOf(nodes).size() > 1)
        return clusterPersistenceFacts(serverNowMs, nodes);
    const Durability own = info.durability();
    std::vector<FactGrid::Row> rows{
        {ServerFactsText::tr("Append-only file"), flagText(own.appendOnly), false}};
    if (own.appendOnly == true)
        rows.push_back({ServerFactsText::tr("fsync"), orUnknown(own.fsync), false});
    if (own.snapshots != true)
        rows.push_back({ServerFactsText::tr("Snapshots"), flagText(own.snapshots), false});
    if (own.snapshots == false)
        return rows;
    rows.push_back({ServerFactsText::tr("Last snapshot"),
                    own.lastSnapshotMs
                        ? ServerFactsText::tr("%1 ago").arg(formatDuration(
                              std::max<qint64>(0, serverNowMs - *own.lastSnapshotMs)))
                        : ServerFactsText::tr("unknown"),
                    false});
    rows.push_back({ServerFactsText::tr("Changes since"),
                    orUnknown(info.text("rdb_changes_since_last_save")), false});
    if (own.diskError == DiskError::Snapshot)
        rows.push_back({ServerFactsText::tr("Last snapshot failed"), own.failure, false});
    return rows;
}

std::vector<FactGrid::Row> replicationFacts(const ServerInfo& info,
                                            const std::vector<NodeFacts>& nodes)
{
    if (mastersOf(nodes).size() > 1) {
        qint64 replicas = 0;
        std::optional<qint64> behind;
        for (const NodeFacts& node : nodes) {
            replicas += node.master.isEmpty() ? 0 : 1;
            if (!node.master.isEmpty() && node.lagBytes)
                behind = std::max(behind.value_or(0), *node.lagBytes);
        }
        std::vector<FactGrid::Row> rows{
            {ServerFactsText::tr("Replicas"), QLocale().toString(replicas), false}};
        if (replicas > 0)
            rows.push_back({ServerFactsText::tr("Largest replication lag"), size(behind), false});
        return rows;
    }
    std::vector<FactGrid::Row> rows{
        {ServerFactsText::tr("Replicas"), orUnknown(info.text("connected_slaves")), false}};
    if (info.isReplica())
        rows.push_back({ServerFactsText::tr("Link to master"),
                        orUnknown(info.text("master_link_status")), false});
    rows.push_back({ServerFactsText::tr("Replication offset"),
                    orUnknown(info.text("master_repl_offset")), false});
    return rows;
}

} // namespace lk
