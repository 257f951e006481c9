// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/followed.h"
#include "backend/polling/reader.h"

#include <functional>

namespace lk {

/// Decides in which polling interval the payloads of a primitive (the jobs of a queue, the items of
/// a list) are read. Payloads are read once and again only after a change, within a budget of bytes
/// per second. If the change feed covers the primitive, a reported write leads to another read.
/// Otherwise a difference in length, size or ends does, and an occasional refresh. Key names of
/// many kilobytes, which are sent with every command, are paced like payloads. Pure; lives in the
/// I/O thread with its Monitor.
class PayloadPace
{
public:
    /// The current polling interval.
    struct Tick
    {
        qint64 localMs = 0;
        qint64 serverMs = 0;
        Handle selected = noHandle;
        /// Returns the feed's epoch if the feed covers all keys of the primitive, else 0.
        std::function<quint64(const Primitive&)> feedEpoch;
    };

    /// table is not owned and must outlive this object. Primitives that are erased from it are
    /// forgotten.
    PayloadPace(FollowedTable& table, qint64 bytesPerSecond)
        : m_table(table)
        , m_rate(bytesPerSecond)
        , m_left(bytesPerSecond)
    {}

    /// Call when that key of the primitive was written to.
    void changed(Handle handle, const Primitive& primitive, const QByteArray& key);
    /// Reads the payloads again even if no change is known.
    void refresh(Handle handle) { entry(handle).refresh = true; }
    void refreshAll();

    /// Sets for each request which of its payloads are read. Removes the requests that are not read
    /// at all in this polling interval and returns their handles.
    std::vector<Handle> choose(std::vector<ReadRequest>& requests, const Tick& tick);
    /// Call with the outcome of a read that choose() allowed.
    void took(Handle handle, const ReadOutcome& outcome, qint64 localMs);
    void failed(Handle handle);

    /// Returns true if the primitive waits for its turn or for budget.
    bool isWaiting(Handle handle) const;
    /// Returns how many waited for budget in the last polling interval.
    int waiting() const { return m_waiting; }
    qint64 bytesPerSecond() const { return m_rate; }

private:
    enum class Rank : quint8 { Selected, Changed, Old, None }; ///< the lower, the sooner

    void refill(qint64 localMs);
    PayloadEntry& entry(Handle handle);
    PayloadEntry* find(Handle handle) const;
    static Rank rank(ReadRequest& request, PayloadEntry& entry, const Tick& tick);
    static Rank rankOfPayloads(ReadRequest& request, PayloadEntry& entry, const Tick& tick);

    FollowedTable& m_table;
    qint64 m_rate;
    qint64 m_left; ///< bytes; below 0 after a read that exceeded the budget
    qint64 m_lastMs = 0;
    int m_waiting = 0;
};

} // namespace lk
