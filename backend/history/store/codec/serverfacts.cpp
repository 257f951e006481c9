// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/serverfacts.h"

#include "backend/core/compact/bytes.h"
#include "backend/core/names/foreigntext.h"

namespace lk {

namespace {

constexpr quint8 serverFactsVersion = 1;

void text(ByteWriter& out, const QString& value)
{
    out.text(value.toUtf8());
}

QString text(ByteReader& in)
{
    return foreignText(QString::fromUtf8(in.view()));
}

void writeSwitch(ByteWriter& out, std::optional<bool> value)
{
    out.byte(value ? (*value ? 2 : 1) : 0);
}

std::optional<bool> readSwitch(ByteReader& in)
{
    const quint8 value = in.byte();
    return value > 0 ? std::optional(value == 2) : std::nullopt;
}

// Omits values that change every second: the last snapshot, and the changes since.
void writeDurability(ByteWriter& out, const Durability& durability)
{
    writeSwitch(out, durability.appendOnly);
    writeSwitch(out, durability.snapshots);
    out.byte(quint8(durability.diskError));
    for (const QString& value : {durability.fsync, durability.failure, durability.eviction})
        text(out, value);
    out.maybe(durability.maxMemory);
}

Durability readDurability(ByteReader& in)
{
    Durability durability;
    durability.appendOnly = readSwitch(in);
    durability.snapshots = readSwitch(in);
    durability.diskError = in.oneOf(DiskError::AppendOnlyFile);
    for (QString* value : {&durability.fsync, &durability.failure, &durability.eviction})
        *value = text(in);
    durability.maxMemory = in.maybe();
    return durability;
}

void writeNode(ByteWriter& out, const NodeFacts& node)
{
    for (const QString& value : {node.endpoint, nodeRoleName(node.role), node.master, node.version})
        text(out, value);
    out.maybe(node.slotCount);
    writeSwitch(out, node.reachable);
    out.whole(node.keysScanned);
    for (const auto& value :
         {node.keys, node.memoryBytes, node.commandsPerSecond, node.clients, node.lagBytes})
        out.maybe(value);
    writeDurability(out, node.durability);
}

NodeFacts readNode(ByteReader& in)
{
    NodeFacts node;
    node.endpoint = text(in);
    node.role = nodeRoleFromName(text(in));
    node.master = text(in);
    node.version = text(in);
    node.slotCount = in.maybe();
    node.reachable = readSwitch(in);
    node.keysScanned = in.whole();
    for (auto* value :
         {&node.keys, &node.memoryBytes, &node.commandsPerSecond, &node.clients, &node.lagBytes})
        *value = in.maybe();
    node.durability = readDurability(in);
    return node;
}

void writeMissing(ByteWriter& out, const Missing& missing)
{
    out.byte(quint8(missing.cause));
    out.text(missing.permission);
    text(out, missing.detail);
    out.whole(missing.keys);
    for (const qint64 count : missing.primitives)
        out.whole(count);
}

Missing readMissing(ByteReader& in)
{
    Missing missing;
    missing.cause = in.oneOf(Missing::Cause::Refused);
    missing.permission = in.text();
    missing.detail = text(in);
    missing.keys = in.whole();
    for (qint64& count : missing.primitives)
        count = in.whole();
    return missing;
}

} // namespace

QByteArray encodeServer(const ServerFacts& server, const ScanCounts& scan)
{
    ByteWriter out;
    out.byte(serverFactsVersion);
    for (const QString& value :
         {server.endpoint, flavourName(server.flavour), server.version, serverModeName(server.mode),
          nodeRoleName(server.role), server.master})
        text(out, value);
    out.whole(server.timeMs);
    out.byte(quint8(server.timeSource));
    out.byte(quint8(server.masterLink));
    out.byte(quint8(server.diskError));
    out.flag(server.evictsByUse);
    out.number(server.nodes.size());
    for (const NodeFacts& node : server.nodes)
        writeNode(out, node);
    for (const qint64 count : {scan.scanned, scan.matched, scan.notRecognized, scan.possible,
                               scan.skipped, scan.commands, scan.elapsedMs, scan.expected})
        out.whole(count);
    out.flag(scan.complete);
    out.number(scan.missing.size());
    for (const Missing& missing : scan.missing)
        writeMissing(out, missing);
    return out.take();
}

bool decodeServer(QByteArrayView bytes, ServerFacts& server, ScanCounts& scan)
{
    ByteReader in(bytes);
    if (in.byte() != serverFactsVersion)
        return false;
    ServerFacts read;
    ScanCounts counts;
    read.endpoint = text(in);
    read.flavour = flavourFromName(text(in));
    read.version = text(in);
    read.mode = serverModeFromName(text(in));
    read.role = nodeRoleFromName(text(in));
    read.master = text(in);
    read.timeMs = in.whole();
    read.timeSource = in.oneOf(TimeSource::Local);
    read.masterLink = in.oneOf(MasterLink::NeverUp);
    read.diskError = in.oneOf(DiskError::AppendOnlyFile);
    read.evictsByUse = in.flag();
    for (size_t n = in.count(); n > 0 && in.ok(); --n)
        read.nodes.push_back(readNode(in));
    for (qint64* count : {&counts.scanned, &counts.matched, &counts.notRecognized, &counts.possible,
                          &counts.skipped, &counts.commands, &counts.elapsedMs, &counts.expected})
        *count = in.whole();
    counts.complete = in.flag();
    for (size_t n = in.count(); n > 0 && in.ok(); --n)
        counts.missing.push_back(readMissing(in));
    if (!in.ok() || !in.atEnd())
        return false;
    server = std::move(read);
    scan = std::move(counts);
    return true;
}

} // namespace lk
