// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/pace/slicelength.h"

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr double commandsForName = 3; // its type, its content, its TTL; sent in up to three pieces
constexpr qint64 leastCommands = 4;   // least size of a batch that is measured
constexpr double leastCommandUs = 0.2;
constexpr double weight = 0.25;       // weight of the newest measurement
constexpr int leastNames = 6;         // names per SCAN, which takes a microsecond for each
constexpr double mostNameUs = 25;     // a longer time includes a wait behind other clients
constexpr double mostOfNearWay = 0.2; // other clients as near wait a fifth longer
constexpr double mostNearUs = 100;
constexpr double mostOfWay = 0.05; // for long round trips; else a scan would take forever

} // namespace

void SliceLength::answered(qint64 commands, double us)
{
    m_shortestUs = m_shortestUs > 0 ? std::min(m_shortestUs, us) : us;
    if (commands < leastCommands)
        return;
    const double one = std::max(leastCommandUs, (us - m_shortestUs) / double(commands));
    m_commandUs += weight * (one - m_commandUs);
}

double SliceLength::withoutWay(double us) const
{
    return std::max(0.0, us - m_shortestUs);
}

double SliceLength::busyUs(double longestUs) const
{
    const double nearUs = std::min(mostOfNearWay * m_shortestUs, mostNearUs);
    return std::max({longestUs, nearUs, mostOfWay * m_shortestUs});
}

int SliceLength::names(double longestUs, int most) const
{
    const double names = busyUs(longestUs) / (commandsForName * m_commandUs);
    const double least = std::max(double(leastNames), longestUs / mostNameUs);
    return int(std::clamp(names, std::min(least, double(most)), double(most)));
}

int SliceLength::slices(double longestUs, qint64 names) const
{
    const double least = std::max(1.0, longestUs / mostNameUs);
    const double asked = std::max(busyUs(longestUs) / (commandsForName * m_commandUs), least);
    return std::max(1, int(std::lround(double(names) / asked)));
}

} // namespace lk
