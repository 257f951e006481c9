// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/names/namefilter.h"
#include "backend/core/primitive.h"
#include "backend/redis/link.h"

#include <QObject>

namespace lk {

/// Returns true if the filter matches the job's id, name, worker, error or the listed part of its
/// payload.
bool jobFits(const StoredJob& job, const NameFilter& filter);

/// Searches the jobs of one state of a queue for a text, one page at a time. Pauses after stepJobs
/// jobs until goOn() is called, so that the user does not search a million jobs by accident. May
/// miss a job that moves in its list meanwhile, or find it twice. Only reads. Lives in the
/// connection's thread.
class JobSearch final : public QObject
{
    Q_OBJECT

public:
    static constexpr qint64 stepJobs = 10'000;

    JobSearch(Link& connection, QObject* parent);

    /// Ends the previous search and starts another. If text is empty, no search starts. total: the
    /// number of jobs in that state, if known. handle is returned with the result.
    void start(Handle handle, const PrimitivePtr& queue, const QByteArray& state,
               std::optional<qint64> total, const QString& text);
    /// Searches the next stepJobs jobs.
    void goOn();
    void stop(); ///< the result of a read in progress is dropped

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
