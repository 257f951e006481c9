// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/store/codec/serverfacts.h"

#include "backend/core/compact/fieldcodec.h"

namespace lk {

template<> inline constexpr auto lastOf<DiskError> = DiskError::AppendOnlyFile;
template<> inline constexpr auto lastOf<Flavour> = Flavour::Dragonfly;
template<> inline constexpr auto lastOf<MasterLink> = MasterLink::NeverUp;
template<> inline constexpr auto lastOf<Missing::Cause> = Missing::Cause::Refused;
template<> inline constexpr auto lastOf<NodeRole> = NodeRole::ActiveReplica;
template<> inline constexpr auto lastOf<ServerMode> = ServerMode::Cluster;
template<> inline constexpr auto lastOf<TimeSource> = TimeSource::Local;

// Without values that change every second: the last snapshot, and the changes since.
template<>
inline constexpr auto
    fieldsOf<Durability> = std::tuple(field(&Durability::appendOnly), field(&Durability::snapshots),
                                      field(&Durability::diskError), field(&Durability::fsync),
                                      field(&Durability::failure), field(&Durability::eviction),
                                      field(&Durability::maxMemory));

template<>
inline constexpr auto fieldsOf<NodeFacts> = std::tuple(
    field(&NodeFacts::endpoint), field(&NodeFacts::role), field(&NodeFacts::master),
    field(&NodeFacts::version), field(&NodeFacts::slotCount), field(&NodeFacts::reachable),
    field(&NodeFacts::keysScanned), field(&NodeFacts::keys), field(&NodeFacts::memoryBytes),
    field(&NodeFacts::commandsPerSecond), field(&NodeFacts::clients), field(&NodeFacts::lagBytes),
    field(&NodeFacts::durability));

// Without what reading did, which is unknown for a moment of the past.
template<>
inline constexpr auto fieldsOf<ServerFacts> = std::tuple(
    field(&ServerFacts::endpoint), field(&ServerFacts::flavour), field(&ServerFacts::version),
    field(&ServerFacts::mode), field(&ServerFacts::role), field(&ServerFacts::master),
    field(&ServerFacts::timeMs), field(&ServerFacts::timeSource), field(&ServerFacts::masterLink),
    field(&ServerFacts::diskError), field(&ServerFacts::evictsByUse), field(&ServerFacts::nodes));

template<>
inline constexpr auto fieldsOf<Missing> = std::tuple(field(&Missing::cause),
                                                     field(&Missing::permission),
                                                     field(&Missing::detail), field(&Missing::keys),
                                                     field(&Missing::primitives));

template<>
inline constexpr auto fieldsOf<ScanCounts> = std::tuple(
    field(&ScanCounts::scanned), field(&ScanCounts::matched), field(&ScanCounts::notRecognized),
    field(&ScanCounts::possible), field(&ScanCounts::skipped), field(&ScanCounts::commands),
    field(&ScanCounts::elapsedMs), field(&ScanCounts::expected), field(&ScanCounts::complete),
    field(&ScanCounts::missing));

namespace {

constexpr quint8 serverFactsVersion = 1;

} // namespace

QByteArray encodeServer(const ServerFacts& server, const ScanCounts& scan)
{
    ByteWriter out;
    out.byte(serverFactsVersion);
    FieldWriter<FieldForm::Recorded> writer(out, {});
    writer.write(server);
    writer.write(scan);
    return out.take();
}

bool decodeServer(QByteArrayView bytes, ServerFacts& server, ScanCounts& scan)
{
    ByteReader in(bytes);
    if (in.byte() != serverFactsVersion)
        return false;
    ServerFacts read;
    ScanCounts counts;
    FieldReader<FieldForm::Recorded> reader(in, {});
    reader.read(read);
    reader.read(counts);
    if (!in.ok() || !in.atEnd())
        return false;
    server = std::move(read);
    scan = std::move(counts);
    return true;
}

} // namespace lk
