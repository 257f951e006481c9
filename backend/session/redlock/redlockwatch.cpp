// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockwatch.h"

#include "backend/redis/redlock/redlockfindings.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int perNameMs = 5;                   // of pause, for three commands per name and server
constexpr int redlockWatchAgainAfterMs = 1000; // to check whether a new hazard lasts

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

struct RedlockWatch::Poll
{
    Poll(const RedlockGroup& group, const Clock& clock)
        : reader(group, options(), clock)
    {
        pause.setSingleShot(true);
    }

    RedlockReader reader;
    QTimer pause;
    RedlockReportPtr before; ///< null before the first read
    bool isSure = true;      ///< all findings of the report have lasted
};

RedlockWatch::RedlockWatch(std::vector<RedlockGroup> groups, const Clock& clock)
    : m_groups(std::move(groups))
    , m_clock(clock)
{}

RedlockWatch::~RedlockWatch() = default;

void RedlockWatch::watch(int intervalMs)
{
    m_intervalMs = intervalMs;
    for (const auto& poll : m_polls) {
        if (poll->pause.remainingTime() > pauseAfter(*poll))
            poll->pause.start(pauseAfter(*poll));
    }
    if (!m_polls.empty())
        return;
    for (int i = 0; i < int(m_groups.size()); ++i) {
        m_polls.push_back(std::make_unique<Poll>(m_groups[size_t(i)], m_clock));
        Poll* poll = m_polls.back().get();
        connect(&poll->pause, &QTimer::timeout, &poll->reader, &RedlockReader::read);
        connect(&poll->reader, &RedlockReader::finished, this,
                [this, poll, i] { onFinished(*poll, i); });
        poll->reader.read();
    }
}

void RedlockWatch::stop()
{
    m_polls.clear();
}

void RedlockWatch::readNow()
{
    for (const auto& poll : m_polls)
        poll->reader.read();
}

void RedlockWatch::onFinished(Poll& poll, int group)
{
    const RedlockReportPtr report = poll.reader.report();
    const std::vector<Finding> lasting =
        poll.before ? lastingRedlockFindings(*report, *poll.before) : std::vector<Finding>();
    const bool wasSure = std::exchange(poll.isSure, lasting.size() == report->findings.size());
    poll.before = report;
    const int pauseMs = pauseAfter(poll);
    poll.pause.start(wasSure && !poll.isSure ? std::min(pauseMs, redlockWatchAgainAfterMs)
                                             : pauseMs);
    emit read(group, report, lasting);
}

int RedlockWatch::pauseAfter(const Poll& poll) const
{
    const size_t names = poll.before ? poll.before->locks.size() : 0;
    return std::max(m_intervalMs, int(names) * perNameMs);
}

} // namespace lk
