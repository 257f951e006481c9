// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/server/serverfacts.h"

#include "backend/findings/findingtraits.h"
#include "backend/text/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::ServerFacts)
};

QString orUnknown(const QString& text)
{
    return text.isEmpty() ? Text::tr("unknown") : text;
}

QString size(std::optional<qint64> bytes)
{
    return bytes ? QLocale().formattedDataSize(*bytes, 1, QLocale::DataSizeSIFormat)
                 : Text::tr("unknown");
}

QString fsyncWords(const ServerInfo& info)
{
    const QString policy = info.text("appendfsync");
    if (policy == QLatin1String("always"))
        return Text::tr("every write is on disk before its reply");
    if (policy == QLatin1String("everysec"))
        return Text::tr("a crash of the machine loses about one second");
    if (policy == QLatin1String("no"))
        return Text::tr("the operating system decides when it reaches the disk, often after 30 "
                        "seconds");
    return Text::tr("how often it reaches the disk is unknown: no permission");
}

} // namespace

QString durabilityText(const ServerInfo& info, qint64 serverNowMs)
{
    const std::optional<qint64> aof = info.number("aof_enabled");
    if (!aof)
        return info.version().isEmpty()
                   ? Text::tr("Unknown: no permission for INFO.")
                   : Text::tr("Unknown: this server does not report how it saves.");
    const DiskError failed = info.facts({}).diskError;
    if (failed == DiskError::AppendOnlyFile)
        return Text::tr("Not durable: the append-only file cannot be written (%1).")
            .arg(orUnknown(info.text("aof_last_write_status")));
    if (*aof == 1)
        return Text::tr("Durable: an append-only file is written; %1.").arg(fsyncWords(info));
    const std::optional<qint64> changes = info.number("rdb_changes_since_last_save");
    const std::optional<qint64> saved = info.number("rdb_last_save_time");
    const bool told = info.text("save_known") == QLatin1String("yes");
    const QString since = changes ? QLocale().toString(*changes) : Text::tr("an unknown number of");
    if (!told)
        return Text::tr("Unknown: no append-only file, and no permission for CONFIG GET, which "
                        "tells whether snapshots are on. Changes since the last snapshot: %1.")
            .arg(since);
    if (info.text("save").isEmpty())
        return Text::tr("Not durable: neither snapshots nor an append-only file are on. A restart "
                        "loses every lock, queue and token.");
    const QString age = saved ? formatDuration(std::max<qint64>(0, serverNowMs - *saved * 1000))
                              : Text::tr("an unknown time");
    const QString lost = Text::tr("A crash now would lose %1 changes.").arg(since);
    if (failed == DiskError::Snapshot)
        return Text::tr("Not durable: only snapshots are on, and the last one failed.") +
               QLatin1Char(' ') + lost;
    return Text::tr("Partly durable: only snapshots are on, the last one %1 ago.").arg(age) +
           QLatin1Char(' ') + lost;
}

namespace {

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

// Of all masters; nothing where one of them does not tell.
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

// Nobody is promoted where it is lost.
bool isWithoutReplica(const NodeFacts& master, const std::vector<NodeFacts>& nodes)
{
    return std::none_of(nodes.begin(), nodes.end(), [&](const NodeFacts& node) {
        return node.master == master.endpoint && node.reachable.value_or(false);
    });
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
        return Text::tr("Each of the %1 masters has a replica. Replication is asynchronous: a "
                        "failover can lose the latest writes.")
            .arg(masters.size());
    if (without.size() == qsizetype(masters.size()))
        return Text::tr("None of the %1 masters has a replica: if a machine is lost, so is the "
                        "data in its slots.")
            .arg(masters.size());
    return Text::tr("Masters without a replica: %1. If such a machine is lost, so is the data in "
                    "its slots.")
        .arg(without.join(QStringLiteral(", ")));
}

} // namespace

QString replicationText(const ServerInfo& info, const std::vector<NodeFacts>& nodes)
{
    if (mastersOf(nodes).size() > 1 && !info.role().isEmpty())
        return clusterReplicationText(nodes);
    if (info.role().isEmpty())
        return Text::tr("Unknown: no permission for INFO.");
    if (info.isReplica()) {
        const QString master = info.masterEndpoint();
        if (const QString stale = staleReplicaText(info.facts({})); !stale.isEmpty())
            return stale + QLatin1Char(' ') + Text::tr("Actions are off.");
        if (!info.number("master_last_io_seconds_ago"))
            return Text::tr("A replica of %1. Actions are off.").arg(master);
        return Text::tr("A replica of %1, last contact %2 ago. Actions are off.")
            .arg(master,
                 formatDuration(info.number("master_last_io_seconds_ago").value_or(0) * 1000));
    }
    if (!info.number("connected_slaves"))
        return Text::tr("A master; its replicas are unknown: no permission.");
    const qint64 replicas = info.number("connected_slaves").value_or(0);
    if (replicas == 0)
        return Text::tr("A master without replicas: if this machine is lost, so is its data.");
    return Text::tr("A master; replicas: %1. Replication is asynchronous: a failover can lose the "
                    "latest writes.")
        .arg(replicas);
}

