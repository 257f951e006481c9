// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockwatch.h"

#include "backend/redis/redlock/redlockfindings.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int perNameMs = 5;       // of pause: three commands a name and server
constexpr int againAfterMs = 1000; // what was just found: does it last?

RedlockReader::Options options()
{
    RedlockReader::Options result;
    result.timeoutMs = 3000;
    result.stays = true;
    result.slices = 8;
    result.mostNames = 2000;
    return result;
}

} // namespace

struct RedlockWatch::Turn
{
    Turn(const RedlockGroup& group, const Clock& clock)
        : reader(group, options(), clock)
    {
        pause.setSingleShot(true);
    }

    RedlockReader reader;
    QTimer pause;
    RedlockReportPtr before; ///< null before the first
    bool isSure = true;      ///< all that the report shows has lasted
};

RedlockWatch::RedlockWatch(std::vector<RedlockGroup> groups, const Clock& clock)
    : m_groups(std::move(groups))
    , m_clock(clock)
{}

RedlockWatch::~RedlockWatch() = default;

void RedlockWatch::watch(int intervalMs)
{
    m_intervalMs = intervalMs;
    for (const auto& turn : m_turns) {
        if (turn->pause.remainingTime() > pauseAfter(*turn))
            turn->pause.start(pauseAfter(*turn));
    }
    if (!m_turns.empty())
        return;
    for (int i = 0; i < int(m_groups.size()); ++i) {
        m_turns.push_back(std::make_unique<Turn>(m_groups[size_t(i)], m_clock));
        Turn* turn = m_turns.back().get();
        connect(&turn->pause, &QTimer::timeout, &turn->reader, &RedlockReader::read);
        connect(&turn->reader, &RedlockReader::finished, this,
                [this, turn, i] { onFinished(*turn, i); });
        turn->reader.read();
    }
}

void RedlockWatch::stop()
{
    m_turns.clear();
}

void RedlockWatch::readNow()
{
    for (const auto& turn : m_turns)
        turn->reader.read();
}

void RedlockWatch::onFinished(Turn& turn, int group)
{
    const RedlockReportPtr report = turn.reader.report();
    const std::vector<Finding> lasting =
        turn.before ? lastingRedlockFindings(*report, *turn.before) : std::vector<Finding>();
    const bool wasSure = std::exchange(turn.isSure, lasting.size() == report->findings.size());
    turn.before = report;
    const int pauseMs = pauseAfter(turn);
    turn.pause.start(wasSure && !turn.isSure ? std::min(pauseMs, againAfterMs) : pauseMs);
    emit read(group, report, lasting);
}

int RedlockWatch::pauseAfter(const Turn& turn) const
{
    const size_t names = turn.before ? turn.before->locks.size() : 0;
    return std::max(m_intervalMs, int(names) * perNameMs);
}

} // namespace lk
