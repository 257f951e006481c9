// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/history/store/codec/holdcodec.h"

namespace lk {

class RecordFile;

RecordedHold holdOf(const HoldFrame& frame, const PrimitiveId& primitive);
/// Converts a frame that has the flag HoldFrame::Omitted.
RecordedEvent omittedOf(const HoldFrame& frame, const PrimitiveId& primitive);

/// Reads the holds that ended some time ago. They are stored in blocks, together with the counts of
/// short holds.
class PackedHolds
{
public:
    PackedHolds(RecordFile& file, qint64 deployment)
        : m_file(file)
        , m_deployment(deployment)
    {}

    /// Returns the holds of one primitive that overlap the time range, not sorted. Returns at least
    /// the given number of those that began last, not counting Omitted frames, and older ones from
    /// the same blocks.
    std::vector<HoldFrame> of(qint64 primitive, qint64 fromMs, qint64 toMs, size_t newest);
    /// Returns the holds that ended last and whose end was seen, oldest first, without Omitted
    /// frames.
    std::vector<RecordedHold> last(int limit);

private:
    RecordFile& m_file;
    qint64 m_deployment;
};

} // namespace lk
