// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/polling/pollqueue.h"
#include "backend/discovery/registry.h"

namespace lk {

/// Has every primitive read again in its turn, in full, for changes that nobody told of and for
/// what only a full look finds: within half a
/// minute without a feed. With one, which may not cover all, within ten minutes as long as that
/// takes no more than 30 a second: a quiet console stays under 100 commands a second, and 100,000
/// primitives take about an hour. Pure but for where it stands.
class RoundRobinRefresh
{
public:
    /// Once a second.
    void everySecond(const Registry& registry, bool fed, PollQueue& queue);
    /// Milliseconds in which each of so many has its turn.
    static qint64 wholeTurnMs(qsizetype primitives, bool fed);

private:
    Handle m_last = 0;
};

} // namespace lk
