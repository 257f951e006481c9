// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/redis/link.h"

#include <QObject>

namespace lk {

/// Lists the jobs of a snapshot's queues that are in another state than in progress (those come
/// with the queue), several lists at a time. Bounded: of each list as its layout reads it, and in
/// all. Lives in the connection's thread.
class SnapshotJobs final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostBytes = 16 * 1024 * 1024; ///< of all payloads together, about

    SnapshotJobs(Link& connection, QObject* parent);

    /// Those of the first queues, in that order.
    void read(const std::vector<StatePtr>& queues);

signals:
    void advanced(); ///< one more list was read
    void finished(const std::vector<lk::ListedJobs>& lists);

private:
    void readMore();
    void readList(size_t list);

    Link& m_connection;
    std::vector<ListedJobs> m_lists; ///< to be read
    size_t m_begun = 0;              ///< how many of them are under way or read
    size_t m_underWay = 0;
    qint64 m_bytes = 0;
    bool m_starting = false; ///< a list that its layout does not read is answered at once
};

} // namespace lk
