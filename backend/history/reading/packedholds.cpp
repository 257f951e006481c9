// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/history/reading/packedholds.h"

#include "backend/history/reading/rows.h"
#include "backend/history/store/codec/blockcodec.h"
#include "backend/history/store/recordstore.h"

#include <algorithm>
#include <unordered_map>

namespace lk {

namespace {

constexpr qint64 latestMs = std::numeric_limits<qint64>::max() - longestPackedMs;

} // namespace

RecordedHold holdOf(const HoldFrame& frame, const PrimitiveId& primitive)
{
    RecordedHold hold;
    hold.primitive = primitive;
    hold.owner = frame.owner;
    hold.fromMs = frame.fromMs;
    hold.toMs = frame.toMs;
    hold.leaseEndMs = frame.leaseEndMs;
    hold.open = frame.flags & HoldFrame::Open;
    hold.noTtl = frame.flags & HoldFrame::NoTtl;
    hold.fromKnown = frame.flags & HoldFrame::FromKnown;
    hold.endKnown = frame.flags & HoldFrame::EndKnown;
    hold.takenOver = frame.flags & HoldFrame::TakenOver;
    hold.shared = frame.flags & HoldFrame::Shared;
    hold.renewals = qint32(frame.count);
    return hold;
}

RecordedEvent omittedOf(const HoldFrame& frame, const PrimitiveId& primitive)
{
    RecordedEvent event;
    event.tMs = frame.fromMs;
    event.type = EventType::HoldsOmitted;
    event.primitive = primitive;
    event.kind = Kind::Lock;
    event.value = double(frame.count);
    event.code = frame.owner;
    event.detail = QString::number(frame.toMs);
    return event;
}

std::vector<HoldFrame> PackedHolds::of(qint64 primitive, qint64 fromMs, qint64 toMs, size_t newest)
{
    std::vector<HoldFrame> frames;
    std::vector<HoldFrame> block;
    Rows rows(m_file,
              "SELECT from_ms, data FROM block INDEXED BY block_place WHERE deployment = ? AND "
              "stream = 3 AND tier = 0 AND bucket = ? AND from_ms >= ? AND from_ms <= ? ORDER BY "
              "from_ms DESC",
              {m_deployment, bucketOf(primitive), std::max(fromMs, holdBlockMs) - holdBlockMs,
               std::min(toMs, latestMs) + longestPackedMs});
    // Holds in an older block ended before this block begins, so none of them began later.
    const auto isEnough = [&](qint64 blockMs) {
        return frames.size() >= newest &&
               size_t(std::ranges::count_if(frames, [&](const HoldFrame& frame) {
                   return !(frame.flags & HoldFrame::Omitted) && frame.fromMs >= blockMs;
               })) >= newest;
    };
    while (rows.next()) {
        block.clear();
        decodeHolds(rows.bytes(1), rows.number(0), block, primitive);
        std::ranges::copy_if(block, std::back_inserter(frames), [&](const HoldFrame& frame) {
            return frame.fromMs <= toMs && frame.toMs >= fromMs;
        });
        if (isEnough(rows.number(0)))
            break;
    }
    return frames;
}

std::vector<RecordedHold> PackedHolds::last(int limit)
{
    std::vector<HoldFrame> found;
    std::vector<HoldFrame> frames;
    qint64 stretchMs = 0;
    Rows rows(m_file,
              "SELECT from_ms, data FROM block WHERE deployment = ? AND stream = 3 AND tier = 0 "
              "ORDER BY from_ms DESC",
              {m_deployment});
    // Reads all blocks of one span: they belong to different primitives.
    while (limit > 0 && rows.next()) {
        if (found.size() >= size_t(limit) && rows.number(0) != stretchMs)
            break;
        stretchMs = rows.number(0);
        frames.clear();
        decodeHolds(rows.bytes(1), stretchMs, frames);
        std::ranges::copy_if(frames, std::back_inserter(found), [](const HoldFrame& frame) {
            return !(frame.flags & HoldFrame::Omitted) && frame.flags & HoldFrame::EndKnown;
        });
    }
    std::ranges::stable_sort(found, {}, &HoldFrame::toMs);
    if (const auto most = size_t(std::max(limit, 0)); found.size() > most)
        found.erase(found.begin(), found.end() - qptrdiff(most));
    std::vector<RecordedHold> holds;
    std::unordered_map<qint64, PrimitiveId> known;
    Rows named(m_file, "SELECT layout, name FROM primitive WHERE id = ?");
    for (const HoldFrame& frame : found) {
        const auto [it, isNew] = known.try_emplace(frame.primitive);
        if (isNew) {
            named.ask({frame.primitive});
            if (named.next())
                it->second = {named.bytes(0), named.bytes(1)};
        }
        if (!it->second.name.isEmpty())
            holds.push_back(holdOf(frame, it->second));
    }
    return holds;
}

} // namespace lk
