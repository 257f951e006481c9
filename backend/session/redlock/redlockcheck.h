// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreader.h"

#include <QObject>

namespace lk {

/// Checks groups of servers once, side by side. Reads each group, and a second time if the first
/// report has a hazard, which may be gone a moment later. Only reads. Lives in the thread that made
/// it.
class RedlockCheck final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockCheck(const std::vector<RedlockGroup>& groups, int timeoutMs, const Clock& clock);
    ~RedlockCheck() override;

    /// Call it once. Finishes at once without groups.
    void start();

    // After finished(), for each group in their order:
    const std::vector<RedlockReportPtr>& reports() const { return m_reports; }
    const std::vector<Finding>& findings() const { return m_findings; } ///< in both reads

signals:
    void finished();

private:
    struct Read;

    void onRead(Read& read);
    void end();

    std::vector<std::unique_ptr<Read>> m_reads;
    std::vector<RedlockReportPtr> m_reports;
    std::vector<Finding> m_findings;
    size_t m_underWay = 0;
};

} // namespace lk
