// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recorded.h"
#include "backend/history/store/codec/holdcodec.h"

namespace lk {

class RecordFile;

RecordedHold holdOf(const HoldFrame& frame, const PrimitiveId& primitive);
/// Of a frame that is HoldFrame::Omitted.
RecordedEvent omittedOf(const HoldFrame& frame, const PrimitiveId& primitive);

/// Holds that ended some time ago: they are in blocks, with the short ones that were counted.
class PackedHolds
{
public:
    PackedHolds(RecordFile& file, qint64 deployment)
        : m_file(file)
        , m_deployment(deployment)
    {}

    /// Those of one primitive that touch the time. Not sorted. At least the given number that began
    /// last, without counting the Omitted; older ones as far as they are in the same blocks.
    std::vector<HoldFrame> of(qint64 primitive, qint64 fromMs, qint64 toMs, size_t newest);
    /// Those that ended last, as far as their end was seen, the oldest first; without counted ones.
    std::vector<RecordedHold> last(int limit);

private:
    RecordFile& m_file;
    qint64 m_deployment;
};

} // namespace lk
