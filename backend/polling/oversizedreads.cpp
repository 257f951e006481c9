// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/oversizedreads.h"

namespace lk {

std::optional<ReadOutcome> OversizedReads::failed(const std::vector<ReadRequest>& unread,
                                                  bool alone, const Error& error, qint64 nowMs)
{
    if (alone && !unread.empty()) {
        ReadOutcome outcome;
        outcome.handle = unread.front().handle;
        outcome.state = problemState(unread.front().primitive, nowMs, error);
        return outcome;
    }
    for (const ReadRequest& request : unread)
        m_suspects.insert(request.handle);
    return std::nullopt;
}

} // namespace lk
