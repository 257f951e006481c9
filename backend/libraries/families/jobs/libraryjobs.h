// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/read.h"
#include "backend/libraries/families/jobs/jobverb.h"

namespace lk {
class Layout;
}

namespace lk::actions {

/// Jobs that ended before a moment, the oldest first.
struct AgedJobs
{
    std::vector<StoredJob> jobs;
    qint64 count = 0;     ///< how many such jobs exist, including those in jobs
    bool andMore = false; ///< there may be more; not all were read
};

/// How one library performs a JobVerb: its script, and the script's input besides the ids.
struct LibraryMove
{
    JobVerb verb;
    std::vector<QByteArray> states; ///< JobState::name; the first is the default
    std::vector<JobRole> roles;     ///< the roles of states
    QByteArray script;
    /// Read-only commands besides those for the jobs, as for the library's version. May be null.
    std::vector<Command> (*reads)(const Primitive& queue);
    /// Fills keys, args and commands. extra: the replies to reads(). The only state of move is that
    /// of the jobs; move.told has the replies to ofJob(). Errors: NotPossible.
    Result<void> (*fill)(Plan& plan, const LibraryMove& move, const Primitive& queue,
                         const std::vector<StoredJob>& jobs, std::span<const Reply> extra);
    /// For JobVerb::DiscardOld: reads the jobs that ended before that time, ms, by bounded
    /// commands. Its fill() gets "before", ms, in plan.args.
    Read<AgedJobs> (*aged)(const Primitive& queue, QByteArray state, qint64 beforeMs) = nullptr;
    /// Steps of bounded, read-only commands about one chosen job, as about its relatives. Called
    /// again with the replies so far until it returns none. May be null.
    std::vector<Command> (*ofJob)(const Primitive& queue, const StoredJob& job,
                                  std::span<const Reply> replies) = nullptr;
    /// Why the job cannot be taken: a sentence without full stop. Empty if it can. replies: those
    /// to ofJob(). May be null.
    QString (*objection)(const Primitive& queue, JobVerb verb, const StoredJob& job,
                         std::span<const Reply> replies) = nullptr;
    /// The request may name a job that is in none of the states. objection() then decides whether
    /// it can be taken.
    bool byName = false;
    /// Takes the state's last job first, because each is put before the waiting jobs.
    bool lastFirst = false;
    std::vector<std::vector<Reply>> told = {}; ///< the replies to ofJob() for each of the jobs
};

/// Acts on jobs chosen by --job (ids separated by commas, with %XX for special characters), --all,
/// --error and --name (a group of failed jobs), or by their age. The plan has several steps if
/// there are more jobs than one script takes or if they are moved at a rate.
class LibraryJobs final : public Action
{
public:
    explicit LibraryJobs(LibraryMove move);

    QByteArray id() const override;
    QString title() const override;
    QString summary() const override;
    bool removes() const override
    {
        return m_move.verb == JobVerb::Discard || m_move.verb == JobVerb::DiscardOld;
    }
    std::vector<JobRole> jobRoles() const override { return m_move.roles; }
    std::vector<ActionParameter> parameters() const override;
    QString unavailable(const State& state) const override;
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override;
    Result<Plan> plan(const ActionContext& context) const override;

private:
    /// True if it acts on jobs in progress whose worker is gone.
    bool needsDeadWorker() const
    {
        return m_move.verb == JobVerb::Requeue ||
               (m_move.verb == JobVerb::DeadLetter &&
                m_move.roles == std::vector{JobRole::Processing});
    }
    QByteArray stateOf(const ActionRequest& request) const;
    size_t extraCount(const Primitive& queue) const;
    qint64 beforeMs(const State& state, const ActionRequest& request) const;
    /// The jobs that were read so far.
    struct Listed
    {
        std::vector<StoredJob> jobs = {}; ///< next one first; skips ids of earlier pages
        AgedJobs aged = {};               ///< instead of jobs: those that ended long ago
        qint64 searched = 0;              ///< how many jobs of the state were read
        bool isAll = false;               ///< these are all jobs of the state
        size_t end = 0;                   ///< the end of their replies
        std::vector<Command> next = {};   ///< the next commands; empty once all is read
    };
    Listed listed(const State& state, const ActionRequest& request,
                  std::span<const Reply> prefetched) const;
    void addPages(Listed& listed, const Layout& layout, const State& state,
                  const ActionRequest& request, std::span<const Reply> prefetched) const;
    /// The replies about each job, and the next commands for all of them.
    struct Told
    {
        std::vector<std::vector<Reply>> ofJobs;
        std::vector<Command> next;
    };
    Told toldOf(const Primitive& queue, const std::vector<StoredJob>& jobs,
                std::span<const Reply> replies) const;
    Result<std::vector<StoredJob>> chosen(const State& state, const ActionRequest& request,
                                          const Listed& listed) const;
    Result<AgedJobs> aged(const ActionRequest& request, AgedJobs aged) const;
    /// The jobs from chosen() or aged().
    Result<AgedJobs> wanted(const State& state, const ActionRequest& request,
                            const Listed& listed) const;
    /// Removes jobs that cannot be taken and returns a note about them. Fails if none is left.
    Result<QString> leaveOut(const Primitive& queue, std::vector<StoredJob>& jobs,
                             std::vector<std::vector<Reply>>& told) const;
    Result<Plan> step(const ActionContext& context, const std::vector<StoredJob>& jobs,
                      std::vector<std::vector<Reply>> told) const;
    void describe(Plan& plan, const ActionContext& context, const AgedJobs& chosen) const;
    /// The most jobs that one script takes.
    size_t mostAtOnce(const ActionContext& context) const;
    QString searchedText(const ActionContext& context, const Listed& listed, qint64 matching) const;

    LibraryMove m_move;
};

/// Replaces a payload in the commands that a plan shows.
inline constexpr char hiddenPayload[] = "•••";

/// The index in KEYS, from 1 on, of a key that several jobs share. Appends the key if missing.
qsizetype keyIndex(std::vector<QByteArray>& keys, const QByteArray& key);

/// How one library pauses or resumes a queue.
struct LibraryPause
{
    bool resumes;
    QByteArray script;
    std::vector<Command> (*reads)(const Primitive& queue); ///< may be null
    Result<void> (*fill)(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                         std::span<const Reply> extra);
};

/// Pauses or resumes a queue as its library does. Undo does the opposite.
class PauseQueue final : public Action
{
public:
    explicit PauseQueue(LibraryPause pause)
        : m_pause(std::move(pause))
    {}

    QByteArray id() const override;
    QString title() const override;
    QString summary() const override;
    QString unavailable(const State& state) const override;
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override;
    Result<Plan> plan(const ActionContext& context) const override;

private:
    LibraryPause m_pause;
};

} // namespace lk::actions
