// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/readbudget.h"

#include <algorithm>

namespace lk {

namespace {

constexpr double most = 2.2;         // times the base rate
constexpr double adaptSeconds = 1;   // how often
constexpr double drainSeconds = 1.5; // time in which all waiting primitives are read
constexpr double room = 1.1;         // so that a queue gets shorter

} // namespace

void ReadBudget::refill(double seconds, qsizetype changed, qsizetype waiting, bool disturbs)
{
    m_seconds += seconds;
    m_changed += double(changed);
    if (m_seconds >= adaptSeconds)
        adapt(waiting, disturbs);
    m_left = std::min(m_left + seconds * m_rate, m_rate);
}

void ReadBudget::adapt(qsizetype waiting, bool disturbs)
{
    // Reads plus the growth of the queue include primitives that are due by themselves, but not
    // changes of primitives that already wait.
    const double came = std::max(m_changed, m_reads + double(waiting - m_waiting)) / m_seconds;
    const double toFollow = came * m_commandsEach * room;
    const double toDrain = double(waiting) / drainSeconds * m_commandsEach;
    if (disturbs)
        m_rate = m_always / 2;
    else if (toFollow > m_always * most)
        m_rate = m_always;
    else
        m_rate = std::clamp(toFollow + toDrain, m_always, m_always * most);
    m_seconds = 0;
    m_reads = 0;
    m_changed = 0;
    m_waiting = waiting;
}

int ReadBudget::reads() const
{
    return int(std::max(m_left, 0.0) / m_commandsEach);
}

void ReadBudget::spent(double commands, double reads)
{
    m_left -= commands;
    m_reads += reads;
    if (reads >= 1)
        m_commandsEach += (std::max(1.0, commands / reads) - m_commandsEach) * 0.1;
}

} // namespace lk
