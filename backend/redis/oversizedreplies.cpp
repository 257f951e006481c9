// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/oversizedreplies.h"

namespace lk {

OversizedReplies::Verdict OversizedReplies::judge(const Error& error, bool alone)
{
    if (error.code != ErrorCode::ReplyTooLarge)
        return Verdict::Other;
    if (!alone)
        return Verdict::AskAlone;
    return ++m_givenUp > m_most && m_most > 0 ? Verdict::TooMany : Verdict::GiveUp;
}

} // namespace lk
