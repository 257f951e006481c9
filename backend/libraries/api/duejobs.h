// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

#include <optional>
#include <span>
#include <vector>

namespace lk {

/// Finds the overdue delayed jobs of a queue: due for longer than moving them should take, and
/// still there. Lists them as the layout does, earliest first: one job; then a page if that job is
/// overdue; then, if they are in a sorted set, the number of all overdue jobs. Pure and bounded: a
/// queue whose delayed jobs did not change is not asked at each read.
class DueJobs
{
public:
    static constexpr qint64 pageJobs = 100;

    /// state: just decoded; previous: the queue's last one, or null.
    DueJobs(const Layout& layout, const State& state, const State* previous);

    /// Commands of the current step. Empty once there is nothing more to ask.
    const std::vector<Command>& commands() const { return m_commands; }
    /// Takes the replies to commands(), one for each.
    void take(std::span<const Reply> replies);
    /// Writes the result into the state. Call once commands() is empty.
    void finish(State& state) const;

private:
    /// The delayed jobs of one of the queue's states.
    struct Part
    {
        QByteArray state;
        std::optional<qint64> count;
        qint64 limit = 1;                                      ///< the size of the current page
        std::optional<Read<std::vector<StoredJob>>> read = {}; ///< of that page, while it asks
        std::vector<Command> next = {};
        bool counts = false; ///< next counts all overdue jobs
        std::optional<qint64> firstDueMs = {};
        std::optional<qint64> overdue = {}; ///< empty if no jobs were listed
        QByteArray key = {};                ///< the sorted set that holds the jobs
        double unit = 0; ///< score of the first job; gives the unit of the scores
    };

    void ask();
    void list(Part& part);
    void judge(Part& part, const std::vector<StoredJob>& jobs);

    const Layout* m_layout;
    PrimitivePtr m_queue;
    qint64 m_nowMs = 0;
    std::vector<Part> m_parts;
    std::vector<Command> m_commands;
    bool m_kept = false; ///< the facts of the previous state stay
    DueFacts m_before;
};

} // namespace lk
