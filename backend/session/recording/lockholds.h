// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/recordbatch.h"

namespace lk {

/// The holders of one lock, as they are recorded; each holder of a shared lock has a hold of its
/// own. To bound the disk space for a lock that changes hands all the time, only a few holds in a
/// row that are shorter than alwaysRecordedMs are recorded, then one in a while. The others are
/// counted.
class LockHolds
{
public:
    static constexpr qint64 alwaysRecordedMs = 5000;
    static constexpr qint64 shortOneEveryMs = 120'000;
    static constexpr qint8 shortInARow = 20;

    /// Adds the changes since lastReadMs, which is 0 before the first read.
    void read(const PrimitiveId& id, const State& now, const LockState& lock, qint64 lastReadMs,
              RecordBatch& batch);
    /// Sets the last recorded holds before the first read. An owner that still holds the lock
    /// continues its hold. For locks with several holders; the state of other locks contains since
    /// when they are held.
    void resume(std::vector<RecordedHold> left) { m_before = std::move(left); }
    /// Ends all holds because the lock is gone.
    void end(const PrimitiveId& id, qint64 atMs, RecordBatch& batch);
    /// Records what needed time. Returns true if there is still something to record later.
    bool advance(const PrimitiveId& id, qint64 nowMs, RecordBatch& batch);
    /// Recording ends: records at once what would be recorded later.
    void tellAll(const PrimitiveId& id, RecordBatch& batch);
    bool isPending() const;

private:
    struct Open
    {
        RecordedHold hold;
        qint64 writtenMs = 0; ///< when it was last recorded; 0: not recorded
    };
    /// Holds that are not recorded one by one, since they were last reported.
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
    /// Its end is already set in hold.
    void close(RecordedHold hold, bool told, qint64 seenMs, RecordBatch& batch);
    void write(Open& open, qint64 nowMs, RecordBatch& batch);
    void tellOmitted(const PrimitiveId& id, qint64 nowMs, RecordBatch& batch);
    bool mayRecord(qint64 nowMs);

    std::vector<Open> m_open;
    std::vector<RecordedHold> m_before; ///< holds of the previous recording, until the first read
    Omitted m_omitted;
    qint64 m_givenMs = 0;
    qint8 m_left = shortInARow; ///< holds that may still be recorded before the next grant
    bool m_known = false;       ///< it was read before, so a new owner took it since
};

} // namespace lk
