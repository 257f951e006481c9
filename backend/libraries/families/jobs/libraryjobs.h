// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/families/jobs/jobverb.h"

namespace lk {
class Layout;
}

namespace lk::actions {

/// Jobs that ended before a moment, the oldest first.
struct AgedJobs
{
    std::vector<StoredJob> jobs;
    qint64 count = 0;     ///< of all such jobs, those included
    bool andMore = false; ///< there may be more: not all were looked at
};

/// How they are read: steps of bounded, read-only commands, as Layout::jobReads() has them.
struct AgedReads
{
    std::vector<Command> (*commands)(const Primitive& queue, const QByteArray& state,
                                     qint64 beforeMs, std::span<const Reply> replies);
    AgedJobs (*jobs)(const Primitive& queue, const QByteArray& state, qint64 beforeMs,
                     std::span<const Reply> replies);
};

/// How one library does it: its script, and what that is told besides the ids.
struct LibraryMove
{
    JobVerb verb;
    std::vector<QByteArray> states; ///< JobState::name; the first is meant unless told otherwise
    std::vector<JobRole> roles;     ///< the same as roles, for whoever offers it
    QByteArray script;
    /// Read-only commands besides the jobs, as for the library's version. May be null.
    std::vector<Command> (*reads)(const Primitive& queue);
    /// Fills keys, args and commands; extra: the replies to reads(). The move's only state is the
    /// one that the jobs are in, and its "told" has what ofJob() brought. Errors: NotPossible.
    Result<void> (*fill)(Plan& plan, const LibraryMove& move, const Primitive& queue,
                         const std::vector<StoredJob>& jobs, std::span<const Reply> extra);
    /// For JobVerb::DiscardOld: its fill() gets "before", ms, in plan.args.
    const AgedReads* aged = nullptr;
    /// Steps of bounded, read-only commands about one chosen job, as of its relatives, with the
    /// replies so far; none: that is all. May be null.
    std::vector<Command> (*ofJob)(const Primitive& queue, const StoredJob& job,
                                  std::span<const Reply> replies) = nullptr;
    /// Why the job cannot be taken, a sentence without full stop; empty: it can. The replies are
    /// those to ofJob(). May be null.
    QString (*objection)(const Primitive& queue, JobVerb verb, const StoredJob& job,
                         std::span<const Reply> replies) = nullptr;
    /// A job may be named that is in none of the states: whether it can be taken is told by
    /// objection().
    bool byName = false;
    /// The last of the state goes first: each is put before those that wait.
    bool lastFirst = false;
    std::vector<std::vector<Reply>> told = {}; ///< for each of the jobs
};

/// Jobs chosen by --job (ids, separated by commas, each with %XX for what is no plain character),
/// --all, as a group of failed ones by --error and --name, or by their age. More than one script
/// takes, and what is to come at a rate, is a plan of several steps.
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
    /// It is done with jobs in progress whose worker is gone.
    bool needsDeadWorker() const
    {
        return m_move.verb == JobVerb::Requeue ||
               (m_move.verb == JobVerb::DeadLetter &&
                m_move.roles == std::vector{JobRole::Processing});
    }
    QByteArray stateOf(const ActionRequest& request) const;
    size_t extraCount(const Primitive& queue) const;
    qint64 beforeMs(const State& state, const ActionRequest& request) const;
    /// Jobs that were read so far.
    struct Listed
    {
        std::vector<StoredJob> jobs =
            {};              ///< of a state, what comes next first; each id of one page alone
        AgedJobs aged = {};  ///< instead, of those that ended long ago
        qint64 searched = 0; ///< how many of the state were looked at
        bool isAll = false;  ///< that is every job of the state
        size_t end = 0;      ///< of these replies
        std::vector<Command> next = {}; ///< still to be asked; empty: all is there
    };
    Listed listed(const State& state, const ActionRequest& request,
                  std::span<const Reply> prefetched) const;
    void addPages(Listed& listed, const Layout& layout, const State& state,
                  const ActionRequest& request, std::span<const Reply> prefetched) const;
    /// Replies about each job, and the commands that come next for all of them.
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
    /// Chosen in one of the two ways.
    Result<AgedJobs> wanted(const State& state, const ActionRequest& request,
                            const Listed& listed) const;
    /// Leaves out what cannot be taken, and says so; an error if nothing is left.
    Result<QString> leaveOut(const Primitive& queue, std::vector<StoredJob>& jobs,
                             std::vector<std::vector<Reply>>& told) const;
    Result<Plan> step(const ActionContext& context, const std::vector<StoredJob>& jobs,
                      std::vector<std::vector<Reply>> told) const;
    void describe(Plan& plan, const ActionContext& context, const AgedJobs& chosen) const;
    /// How many jobs one script takes.
    size_t mostAtOnce(const ActionContext& context) const;
    QString searchedText(const ActionContext& context, const Listed& listed, qint64 matching) const;

    LibraryMove m_move;
};

/// Stands for a payload in the commands that a plan shows.
inline constexpr char hiddenPayload[] = "•••";

/// Where a key that several jobs share is in KEYS, from 1 on; it is appended if it is not there.
qsizetype keyIndex(std::vector<QByteArray>& keys, const QByteArray& key);

/// Pauses a queue or lets it go on, as its library does.
struct LibraryPause
{
    bool resumes;
    QByteArray script;
    std::vector<Command> (*reads)(const Primitive& queue); ///< may be null
    Result<void> (*fill)(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                         std::span<const Reply> extra);
};

/// Pauses or resumes a queue as its library does; undo is the other of the two.
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
