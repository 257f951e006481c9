// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/redlock/redlockreader.h"

#include <QTimer>

namespace lk {

/// Reads the locks of declared groups again and again. Connected only meanwhile. Lives in the I/O
/// thread.
class RedlockWatch final : public QObject
{
    Q_OBJECT

public:
    /// The clock outlives this.
    RedlockWatch(std::vector<RedlockGroup> groups, const Clock& clock);
    ~RedlockWatch() override;

    /// intervalMs: between two reads of a group that has few locks; of many the pause is longer,
    /// and shorter once where a hazard has just come up.
    void watch(int intervalMs);
    void stop();
    /// Without the pause.
    void readNow();

signals:
    /// lasting: the report's findings that the one before had as well.
    void read(int group, const lk::RedlockReportPtr& report,
              const std::vector<lk::Finding>& lasting);

private:
    struct Poll;

    void onFinished(Poll& poll, int group);
    int pauseAfter(const Poll& poll) const;

    const std::vector<RedlockGroup> m_groups;
    const Clock& m_clock;
    std::vector<std::unique_ptr<Poll>> m_polls; ///< one a group; none while it is stopped
    int m_intervalMs = 0;
};

} // namespace lk
