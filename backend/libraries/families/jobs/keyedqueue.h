// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobnumbers.h"

namespace lk {

/// A key that holds jobs of a queue, and their order in it.
struct JobsKey
{
    /// The key's type and its next job.
    enum class Shape : quint8 {
        FromRight, ///< a list whose right end is next
        FromLeft,  ///< a list whose left end is next
        Sorted,    ///< a sorted set, the lowest score first
        Newest,    ///< a sorted set, the highest score first
        Range,     ///< the scores of a sorted set from min to max, the lowest first
        Set,
    };
    QByteArray state; ///< JobState::name; several keys may hold jobs of one state
    JobRole role = JobRole::Ready;
    QByteArray key;
    Shape shape = Shape::FromRight;
    QByteArray worker = {};  ///< the worker that owns the key
    bool shared = false;     ///< it also holds jobs of other queues; jobOf() rejects these
    QByteArray min = "-inf"; ///< for Range
    QByteArray max = "+inf"; ///< for Range
    bool timed = true;       ///< for the role Done: its jobs tell how long jobs wait and run
};

/// Where the library stores a job's data. Without key, the element is all there is.
struct JobStore
{
    QByteArray key;
    QByteArray field = {}; ///< the hash field; empty if the key is a string
    bool opaque = false;   ///< the layout cannot use it: read only when the user opens the job
};

/// The replies about a queue besides its jobs.
struct QueueSetting
{
    qint64 nowMs = 0;
    std::span<const Reply> first;  ///< to KeyedQueue::setting()
    std::span<const Reply> second; ///< to KeyedQueue::furtherSetting()
};

/// The replies about one job.
struct JobRead
{
    QByteArray element;                  ///< the element of the key that holds the job
    std::optional<double> score;         ///< the element's score in a sorted set
    QByteArray stored;                   ///< the data at JobStore; empty if missing or too large
    std::optional<qint64> size;          ///< the size of that data; 0 if it is gone
    std::span<const Reply> replies;      ///< to KeyedQueue::readsOfJob()
    std::span<const Reply> further = {}; ///< to KeyedQueue::furtherReadsOfJob()
};

/// A queue whose jobs are in a few lists and sets that its layout describes. It is read in steps:
/// workers and pause; the size of each key; the ids in progress, next and failed; these jobs. Every
/// step is bounded.
class KeyedQueue : public Layout
{
public:
    Kind kind() const override { return Kind::Queue; }
    bool allowsKeyActions() const final { return false; }
    bool mayFail(const Primitive& primitive, const Command& command) const override;
    std::span<const Column> columns() const final { return jobColumns(numbers()); }
    std::span<const Metric> metrics() const final { return jobMetrics(numbers()); }

    Read<DecodeResult> readState(const Primitive& primitive,
                                 const ReadContext& context) const final;
    Read<std::vector<StoredJob>> readJobs(const Primitive& primitive, JobQuery query) const final;
    Read<JobDetail> readJob(const Primitive& primitive, QByteArray state,
                            QByteArray id) const final;
    QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                      const QByteArray& id) const final;

protected:
    /// The numbers that the library has about throughput and its jobs' times. With Running, the
    /// jobs that ended well are read.
    virtual JobNumbers numbers() const { return {}; }
    /// The commands that read which keys exist, the workers and the pause. May be empty.
    virtual std::vector<Command> setting(const Primitive&) const { return {}; }
    /// Further commands that follow from these replies. setting.second is not set yet.
    virtual std::vector<Command> furtherSetting(const Primitive&, const QueueSetting&) const
    {
        return {};
    }
    /// The keys that hold jobs, in the order of the library's states. setting.second is not set
    /// yet.
    virtual std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                         const QueueSetting& setting) const = 0;
    virtual JobStore storeOf(const Primitive&, const JobsKey&, const QByteArray&) const
    {
        return {};
    }
    /// Light commands for further facts of a job: its lock, a few fields. Returns the same number
    /// for each job of a state.
    virtual std::vector<Command> readsOfJob(const Primitive&, const JobsKey&, const QueueSetting&,
                                            const QByteArray&) const
    {
        return {};
    }
    /// Light commands that follow from these replies: about the worker that they name.
    virtual std::vector<Command> furtherReadsOfJob(const Primitive&, const JobsKey&,
                                                   const JobRead&) const
    {
        return {};
    }
    /// The job's facts from these replies. Nothing if it is not of this queue or state.
    virtual std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                          const QueueSetting& setting,
                                          const JobRead& read) const = 0;
    /// Fills in the rest of the state: pause, workers, totals, and corrections of counts.
    virtual void finish(const Primitive&, State&, QueueState&, const QueueSetting&) const {}
    /// Returns what the job was given. The default is what is stored, or the element if nothing is.
    virtual QByteArray payloadOf(const JobRead& read) const
    {
        return read.size ? read.stored : read.element;
    }
    /// True if the job that was read is no longer kept.
    virtual bool isGone(const JobRead& read) const { return read.size.value_or(0) <= 0; }
    /// Asks for more of one job that is shown whole, each reply bounded, and adds it to the detail.
    /// The default asks nothing. The read outlives it.
    virtual Read<JobDetail> readDetail(const Primitive& primitive, const JobRead& read,
                                       JobDetail detail) const;
    /// Adds to the detail of a job what was read already: its stack, more fields.
    virtual void addDetail(const JobRead&, JobDetail&) const {}

private:
    friend class KeyedReading;
};

} // namespace lk
