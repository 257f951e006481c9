// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtraits.h"
#include "backend/findings/rules.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

using Severity = Finding::Severity;

// An idle master still sends a ping every ten seconds (repl-ping-replica-period). A replica takes
// the link for down only after a minute (repl-timeout).
constexpr qint64 silentMs = 15'000;

QString masterOf(const ServerFacts& server)
{
    return server.master.isEmpty() ? FindingText::tr("its master") : server.master;
}

RuleMatch staleReplica(const ServerFacts& server)
{
    switch (server.masterLink) {
    case MasterLink::Unknown:
        return {};
    case MasterLink::Up:
        if (server.masterSilentMs.value_or(0) <= silentMs)
            return {};
        return {FindingText::tr("This replica last heard from %1 %2 ago; its data may be that old.")
                    .arg(masterOf(server), formatDuration(*server.masterSilentMs)),
                {},
                {},
                {},
                {}};
    case MasterLink::Syncing:
        return {FindingText::tr("This replica is still copying its data from %1.")
                    .arg(masterOf(server)),
                {},
                {},
                {},
                {}};
    case MasterLink::NeverUp:
        return {FindingText::tr("This replica has not reached %1 since it started.")
                    .arg(masterOf(server)),
                {},
                {},
                Severity::Error,
                {}};
    case MasterLink::Down:
        break;
    }
    return {server.masterDownMs
                ? FindingText::tr("This replica lost %1 %2 ago; its data is that old.")
                      .arg(masterOf(server), formatDuration(*server.masterDownMs))
                : FindingText::tr("This replica lost %1; its data is stale.").arg(masterOf(server)),
            {},
            {},
            {},
            {}};
}

RuleMatch cannotSave(DiskError error)
{
    switch (error) {
    case DiskError::None:
        return {};
    case DiskError::Snapshot:
        return {
            FindingText::tr("The last snapshot failed; the server may reject writes (MISCONF)."),
            {},
            {},
            {},
            {}};
    case DiskError::AppendOnlyFile:
        break;
    }
    return {FindingText::tr("The append-only file cannot be written; the server may reject writes "
                            "(MISCONF)."),
            {},
            {},
            Severity::Error,
            {}};
}

// In a cluster each master is judged by itself, whichever answered first.
RuleMatch serverCannotSave(const ServerFacts& server)
{
    const bool byNodes =
        std::any_of(server.nodes.begin(), server.nodes.end(), [](const NodeFacts& node) {
            return node.holdsSlots() && node.durability.appendOnly;
        });
    return byNodes ? RuleMatch() : cannotSave(server.diskError);
}

RuleMatch nodeCannotSave(const NodeFacts& node, const ServerFacts&)
{
    RuleMatch seen = node.holdsSlots() ? cannotSave(node.durability.diskError) : RuleMatch();
    if (!seen.message.isEmpty())
        seen.message = FindingText::tr("%1: %2").arg(node.endpoint, seen.message);
    return seen;
}

RuleMatch slotsUnserved(const ServerFacts& server)
{
    if (server.unserved.count == 0)
        return {};
    return {FindingText::tr("Slots without an answer: %1 of 16,384: %2.")
                .arg(QLocale().toString(server.unserved.count), server.unserved.text),
            {},
            {},
            {},
            {}};
}

RuleMatch slotsMigrating(const ServerFacts& server)
{
    if (server.openSlots.count == 0)
        return {};
    return {FindingText::tr("Slots being migrated: %1 (%2).")
                .arg(QLocale().toString(server.openSlots.count), server.openSlots.text),
            {},
            {},
            {},
            {}};
}

// A single server is named by the deployment.
RuleMatch outOfMemory(const NodeFacts& node, const ServerFacts&)
{
    const qint64 most = node.durability.maxMemory.value_or(0);
    if (most <= 0 || evictsOf(node.durability.eviction) != Evicts::Nothing ||
        node.memoryBytes.value_or(0) < most)
        return {};
    return {
        FindingText::tr("%1 uses %2 of %3 bytes of memory (maxmemory) and evicts nothing "
                        "(noeviction): it refuses writes.")
            .arg(node.endpoint, QLocale().toString(*node.memoryBytes), QLocale().toString(most)),
        {},
        {},
        {},
        {}};
}

// How many masters have more of it than this one.
template<typename Rank> int betterThan(const NodeFacts& node, const ServerFacts& server, Rank rank)
{
    const std::optional<int> own = rank(node.durability);
    int better = 0;
    for (const NodeFacts& other : server.nodes) {
        const std::optional<int> theirs =
            other.holdsSlots() ? rank(other.durability) : std::nullopt;
        better += own && theirs && *theirs > *own ? 1 : 0;
    }
    return better;
}

