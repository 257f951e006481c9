// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// Limits the reads of primitives that are not on screen. The base rate is always allowed. The rate
/// rises up to 2.2 times the base rate while that suffices to follow all changes. If it does not
/// suffice, the base rate applies, because either rate would read only a sample. Pure; times are
/// local, used by one thread.
class ReadBudget
{
public:
    /// always: the base rate in commands a second.
    explicit ReadBudget(double always)
        : m_always(always)
        , m_rate(always)
    {}

    /// Adds the budget of the elapsed seconds. changed: primitives that changed in that time.
    /// waiting: primitives that wait to be read. disturbs: reads affect the server beyond their
    /// commands; the rate is then half the base rate.
    void refill(double seconds, qsizetype changed, qsizetype waiting, bool disturbs);
    /// Returns how many reads may begin now.
    int reads() const;
    /// Subtracts the commands that these reads took.
    void spent(double commands, double reads);

    double perSecond() const { return m_rate; }

private:
    void adapt(qsizetype waiting, bool disturbs);

    double m_always;
    double m_rate;
    double m_left = 0;           ///< commands
    double m_commandsEach = 2.5; ///< the average of one read
    // Since the rate was last adapted.
    double m_seconds = 0;
    double m_reads = 0;
    double m_changed = 0;
    qsizetype m_waiting = 0; ///< at that time
};

} // namespace lk
