// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/presentholders.h"
#include "backend/history/recordbatch.h"

namespace lk {

/// Who holds one lock, as far as it is told to the recording: each of several has a hold of its
/// own. A lock that changes hands all the time does not fill the disk: of holds shorter than
/// alwaysRecordedMs a few in a row are recorded, then one in a while; the others are counted.
class LockHolds
{
public:
    static constexpr qint64 alwaysRecordedMs = 5000;
    static constexpr qint64 shortOneEveryMs = 120'000;
    static constexpr qint8 shortInARow = 20;

    /// Adds what has happened since lastReadMs, which is 0 before anything was read.
    void read(const PrimitiveId& id, const State& now, const LockState& lock, qint64 lastReadMs,
              RecordBatch& batch);
    /// Who held it when it was recorded last, before it is read: whoever does so still goes on.
    /// For locks that several hold; of the others the state says since when.
    void resume(std::vector<RecordedHold> left) { m_before = std::move(left); }
    /// It is gone: who held it holds it no more.
    void end(const PrimitiveId& id, qint64 atMs, RecordBatch& batch);
    /// Tells what needed time. True: there is still something to tell later.
    bool advance(const PrimitiveId& id, qint64 nowMs, RecordBatch& batch);
    /// Nobody records any more: tells at once what would be told later.
    void tellAll(const PrimitiveId& id, RecordBatch& batch);
    bool isPending() const;

private:
    struct Open
    {
        RecordedHold hold;
        qint64 writtenMs = 0; ///< when it was recorded last; 0: it is not
    };
    /// Holds that are not recorded one by one, since they were told last.
    struct Omitted
    {
        qint64 count = 0;
        qint64 fromMs = 0;
        qint64 toMs = 0;
        QByteArray first; ///< the owner of the first
        qint64 toldMs = 0;
    };

    void endOthers(const std::vector<PresentHolder>& holders, const State& now,
                   const LockState& lock, qint64 lastReadMs, RecordBatch& batch);
    RecordedHold begun(const PrimitiveId& id, const PresentHolder& holder, const State& now,
                       const LockState& lock, bool alone) const;
    /// What it ends with is in hold.
    void close(RecordedHold hold, bool told, qint64 seenMs, RecordBatch& batch);
    void write(Open& open, qint64 nowMs, RecordBatch& batch);
    void tellOmitted(const PrimitiveId& id, qint64 nowMs, RecordBatch& batch);
    bool mayRecord(qint64 nowMs);

    std::vector<Open> m_open;
    std::vector<RecordedHold> m_before; ///< by whoever recorded before; until the first read
    Omitted m_omitted;
    qint64 m_givenMs = 0;
    qint8 m_left = shortInARow; ///< that may be recorded before the next is given
    bool m_known = false;       ///< it was read before: whoever has it next took it since
};

} // namespace lk
