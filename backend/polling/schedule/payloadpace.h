// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/followed.h"
#include "backend/polling/reader.h"

#include <functional>

namespace lk {

/// Decides at which tick the payloads of a primitive (the jobs of a queue, the items of a list) are
/// read, so that they are read once and not again before they change, and no more of them in a
/// second than a budget of bytes allows. What the change feed covers is read again when the feed
/// tells of a write; else when its length, weight or ends differ, and now and then all the same.
/// Names of many kilobytes, which are sent with every command, are paced as payloads are. Pure;
/// lives in the I/O thread with its Monitor.
class PayloadPace
{
public:
    /// The moment of a tick.
    struct Tick
    {
        qint64 localMs = 0;
        qint64 serverMs = 0;
        Handle selected = noHandle;
        /// Of the feed, where it covers all keys of that primitive; 0: it does not.
        std::function<quint64(const Primitive&)> feedEpoch;
    };

    /// table: not owned, outlives this. What is erased there is forgotten.
    PayloadPace(FollowedTable& table, qint64 bytesPerSecond)
        : m_table(table)
        , m_rate(bytesPerSecond)
        , m_left(bytesPerSecond)
    {}

    /// Somebody wrote to its key of that role.
    void changed(Handle handle, const Primitive& primitive, const QByteArray& key);
    /// To be read again, whoever says that nothing changed.
    void refresh(Handle handle) { entry(handle).refresh = true; }
    void refreshAll();

    /// Fills in for each what of its payloads is read, and takes out those that are not read at all
    /// at this tick, which it returns.
    std::vector<Handle> choose(std::vector<ReadRequest>& requests, const Tick& tick);
    /// What became of one that choose() let read.
    void took(Handle handle, const ReadOutcome& outcome, qint64 localMs);
    void failed(Handle handle);

    /// Whether it waits for its turn or for budget.
    bool isWaiting(Handle handle) const;
    /// How many waited for budget at the last tick.
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
    qint64 m_left; ///< bytes; below 0 while a read that brought more is paid off
    qint64 m_lastMs = 0;
    int m_waiting = 0;
};

} // namespace lk
