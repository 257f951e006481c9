// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// How much is read of what is not on screen. As many commands a second as are allowed always;
/// up to 2.2 times as many while that is enough to follow all changes; no more than always where it
/// is not: then what is read is a sample in either case. Pure; times are local, used by one thread.
class ReadBudget
{
public:
    /// Commands a second that are allowed always.
    explicit ReadBudget(double always)
        : m_always(always)
        , m_rate(always)
    {}

    /// So much time has passed, so many primitives were changed in it, and so many wait to be read.
    /// Where reading disturbs the server more than by its commands, half of what is allowed always
    /// is.
    void refill(double seconds, qsizetype changed, qsizetype waiting, bool disturbs);
    /// That may be begun now.
    int reads() const;
    /// So many reads have taken so many commands.
    void spent(double commands, double reads);

    double perSecond() const { return m_rate; }

private:
    void adapt(qsizetype waiting, bool disturbs);

    double m_always;
    double m_rate;
    double m_left = 0;           ///< commands
    double m_commandsEach = 2.5; ///< of one read, about
    // Since the rate was last adapted.
    double m_seconds = 0;
    double m_reads = 0;
    double m_changed = 0;
    qsizetype m_waiting = 0; ///< then
};

} // namespace lk
