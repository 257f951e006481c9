// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/primitiveread.h"
#include "backend/polling/followed.h"
#include "backend/redis/oversizedreplies.h"

namespace lk {

/// Remembers which primitives were in a batch whose reply was too large. Each is a suspect until it
/// was read alone. Pure.
class OversizedReads
{
public:
    using Verdict = OversizedReplies::Verdict;
    /// The verdict on a failed batch.
    struct Judged
    {
        Verdict verdict = Verdict::Other;
        std::optional<ReadOutcome> givenUp; ///< its state contains the reason
    };

    /// table is not owned and must outlive this object. Primitives that are erased from it are
    /// forgotten. most: see OversizedReplies.
    explicit OversizedReads(FollowedTable& table, int most = 0)
        : m_table(table)
        , m_rule(most)
    {}

    bool isSuspect(Handle handle) const;
    /// Returns true once for a suspect, which is then to be read alone.
    bool takeSuspect(Handle handle);

    /// Judges a failed batch. If its primitives have to be read alone, all become suspects. alone:
    /// the batch contained nothing else.
    Judged failed(const std::vector<ReadRequest>& unread, bool alone, const Error& error,
                  qint64 nowMs);

private:
    FollowedTable& m_table;
    OversizedReplies m_rule;
};

} // namespace lk
