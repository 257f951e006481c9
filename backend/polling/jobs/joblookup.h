// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"
#include "backend/polling/jobs/jobsbyid.h"
#include "backend/redis/link.h"

#include <QObject>

namespace lk {

/// Looks up a job by its id in the queues whose libraries keep each job under its id. Sends a few
/// commands for each queue, however many jobs it has. Only reads. Lives in the connection's thread.
class JobLookup final : public QObject
{
    Q_OBJECT

public:
    static constexpr int mostQueues = 50;

    JobLookup(Link& connection, QObject* parent);

    /// Starts a lookup and abandons the previous one. Emits found() when all queues have answered.
    void find(const QByteArray& id, const std::vector<std::pair<Handle, PrimitivePtr>>& queues);

signals:
    void found(const lk::JobsByIdPtr& jobs);

private:
    void ask(size_t next);
    bool isFound(const Primitive& queue, const JobFacts& facts) const;

    Link& m_connection;
    std::vector<std::pair<Handle, PrimitivePtr>> m_queues; ///< the queues that can be asked
    JobsById m_found;
    quint64 m_generation = 0;
};

} // namespace lk
