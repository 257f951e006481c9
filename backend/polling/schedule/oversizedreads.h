// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/read.h"
#include "backend/polling/followed.h"
#include "backend/redis/oversizedreplies.h"

namespace lk {

/// Keeps which primitives were in a batch whose reply was too large: each of them is a suspect
/// until it was read alone. Pure.
class OversizedReads
{
public:
    using Verdict = OversizedReplies::Verdict;
    /// What came of a batch that failed.
    struct Judged
    {
        Verdict verdict = Verdict::Other;
        std::optional<ReadOutcome> givenUp; ///< a state that says why
    };

    /// table: not owned, outlives this. What is erased there is forgotten. most: see
    /// OversizedReplies.
    explicit OversizedReads(FollowedTable& table, int most = 0)
        : m_table(table)
        , m_rule(most)
    {}

    bool isSuspect(Handle handle) const;
    /// True once for a suspect: it is to be read alone now.
    bool takeSuspect(Handle handle);

    /// A batch failed: where that is to be found out all are suspects from now on. alone: nothing
    /// else was in the batch.
    Judged failed(const std::vector<ReadRequest>& unread, bool alone, const Error& error,
                  qint64 nowMs);

private:
    FollowedTable& m_table;
    OversizedReplies m_rule;
};

} // namespace lk
