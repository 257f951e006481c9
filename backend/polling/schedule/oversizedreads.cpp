// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/schedule/oversizedreads.h"

#include <utility>

namespace lk {

bool OversizedReads::isSuspect(Handle handle) const
{
    const Followed* followed = m_table.find(handle);
    return followed && followed->suspect;
}

bool OversizedReads::takeSuspect(Handle handle)
{
    Followed* followed = m_table.find(handle);
    return followed && std::exchange(followed->suspect, false);
}

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
        m_table[request.handle].suspect = true;
    return std::nullopt;
}

} // namespace lk