enum Kept { Nothing, Snapshots, AppendOnly };

std::optional<int> keptBy(const Durability& durability)
{
    if (!durability.appendOnly || (!*durability.appendOnly && !durability.snapshots))
        return std::nullopt;
    if (*durability.appendOnly)
        return AppendOnly;
    return *durability.snapshots ? Snapshots : Nothing;
}

RuleMatch keepsLess(const NodeFacts& node, const ServerFacts& server)
{
    // That there is no append-only file is known to those, too, who may not ask for snapshots.
    const auto appends = [](const Durability& d) {
        return d.appendOnly ? std::optional(*d.appendOnly ? 1 : 0) : std::nullopt;
    };
    if (const int better = betterThan(node, server, appends); better > 0)
        return {FindingText::tr("%1 writes no append-only file; masters that do: %2.")
                    .arg(node.endpoint)
                    .arg(better),
                {},
                {},
                {},
                {}};
    if (const int better = betterThan(node, server, keptBy); better > 0)
        return {FindingText::tr("%1 saves nothing to disk; masters that save snapshots: %2.")
                    .arg(node.endpoint)
                    .arg(better),
                {},
                {},
                {},
                {}};
    return {};
}

// The more it drops, the lower; without a limit nothing is dropped.
std::optional<int> stays(const Durability& durability)
{
    if (durability.eviction.isEmpty())
        return std::nullopt;
    const Evicts evicts = evictsOf(durability.eviction);
    if (durability.maxMemory == 0 || evicts == Evicts::Nothing)
        return 2;
    return evicts == Evicts::KeysWithTtl ? 1 : 0;
}

RuleMatch evictsMore(const NodeFacts& node, const ServerFacts& server)
{
    const int better = betterThan(node, server, stays);
    if (better == 0)
        return {};
    return {FindingText::tr("%1 evicts keys when its memory is full (%2); masters that evict less "
                            "or nothing: %3.")
                .arg(node.endpoint, node.durability.eviction)
                .arg(better),
            {},
            {},
            {},
            {}};
}

constexpr RuleLine cannotSaveLine{
    "cannot-save", Severity::Warning, "",
    QT_TRANSLATE_NOOP("lk::Finding",
                      "A restart loses everything written since, and writes may fail now."),
    QT_TRANSLATE_NOOP("lk::Finding",
                      "Free disk space on the server and read its log; it then saves "
                      "automatically.")};

constexpr ServerRule serverRuleTable[] = {
    {{"replica-stale", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Locks, jobs and limits change on the master; this replica shows old "
                        "values."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Connect to the master, or find out why replication has stopped.")},
     staleReplica},
    {cannotSaveLine, serverCannotSave},
    {{"slots-unserved", Severity::Error, "",
      QT_TRANSLATE_NOOP("lk::Finding", "Keys in these slots cannot be read or written; with "
                                       "cluster-require-full-coverage, no key of the cluster can."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Start the node that has these slots, have a replica take over, or give "
                        "the slots to another master.")},
     slotsUnserved},
    {{"slot-migrating", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "While its keys are split between two nodes, scripts that need several of "
                        "them are refused (TRYAGAIN), and so are actions here."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "If nobody is moving slots now, the move was broken off: finish or undo it "
                        "with redis-cli --cluster fix.")},
     slotsMigrating},
};

constexpr NodeRule rulesOfNodes[] = {
    {cannotSaveLine, nodeCannotSave},
    {{"out-of-memory", Severity::Error, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "No lock can be acquired and no job added there: clients get OOM errors."),
      QT_TRANSLATE_NOOP("lk::Finding", "Raise maxmemory, or delete keys that are not needed.")},
     outOfMemory},
    {{"uneven-durability", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "A restart of this node loses locks, jobs and tokens in its slots that "
                        "the other masters would keep."),
      QT_TRANSLATE_NOOP("lk::Finding", "Give all nodes the same appendonly and save settings, in "
                                       "their configuration files as well."),
      false, Finding::About::Settings},
     keepsLess},
    {{"uneven-eviction", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Locks, jobs and tokens in its slots may vanish while those of the other "
                        "masters stay."),
      QT_TRANSLATE_NOOP("lk::Finding", "Give all nodes the same maxmemory and maxmemory-policy; "
                                       "use noeviction where locks and queues are kept."),
      false, Finding::About::Settings},
     evictsMore},
};

} // namespace

QString staleReplicaText(const ServerFacts& server)
{
    return staleReplica(server).message;
}

std::span<const ServerRule> serverRules()
{
    return serverRuleTable;
}

std::span<const NodeRule> nodeRules()
{
    return rulesOfNodes;
}

} // namespace lk
