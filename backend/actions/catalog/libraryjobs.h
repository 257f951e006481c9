// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/action.h"

namespace lk {
class Layout;
}

namespace lk::actions {

/// What can be done with jobs that their library names by ids.
enum class JobVerb : quint8 {
    Retry,   ///< a failed job is queued again
    Promote, ///< a delayed job is queued now
    Requeue, ///< a job whose worker is gone is queued again
    Remove,  ///< with all that is kept of it
};

/// How one library does it: its script, and what that is told besides the ids.
struct LibraryMove
{
    JobVerb verb;
    std::vector<QByteArray> states; ///< JobState::name; the first is meant unless told otherwise
    QByteArrayList roles;           ///< the same as roles, for whoever offers it
    QByteArray script;
    /// Read-only commands besides the jobs, as for the library's version. May be null.
    std::vector<Command> (*reads)(const Primitive& queue);
    /// Fills keys, args and commands; extra: the replies to reads(). Errors: NotPossible.
    Result<void> (*fill)(Plan& plan, const LibraryMove& move, const Primitive& queue,
                         const std::vector<StoredJob>& jobs, std::span<const Reply> extra);
};

/// Jobs chosen by --job (ids, separated by commas, each with %XX for what is no plain character),
/// --all, or as a group of failed ones by --error and --name.
class LibraryJobs final : public Action
{
public:
    explicit LibraryJobs(LibraryMove move);

    QByteArray id() const override;
    QString title() const override;
    QString summary() const override;
    bool removes() const override { return m_move.verb == JobVerb::Remove; }
    QByteArrayList jobRoles() const override { return m_move.roles; }
    std::vector<ActionParameter> parameters() const override;
    QString unavailable(const State& state) const override;
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override;
    Result<Plan> plan(const ActionContext& context) const override;

private:
    JobQuery queryOf(const ActionRequest& request) const;
    size_t extraCount(const Primitive& queue) const;
    Result<std::vector<StoredJob>> chosen(const ActionContext& context) const;

    LibraryMove m_move;
};

/// The most jobs of one plan.
inline constexpr qint64 mostLibraryJobs = 100;

/// Pauses a queue or lets it go on, as its library does.
struct LibraryPause
{
    bool resumes;
    QByteArray script;
    std::vector<Command> (*reads)(const Primitive& queue); ///< may be null
    Result<void> (*fill)(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                         std::span<const Reply> extra);
};

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
