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

OversizedReads::Judged OversizedReads::failed(const std::vector<ReadRequest>& unread, bool alone,
                                              const Error& error, qint64 nowMs)
{
    Judged judged{m_rule.judge(error, alone && !unread.empty()), {}};
    if (judged.verdict == Verdict::AskAlone) {
        for (const ReadRequest& request : unread)
            m_table[request.handle].suspect = true;
    } else if (judged.verdict != Verdict::Other) {
        judged.givenUp.emplace();
        judged.givenUp->handle = unread.front().handle;
        judged.givenUp->state = problemState(unread.front().primitive, nowMs, error);
    }
    return judged;
}

} // namespace lk
