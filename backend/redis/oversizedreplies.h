// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

namespace lk {

/// A reply that passes the connection's caps takes the connection with it, and so all of a batch
/// fails: which of its requests was it? This is the one rule for whoever reads: each is asked alone
/// once, which costs a connection for the one that it was and loses nothing else; the one that
/// fails alone is given up. How requests are kept until it is their turn is the reader's matter.
/// Pure; one thread.
class OversizedReplies
{
public:
    /// What is to be done after a batch has failed.
    enum class Verdict : quint8 {
        Other,    ///< it failed for another reason
        AskAlone, ///< each of the batch
        GiveUp,   ///< the one that the batch was of
        TooMany,  ///< the same, and one more than is put up with
    };

    /// A scan, and a snapshot, ask their way around so many. A server that has more is not meant to
    /// be read.
    static constexpr int mostOfAScan = 100;

    /// most: so many are given up; 0: any number.
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
