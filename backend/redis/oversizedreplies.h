// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

namespace lk {

/// Finds the request whose reply exceeds the connection's limits. Such a reply closes the
/// connection and fails its whole batch. Every reader follows this one rule: each request of the
/// batch is sent alone once, and one that fails alone is given up. This costs one connection for
/// the oversized reply and loses no other. The reader stores the requests that wait for their turn.
/// Pure; one thread.
class OversizedReplies
{
public:
    /// The reader's reaction to a failed batch.
    enum class Verdict : quint8 {
        Other,    ///< it failed for another reason
        AskAlone, ///< send each request of the batch alone
        GiveUp,   ///< give up the only request of the batch
        TooMany,  ///< the same, and the limit is exceeded
    };

    /// A scan or a snapshot gives up this many requests at most. A server with more is not meant to
    /// be read.
    static constexpr int mostOfAScan = 100;

    /// most: how many requests may be given up; 0: any number.
    explicit OversizedReplies(int most = 0)
        : m_most(most)
    {}

    /// alone: nothing else was in the batch when it was sent.
    Verdict judge(const Error& error, bool alone);
    void reset() { m_givenUp = 0; }

private:
    int m_most;
    int m_givenUp = 0;
};

} // namespace lk
