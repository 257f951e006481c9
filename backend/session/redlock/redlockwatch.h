// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreader.h"

#include <QTimer>

namespace lk {

/// Reads the locks of declared groups repeatedly. Connected only while it watches. Lives in the I/O
/// thread.
class RedlockWatch final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockWatch(std::vector<RedlockGroup> groups, const Clock& clock);
    ~RedlockWatch() override;

    /// intervalMs: between two reads of a group with few locks. The pause is longer with many
    /// locks, and shorter once after a new hazard.
    void watch(int intervalMs);
    void stop();
    /// Reads at once.
    void readNow();

signals:
    /// lasting: the findings that the previous report also had.
    void read(int group, const lk::RedlockReportPtr& report,
              const std::vector<lk::Finding>& lasting);

private:
    struct Poll;

    void onFinished(Poll& poll, int group);
    int pauseAfter(const Poll& poll) const;

    const std::vector<RedlockGroup> m_groups;
    const Clock& m_clock;
    std::vector<std::unique_ptr<Poll>> m_polls; ///< one per group; empty while stopped
    int m_intervalMs = 0;
};

} // namespace lk
