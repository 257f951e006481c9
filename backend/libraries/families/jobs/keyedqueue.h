// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobnumbers.h"

namespace lk {

/// A key that holds jobs of a queue, and how they are in it.
struct JobsKey
{
    /// The key's type, and which job of it is next.
    enum class Shape : quint8 {
        FromRight, ///< a list whose right end is next
        FromLeft,  ///< a list whose left end is next
        Sorted,    ///< a sorted set, the lowest score first
        Newest,    ///< a sorted set, the highest score first
        Range,     ///< those of a sorted set from min to max, the lowest first
        Set,
    };
    QByteArray state; ///< JobState::name; several keys may hold jobs of one state
    JobRole role = JobRole::Ready;
    QByteArray key;
    Shape shape = Shape::FromRight;
    QByteArray worker = {};  ///< whose key it is
    bool shared = false;     ///< it holds jobs of other queues, too: jobOf() tells
    QByteArray min = "-inf"; ///< of Range
    QByteArray max = "+inf"; ///< of Range
};

/// Where the library keeps what a job was given; no key: the key's element is all there is.
struct JobStore
{
    QByteArray key;
    QByteArray field = {}; ///< of a hash; empty: the key is a string
    bool opaque = false;   ///< it tells the layout nothing: read only where a person opens the job
};

/// What was read of a queue besides its jobs.
struct QueueSetting
{
    qint64 nowMs = 0;
    std::span<const Reply> first;  ///< to KeyedQueue::setting()
    std::span<const Reply> second; ///< to KeyedQueue::furtherSetting()
};

/// What was read of one job.
struct JobRead
{
    QByteArray element;          ///< of the key that holds it
    std::optional<double> score; ///< of it in a sorted set
    QByteArray stored;          ///< what JobStore led to; empty if there is none or it is too large
    std::optional<qint64> size; ///< of that; 0: it is gone
    std::span<const Reply> replies; ///< to KeyedQueue::readsOfJob()
};

/// A queue whose jobs are in a few lists and sets, as its layout describes them. It is read in
/// steps: who works and what is paused; how much is in each key; what is in progress, what is next
/// and what failed; these jobs. Every step is bounded.
class KeyedQueue : public PlannedLayout
{
public:
    Kind kind() const override { return Kind::Queue; }
    bool allowsKeyActions() const final { return false; }
    std::span<const Column> columns() const final { return jobColumns(numbers()); }
    std::span<const Metric> metrics() const final { return jobMetrics(numbers()); }

    std::vector<Command> jobReads(const Primitive& primitive, const JobQuery& query,
                                  std::span<const Reply> replies) const final;
    std::vector<StoredJob> jobs(const Primitive& primitive, const JobQuery& query,
                                std::span<const Reply> replies) const final;
    std::vector<Command> jobDetailReads(const Primitive& primitive, const QByteArray& state,
                                        const QByteArray& id,
                                        std::span<const Reply> replies) const final;
    JobDetail jobDetail(const Primitive& primitive, const QByteArray& state, const QByteArray& id,
                        std::span<const Reply> replies) const final;
    QByteArray jobKey(const Primitive& primitive, const QByteArray& state,
                      const QByteArray& id) const final;

protected:
    /// What is told of its throughput and its jobs' times. With Running the jobs that ended well
    /// are read.
    virtual JobNumbers numbers() const { return {}; }
    /// What tells which keys there are, who works, what is paused. May be nothing.
    virtual std::vector<Command> setting(const Primitive&) const { return {}; }
    /// What its replies call for. setting.second is not known yet.
    virtual std::vector<Command> furtherSetting(const Primitive&, const QueueSetting&) const
    {
        return {};
    }
    /// The keys that hold jobs, in the order of the library's states; setting.second is not known
    /// yet.
    virtual std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                         const QueueSetting& setting) const = 0;
    virtual JobStore storeOf(const Primitive&, const JobsKey&, const QByteArray&) const
    {
        return {};
    }
    /// Light commands that tell more of a job: its lock, a few fields. As many for each job of a
    /// state.
    virtual std::vector<Command> readsOfJob(const Primitive&, const JobsKey&, const QueueSetting&,
                                            const QByteArray&) const
    {
        return {};
    }
    /// What all that tells of the job; nothing: it is not of this queue or state.
    virtual std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                          const QueueSetting& setting,
                                          const JobRead& read) const = 0;
    /// The rest of the state: pause, workers, totals, and corrections of counts.
    virtual void finish(const Primitive&, State&, QueueState&, const QueueSetting&) const {}
    /// Of the job's payload and stack: the default is what is stored, else the element.
    virtual void addDetail(const JobRead&, JobDetail&) const {}

    bool mayFail(const Primitive& primitive, const Command& command) const override;
    std::vector<Command> reads(const Primitive& primitive, const ReadContext& context) const final;
    std::vector<Command> furtherReads(const Primitive& primitive, const ReadContext& context,
                                      std::span<const Reply> replies) const final;
    DecodeResult read(const Primitive& primitive, std::span<const Reply> replies,
                      const ReadContext& context) const final;

private:
    friend class KeyedReading;
};

} // namespace lk
