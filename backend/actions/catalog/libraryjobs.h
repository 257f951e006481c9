// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/catalog/jobverb.h"

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
    /// one that the jobs are in. Errors: NotPossible.
    Result<void> (*fill)(Plan& plan, const LibraryMove& move, const Primitive& queue,
                         const std::vector<StoredJob>& jobs, std::span<const Reply> extra);
    const AgedReads* aged = nullptr; ///< of Clean; its fill() gets "before", ms, in plan.args
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
    JobQuery queryOf(const ActionRequest& request) const;
    size_t extraCount(const Primitive& queue) const;
    qint64 beforeMs(const State& state, const ActionRequest& request) const;
    Result<std::vector<StoredJob>> chosen(const ActionContext& context) const;
    Result<AgedJobs> aged(const ActionContext& context) const;
    Result<Plan> step(const ActionContext& context, const std::vector<StoredJob>& jobs) const;
    void describe(Plan& plan, const ActionContext& context, const AgedJobs& chosen) const;

    LibraryMove m_move;
};

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
