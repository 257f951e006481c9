// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/names/namefilter.h"
#include "backend/core/primitive.h"
#include "backend/redis/link.h"

#include <QObject>

namespace lk {

/// Whether the job has it in its id, name, worker or error, or in as much of its payload as was
/// listed.
bool jobFits(const StoredJob& job, const NameFilter& filter);

/// Looks for a text in the jobs of one state of a queue, page by page and one page at a time. Stops
/// after so many jobs until it is told to go on, so that nobody searches a million jobs by
/// accident. Jobs that move in their list meanwhile may be missed or found twice. Only reads. Lives
/// in the connection's thread.
class JobSearch final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 stepJobs = 10'000;

    JobSearch(Link& connection, QObject* parent);

    /// Ends the search before. An empty text ends it and begins none. total: of that state, as far
    /// as it is known. handle comes back with what is found.
    void start(Handle handle, const PrimitivePtr& queue, const QByteArray& state,
               std::optional<qint64> total, const QString& text);
    /// The next stepJobs jobs, from where it stopped.
    void goOn();
    void stop(); ///< what is under way is not told any more

signals:
    void progressed(const lk::JobsFoundPtr& found);

private:
    void readPage();
    void take(const Result<std::vector<StoredJob>>& jobs);

    Link& m_connection;
    PrimitivePtr m_queue;
    NameFilter m_filter;
    JobsFound m_found;
    qint64 m_until = 0;       ///< jobs scanned at which it stops
    quint64 m_generation = 0; ///< answers to an earlier search are dropped
};

} // namespace lk
