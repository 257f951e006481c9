// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockcheck.h"

#include "backend/redis/redlock/redlockfindings.h"

#include <QTimer>

namespace lk {

namespace {

constexpr int againAfterMs = 1000; // longer than it takes to acquire a lock on all servers

RedlockReader::Options options(int timeoutMs)
{
    RedlockReader::Options result;
    result.timeoutMs = timeoutMs;
    return result;
}

} // namespace

struct RedlockCheck::Turn
{
    Turn(const RedlockGroup& group, int timeoutMs, const Clock& clock)
        : reader(group, options(timeoutMs), clock)
    {
        pause.setSingleShot(true);
        pause.setInterval(againAfterMs);
    }

    RedlockReader reader;
    QTimer pause;
    RedlockReportPtr first; ///< null while it is being read
};

RedlockCheck::RedlockCheck(const std::vector<RedlockGroup>& groups, int timeoutMs,
                           const Clock& clock)
{
    for (const RedlockGroup& group : groups) {
        m_turns.push_back(std::make_unique<Turn>(group, timeoutMs, clock));
        Turn* turn = m_turns.back().get();
        connect(&turn->pause, &QTimer::timeout, &turn->reader, &RedlockReader::read);
        connect(&turn->reader, &RedlockReader::finished, this, [this, turn] { onRead(*turn); });
    }
}

RedlockCheck::~RedlockCheck() = default;

void RedlockCheck::start()
{
    m_underWay = m_turns.size();
    if (m_turns.empty())
        return emit finished();
    for (const auto& turn : m_turns)
        turn->reader.read();
}

void RedlockCheck::onRead(Turn& turn)
{
    const RedlockReportPtr report = turn.reader.report();
    const bool isFirst = turn.first == nullptr;
    if (isFirst)
        turn.first = report;
    if (isFirst && !report->findings.empty())
        turn.pause.start();
    else if (--m_underWay == 0)
        end();
}

void RedlockCheck::end()
{
    for (const auto& turn : m_turns) {
        m_reports.push_back(turn->reader.report());
        for (Finding& finding : lastingRedlockFindings(*m_reports.back(), *turn->first))
            m_findings.push_back(std::move(finding));
    }
    emit finished();
}

} // namespace lk
