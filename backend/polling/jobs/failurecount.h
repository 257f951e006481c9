// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/primitive.h"
#include "backend/redis/link.h"

#include <QHash>
#include <QObject>

namespace lk {

/// Counts the failed jobs of a queue by error and name: the newest mostJobs of each state, one page
/// at a time. May miss a job that moves meanwhile, or count it twice. Only reads. Lives in the
/// connection's thread.
class FailureCount final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 mostJobs = 10'000;

    FailureCount(Link& connection, QObject* parent);

    /// Ends the previous count and starts another. states: those that contain failed jobs; if
    /// empty, no count starts. handle is returned with the result.
    void start(Handle handle, const PrimitivePtr& queue, std::vector<JobState> states);

signals:
    void progressed(const lk::FailuresCountedPtr& counted);

private:
    void readPage();
    void take(const Result<std::vector<StoredJob>>& jobs);
    void tell();

    Link& m_connection;
    PrimitivePtr m_queue;
    std::vector<JobState> m_states; ///< still to be counted; the first is in progress
    qint64 m_offset = 0;            ///< in the first of them
    QHash<std::pair<QByteArray, QByteArray>, FailureGroup> m_groups; ///< by error and name
    FailuresCounted m_counted;
    qint64 m_told = 0;        ///< jobs counted at the last progressed()
    quint64 m_generation = 0; ///< answers to an earlier count are dropped
};

} // namespace lk