std::vector<FactGrid::Row> identityFacts(const ServerInfo& info, const ServerUrl& url,
                                         const std::vector<NodeFacts>& nodes)
{
    const std::optional<qint64> uptime = info.number("uptime_in_seconds");
    const ServerFacts facts = info.facts(url.endpoint());
    const bool isGroup = url.deployment == ServerUrl::Deployment::Sentinel;
    const qsizetype masters = qsizetype(mastersOf(nodes).size());
    QString role = orUnknown(info.role());
    if (masters > 1) // the role of the node that answers for all says nothing of the others
        role = Text::tr("%1 masters").arg(masters);
    else if (isGroup && !nodes.empty())
        role = Text::tr("master of %1: %2").arg(url.masterName, nodes.front().endpoint);
    std::vector<FactGrid::Row> rows{
        {Text::tr("Address"), url.endpoint(), true},
        {Text::tr("Version"),
         orUnknown((facts.flavour + QLatin1Char(' ') + facts.version).trimmed()), false},
        {Text::tr("Mode"), isGroup ? QStringLiteral("sentinel") : orUnknown(info.mode()), false},
        {Text::tr("Role"), role, false}};
    if (masters > 1) { // what one node says of itself would be taken for what all of them have
        const auto clients = sumOf(nodes, &NodeFacts::clients);
        rows.push_back({Text::tr("Clients"),
                        clients ? QLocale().toString(*clients) : Text::tr("unknown"), false});
    } else {
        rows.push_back({Text::tr("Up for"),
                        uptime ? formatDuration(*uptime * 1000) : Text::tr("unknown"), false});
        rows.push_back({Text::tr("Clients"), orUnknown(info.text("connected_clients")), false});
        rows.push_back(
            {Text::tr("Blocked clients"), orUnknown(info.text("blocked_clients")), false});
    }
    if (!url.sshJump.isEmpty())
        rows.insert(rows.begin() + 1, {Text::tr("SSH jump host"), url.sshJump, true});
    return rows;
}

std::vector<FactGrid::Row> memoryFacts(const ServerInfo& info, const std::vector<NodeFacts>& nodes)
{
    const std::optional<qint64> most = info.number("maxmemory");
    QString limit = Text::tr("unknown");
    if (most)
        limit = *most == 0 ? Text::tr("none") : size(most);
    const QString policy = info.text("maxmemory_policy");
    QString words = orUnknown(policy);
    if (policy.startsWith(QLatin1String("allkeys")))
        words = Text::tr("%1: locks and queues may be evicted when memory is full").arg(policy);
    else if (policy.startsWith(QLatin1String("volatile")))
        words = Text::tr("%1: keys with a TTL, such as locks and tokens, may be evicted when "
                         "memory is full")
                    .arg(policy);
    else if (policy == QLatin1String("noeviction"))
        words = Text::tr("%1: writes are rejected when memory is full").arg(policy);
    if (mastersOf(nodes).size() > 1) {
        const NodeFacts* fullest = nullptr;
        for (const NodeFacts* master : mastersOf(nodes)) {
            if (!fullest || master->memoryBytes > fullest->memoryBytes)
                fullest = master;
        }
        return {{Text::tr("Used by all"), size(sumOf(nodes, &NodeFacts::memoryBytes)), false},
                {Text::tr("Most used"),
                 fullest->memoryBytes
                     ? Text::tr("%1 by %2").arg(size(fullest->memoryBytes), fullest->endpoint)
                     : Text::tr("unknown"),
                 false},
                {Text::tr("Limit per node"), limit, false},
                {Text::tr("Eviction"), words, false}};
    }
    return {{Text::tr("Used"), size(info.number("used_memory")), false},
            {Text::tr("Peak"), size(info.number("used_memory_peak")), false},
            {Text::tr("Limit"), limit, false},
            {Text::tr("Eviction"), words, false}};
}

std::vector<FactGrid::Row> persistenceFacts(const ServerInfo& info, qint64 serverNowMs)
{
    const std::optional<qint64> enabled = info.number("aof_enabled");
    const bool aof = enabled == 1;
    const std::optional<qint64> saved = info.number("rdb_last_save_time");
    std::vector<FactGrid::Row> rows{{Text::tr("Append-only file"),
                                     !enabled ? Text::tr("unknown")
                                     : aof    ? Text::tr("on")
                                              : Text::tr("off"),
                                     false}};
    if (aof)
        rows.push_back({Text::tr("fsync"), orUnknown(info.text("appendfsync")), false});
    const bool told = info.text("save_known") == QLatin1String("yes");
    if (told && info.text("save").isEmpty()) {
        rows.push_back({Text::tr("Snapshots"), Text::tr("off"), false});
        return rows;
    }
    if (!told)
        rows.push_back({Text::tr("Snapshots"), Text::tr("unknown"), false});
    rows.push_back({Text::tr("Last snapshot"),
                    saved ? Text::tr("%1 ago").arg(
                                formatDuration(std::max<qint64>(0, serverNowMs - *saved * 1000)))
                          : Text::tr("unknown"),
                    false});
    rows.push_back(
        {Text::tr("Changes since"), orUnknown(info.text("rdb_changes_since_last_save")), false});
    const QString result = info.text("rdb_last_bgsave_status");
    if (!result.isEmpty() && result != QLatin1String("ok"))
        rows.push_back({Text::tr("Last snapshot failed"), result, false});
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
            {Text::tr("Replicas"), QLocale().toString(replicas), false}};
        if (replicas > 0)
            rows.push_back({Text::tr("Furthest behind"), size(behind), false});
        return rows;
    }
    std::vector<FactGrid::Row> rows{
        {Text::tr("Replicas"), orUnknown(info.text("connected_slaves")), false}};
    if (info.isReplica())
        rows.push_back(
            {Text::tr("Link to master"), orUnknown(info.text("master_link_status")), false});
    rows.push_back(
        {Text::tr("Replication offset"), orUnknown(info.text("master_repl_offset")), false});
    return rows;
}

} // namespace lk
