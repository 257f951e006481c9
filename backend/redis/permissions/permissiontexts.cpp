// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/permissiontexts.h"

#include "backend/core/kind.h"
#include "backend/text/kindtitles.h"

#include <QCoreApplication>
#include <QStringList>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Permissions)
};

QString kindsOf(const SentCommand& command)
{
    QStringList words;
    for (const Kind kind : allKinds) {
        if ((command.kinds >> unsigned(kind)) & 1U)
            words << kindPluralWord(kind);
    }
    return words.join(QStringLiteral(", "));
}

// In a cluster the console sends CLUSTER NODES; if denied, SHARDS; and if that is denied as well,
// SLOTS.
QString clusterCost(const SentCommand& command)
{
    const QByteArray word = command.subcommand ? command.subcommand : command.name;
    if (word == "NODES")
        return Text::tr("In a cluster, it is unknown which slots are being migrated. Without "
                        "CLUSTER SHARDS and CLUSTER SLOTS as well, its other masters are not read "
                        "at all, and check exits with 2.");
    if (word == "SHARDS")
        return Text::tr("Without CLUSTER NODES as well, it is unknown which nodes of a cluster "
                        "have failed.");
    if (word == "SLOTS")
        return Text::tr("Without CLUSTER NODES and CLUSTER SHARDS as well, the other masters of a "
                        "cluster are not read at all, and check exits with 2.");
    if (word == "MYID")
        return Text::tr(
            "Without CLUSTER NODES as well, it is unknown which node of a cluster answers.");
    if (word == "ASKING")
        return Text::tr("Keys in a cluster slot that is being migrated are not read.");
    return Text::tr("A replica of a cluster that is opened with ?cluster=no cannot be read.");
}

} // namespace

QString costText(const SentCommand& command)
{
    switch (command.use) {
    case CommandUse::Greeting:
        return Text::tr(
            "The connection has no name in CLIENT LIST, or is checked less thoroughly.");
    case CommandUse::Database:
        return Text::tr("Only database 0 can be opened.");
    case CommandUse::ServerFacts:
        return Text::tr("Server board: version, role, memory, replication and persistence are "
                        "unknown.");
    case CommandUse::Settings:
        return Text::tr("Server board: durability is unknown. Changes are not noticed by keyspace "
                        "notifications.");
    case CommandUse::ServerTime:
        return Text::tr("Times are not from the server's clock. No action can run.");
    case CommandUse::Scanning:
        return Text::tr("No key is detected: only those that the configuration names are read.");
    case CommandUse::ScanSize:
        return Text::tr("The progress of scans is unknown.");
    case CommandUse::Detecting:
        return Text::tr("Not detected, or not all: %1.").arg(kindsOf(command));
    case CommandUse::Reading:
        return Text::tr("Not read, or not in full: %1.").arg(kindsOf(command));
    case CommandUse::KeySizes:
        return Text::tr("The memory of keys is unknown.");
    case CommandUse::Workers:
        return Text::tr("Queues: workers that are known by their connections are not shown.");
    case CommandUse::ChangeFeed:
        return Text::tr("Changes are found by polling only.");
    case CommandUse::KeepUnused:
        return Text::tr("Reading marks keys as recently used.");
    case CommandUse::ClusterMap:
        return clusterCost(command);
    case CommandUse::SlotLoad:
        return Text::tr("Server board: the hottest slots of a cluster are unknown.");
    case CommandUse::Foresight:
        return Text::tr("A missing permission for an action shows only when it is refused.");
    case CommandUse::Outcomes:
        return Text::tr("Some actions cannot be planned, or their outcome cannot be checked.");
    case CommandUse::Running:
        return Text::tr("No action can run.");
    case CommandUse::Writing:
        return Text::tr("Actions that need it are refused: %1.").arg(kindsOf(command));
    case CommandUse::Undoing:
        return Text::tr("Actions cannot be undone.");
    }
    return {};
}

QByteArray useId(CommandUse use)
{
    switch (use) {
    case CommandUse::Greeting:
        return "greeting";
    case CommandUse::Database:
        return "database";
    case CommandUse::ServerFacts:
        return "server-facts";
    case CommandUse::Settings:
        return "settings";
    case CommandUse::ServerTime:
        return "server-time";
    case CommandUse::Scanning:
        return "scanning";
    case CommandUse::ScanSize:
        return "scan-size";
    case CommandUse::Detecting:
        return "detecting";
    case CommandUse::Reading:
        return "reading";
    case CommandUse::KeySizes:
        return "key-sizes";
    case CommandUse::Workers:
        return "workers";
    case CommandUse::ChangeFeed:
        return "change-feed";
    case CommandUse::KeepUnused:
        return "keep-unused";
    case CommandUse::ClusterMap:
        return "cluster-map";
    case CommandUse::SlotLoad:
        return "slot-load";
    case CommandUse::Foresight:
        return "foresight";
    case CommandUse::Outcomes:
        return "outcomes";
    case CommandUse::Running:
        return "running";
    case CommandUse::Writing:
        return "writing";
    case CommandUse::Undoing:
        return "undoing";
    }
    return {};
}

} // namespace lk
