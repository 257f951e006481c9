// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

#include <optional>
#include <span>
#include <vector>

namespace lk {

/// Finds out which delayed jobs of a queue are overdue: due for longer than moving them should
/// take, and still there. Lists them as the layout does, the first to be due first: one, then a
/// page where that one is overdue, then the number of all that are, where a sorted set tells it.
/// Pure, and bounded: a queue whose delayed jobs are as they were is not asked at each read.
class DueJobs
{
public:
    static constexpr qint64 pageJobs = 100;

    /// state: just decoded; previous: the queue's last one, or null.
    DueJobs(const Layout& layout, const State& state, const State* previous);

    /// Commands of the present step; none once there is nothing more to ask.
    const std::vector<Command>& commands() const { return m_commands; }
    /// Takes the replies to commands(), one for each.
    void take(std::span<const Reply> replies);
    /// Once there is nothing more to ask.
    void finish(State& state) const;

private:
    /// The delayed jobs of one of the queue's states.
    struct Part
    {
        QByteArray state;
        std::optional<qint64> count;
        qint64 limit = 1; ///< of the present page
        std::vector<Reply> replies = {};
        std::vector<Command> next = {};
        bool counts = false; ///< next is the count of all
        std::optional<qint64> firstDueMs = {};
        std::optional<qint64> overdue = {}; ///< empty: none was listed
        QByteArray key = {};                ///< of the sorted set that has them
        double unit = 0;                    ///< of its scores: so many are a millisecond
    };

    void ask();
    void list(Part& part);
    void judge(Part& part);

    const Layout* m_layout;
    PrimitivePtr m_queue;
    qint64 m_nowMs = 0;
    std::vector<Part> m_parts;
    std::vector<Command> m_commands;
    bool m_kept = false; ///< as the previous state has it
    DueFacts m_before;
};

} // namespace lk
