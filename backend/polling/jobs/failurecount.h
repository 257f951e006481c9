// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/primitive.h"
#include "backend/redis/link.h"

#include <QHash>
#include <QObject>

namespace lk {

/// Counts the failed jobs of a queue by error and name, page by page and one page at a time, the
/// newest mostJobs of each state. Jobs that move meanwhile may be missed or counted twice. Only
/// reads. Lives in the connection's thread.
class FailureCount final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostJobs = 10'000;

    FailureCount(Link& connection, QObject* parent);

    /// Ends the count before. states: those that have failed jobs; none ends it and begins none.
    /// handle comes back with what was counted.
    void start(Handle handle, const PrimitivePtr& queue, std::vector<JobState> states);

signals:
    void progressed(const lk::FailuresCountedPtr& counted);

private:
    void readPage();
    void take(const Result<std::vector<StoredJob>>& jobs);
    void tell();

    Link& m_connection;
    PrimitivePtr m_queue;
    std::vector<JobState> m_states; ///< still to be counted; the first is under way
    qint64 m_offset = 0;            ///< in the first of them
    QHash<std::pair<QByteArray, QByteArray>, FailureGroup> m_groups; ///< by error and name
    FailuresCounted m_counted;
    qint64 m_told = 0;        ///< jobs counted when it was last told
    quint64 m_generation = 0; ///< answers to an earlier count are dropped
};

} // namespace lk
