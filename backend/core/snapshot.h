// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/core/handle.h"
#include "backend/core/keptstate.h"
#include "backend/core/missing.h"
#include "backend/core/possible.h"
#include "backend/core/server/durability.h"
#include "backend/core/server/serverkind.h"
#include "backend/core/server/unservedslots.h"
#include "backend/core/state.h"

namespace lk {

/// A hazard seen in the data.
struct Finding
{
    enum class Severity : quint8 { Info, Warning, Error };
    /// The subject, where it changes how the finding is treated.
    enum class About : quint8 {
        Data,
        Unread,          ///< keys that the scan could not read: key is a permission or a reason
        Settings,        ///< settings that differ between nodes: nothing has gone wrong yet
        OneOfSeveralJobs ///< several identical jobs: the user chooses the one to act on
    };
    QByteArray code; ///< "lock-without-ttl"
    Severity severity = Severity::Info;
    QByteArray name; ///< the primitive's, or a pattern where it concerns several
    QByteArray key;
    QString message;           ///< translated: what was seen
    QString why = {};          ///< translated: why it matters
    QString advice = {};       ///< translated: what to do
    QByteArray action = {};    ///< the id of the action that fixes it; empty: none does
    bool silenced = false;     ///< the operator has silenced it: counted, not reported
    Kind kind = Kind::Limiter; ///< the kind of its subject
    bool group = false;        ///< it concerns several: name is a pattern over their names
    bool ofServer = false; ///< it concerns the server itself: name is its endpoint, key is empty
    About about = About::Data;
};

/// The coverage of one scan of the keyspace.
struct ScanCounts
{
    qint64 scanned = 0;       ///< names that SCAN returned
    qint64 matched = 0;       ///< keys that belong to a primitive
    qint64 notRecognized = 0; ///< keys that no layout claims
    qint64 possible = 0;      ///< keys among notRecognized that may be a primitive
    qint64 skipped = 0;       ///< keys that could not be read (denied, moved, too large)
    qint64 commands = 0;      ///< commands sent for the scan
    qint64 elapsedMs = 0;
    qint64 expected = 0;          ///< number of keys that the server reported; 0: unknown
    bool complete = false;        ///< SCAN came to its end
    std::vector<Missing> missing; ///< the reasons for keys that were not read, each once

    /// Every key was read.
    bool whole() const { return complete && missing.empty(); }
};

/// One node of the deployment.
struct NodeFacts
{
    QString endpoint;
    NodeRole role = NodeRole::Unknown;
    QString master;                  ///< the replica's master; empty: a master, or unknown
    std::optional<qint64> slotCount; ///< number of slots of a cluster's node
    std::optional<bool> reachable;   ///< empty: it was not asked
    qint64 keysScanned = 0;
    // From INFO. Empty if INFO was not sent or is denied.
    std::optional<qint64> keys = {};
    std::optional<qint64> memoryBytes = {};
    std::optional<qint64> commandsPerSecond = {};
    std::optional<qint64> clients = {};
    std::optional<qint64> lagBytes =
        {}; ///< replica only: bytes that its master wrote and it has not received yet
    QString version = {};
    Durability durability = {};

    /// A master of a cluster that has a part of the data.
    bool holdsSlots() const { return master.isEmpty() && slotCount.value_or(0) > 0; }
    /// Such a one, or a server alone that is no replica.
    bool takesWrites() const { return holdsSlots() || (!slotCount && master.isEmpty()); }
};

/// How a replica stands with its master.
enum class MasterLink : quint8 {
    Unknown, ///< a master, or unknown
    Up,
    Syncing, ///< the data is being copied and not complete yet
    Down,    ///< the data is as old as the loss of the link
    NeverUp, ///< not since the replica was started
};

/// The server that answered.
struct ServerFacts
{
    QString endpoint; ///< without user or password
    Flavour flavour = Flavour::Unknown;
    QString version; ///< the flavour's own
    ServerMode mode = ServerMode::Unknown;
    NodeRole role = NodeRole::Unknown;
    qint64 timeMs = 0;
    std::vector<NodeFacts> nodes; ///< the node that answered first; for a cluster all masters
    TimeSource timeSource = TimeSource::Server;
    QString master; ///< the replica's master, "10.0.0.1:6379"; empty: a master, or unknown
    MasterLink masterLink = MasterLink::Unknown;
    std::optional<qint64> masterDownMs;   ///< with MasterLink::Down: for how long
    std::optional<qint64> masterSilentMs; ///< with MasterLink::Up: since it was heard of last
    DiskError diskError = DiskError::None;
    UnservedSlots unserved; ///< for a cluster that is followed
    OpenSlots openSlots;    ///< the same
    /// Whether reads leave the access time of keys unchanged (CLIENT NO-TOUCH). If false, an lru or
    /// lfu maxmemory-policy may evict other keys because of them. Empty: unknown, as for a
    /// recording.
    std::optional<bool> leavesKeysUntouched;
    bool evictsByUse = false; ///< maxmemory-policy is an lru or lfu one

    /// "valkey 8.0.1"; empty: unknown.
    QString program() const
    {
        return (flavourName(flavour) + QLatin1Char(' ') + version).trimmed();
    }
};

/// All states at a moment.
struct Snapshot
{
    ServerFacts server;
    ScanCounts scan;
    std::vector<StatePtr> states;
    std::vector<Finding> findings;
    PossiblePtr possible = std::make_shared<PossiblePrimitives>(); ///< never null
};

/// A primitive whose state has changed, or that has been removed.
struct StateChange
{
    Handle handle = noHandle;
    StatePtr state;      ///< null: the primitive has been removed
    KeptState kept = {}; ///< the same, as all threads keep it from now on; none: as it is

    KeptState keep() const { return kept ? kept : KeptState(state); }
};

/// The changes since the last delta. Published by the I/O thread, read by all other threads.
struct Delta
{
    quint64 generation = 0; ///< the connection's generation; deltas of an older one are dropped
    qint64 atMs = 0;        ///< server time
    std::vector<StateChange> changes;
    ScanCounts scan;
    PossiblePtr possible; ///< null: as before
};

using DeltaPtr = std::shared_ptr<const Delta>;

} // namespace lk

Q_DECLARE_METATYPE(lk::DeltaPtr)
