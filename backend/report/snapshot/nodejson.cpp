// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/nodejson.h"

#include "backend/core/json/jsontext.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/report/snapshot/slotowners.h"

namespace lk {

namespace {

void nodeJsonAddKnown(JsonObject& o, QByteArrayView name, const QString& value)
{
    value.isEmpty() ? o.addNull(name) : o.add(name, value);
}

void addFlag(JsonObject& o, QByteArrayView name, const std::optional<bool>& value)
{
    value ? o.add(name, *value) : o.addNull(name);
}

QByteArray durabilityJson(const Durability& durability)
{
    JsonObject o;
    addFlag(o, "append_only", durability.appendOnly);
    nodeJsonAddKnown(o, "fsync", durability.fsync);
    addFlag(o, "snapshots", durability.snapshots);
    o.add("unsaved_changes", durability.unsaved);
    o.add("can_save", durability.diskError == DiskError::None);
    nodeJsonAddKnown(o, "eviction", durability.eviction);
    o.add("max_memory", durability.maxMemory);
    return o.text();
}

} // namespace

QByteArray nodeJson(const NodeFacts& node)
{
    JsonObject o;
    o.add("endpoint", node.endpoint);
    nodeJsonAddKnown(o, "role", nodeRoleName(node.role));
    o.add("slots", node.slotCount);
    addFlag(o, "reachable", node.reachable);
    o.add("keys_scanned", node.keysScanned);
    if (node.durability.appendOnly)
        o.addJson("durability", durabilityJson(node.durability));
    if (node.role == NodeRole::Replica) {
        nodeJsonAddKnown(o, "master", node.master);
        o.add("lag_bytes", node.lagBytes);
    }
    return o.text();
}

QByteArray slotsJson(const Primitive& primitive, const SlotOwners& owners, Codes codes)
{
    QByteArrayList all;
    for (const KeyRole& role : primitive.keys) {
        if (role.key.isEmpty())
            continue;
        const int slot = keySlot(role.key);
        JsonObject o;
        o.add("key", exactKey(nameKind(primitive), role.key, codes));
        o.add("slot", qint64(slot));
        nodeJsonAddKnown(o, "node", owners.nodeOf(slot));
        all << o.text();
    }
    return '[' + all.join(',') + ']';
}

} // namespace lk
