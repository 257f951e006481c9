// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/redlock/redlockcheck.h"

#include "backend/redis/redlock/redlockfindings.h"

#include <QTimer>

namespace lk {

namespace {

constexpr int redlockCheckAgainAfterMs = 1000; // longer than acquiring a lock on all servers

RedlockReader::Options options(int timeoutMs)
{
    RedlockReader::Options result;
    result.timeoutMs = timeoutMs;
    return result;
}

} // namespace

struct RedlockCheck::Read
{
    Read(const RedlockGroup& group, int timeoutMs, const Clock& clock)
        : reader(group, options(timeoutMs), clock)
    {
        pause.setSingleShot(true);
        pause.setInterval(redlockCheckAgainAfterMs);
    }

    RedlockReader reader;
    QTimer pause;
    RedlockReportPtr first; ///< null while it is being read
};

RedlockCheck::RedlockCheck(const std::vector<RedlockGroup>& groups, int timeoutMs,
                           const Clock& clock)
{
    for (const RedlockGroup& group : groups) {
        m_reads.push_back(std::make_unique<Read>(group, timeoutMs, clock));
        Read* read = m_reads.back().get();
        connect(&read->pause, &QTimer::timeout, &read->reader, &RedlockReader::read);
        connect(&read->reader, &RedlockReader::finished, this, [this, read] { onRead(*read); });
    }
}

RedlockCheck::~RedlockCheck() = default;

void RedlockCheck::start()
{
    m_underWay = m_reads.size();
    if (m_reads.empty())
        return emit finished();
    for (const auto& read : m_reads)
        read->reader.read();
}

void RedlockCheck::onRead(Read& read)
{
    const RedlockReportPtr report = read.reader.report();
    const bool isFirst = read.first == nullptr;
    if (isFirst)
        read.first = report;
    if (isFirst && !report->findings.empty())
        read.pause.start();
    else if (--m_underWay == 0)
        end();
}

void RedlockCheck::end()
{
    for (const auto& read : m_reads) {
        m_reports.push_back(read->reader.report());
        for (Finding& finding : lastingRedlockFindings(*m_reports.back(), *read->first))
            m_findings.push_back(std::move(finding));
    }
    emit finished();
}

} // namespace lk
