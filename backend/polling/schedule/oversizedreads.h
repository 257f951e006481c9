// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/layouts/read.h"
#include "backend/polling/followed.h"

namespace lk {

/// Finds whose reply passed the connection's cap, which took the connection with it: each primitive
/// of that batch is a suspect and is read alone; the one that fails alone is given up. Pure.
class OversizedReads
{
public:
    /// table: not owned, outlives this. What is erased there is forgotten.
    explicit OversizedReads(FollowedTable& table)
        : m_table(table)
    {}

    bool isSuspect(Handle handle) const;
    /// True once for a suspect: it is to be read alone now.
    bool takeSuspect(Handle handle);

    /// A batch failed with ReplyTooLarge: what is given up, as a state that says why; nothing where
    /// all are suspects from now on. alone: nothing else was in the batch.
    std::optional<ReadOutcome> failed(const std::vector<ReadRequest>& unread, bool alone,
                                      const Error& error, qint64 nowMs);

private:
    FollowedTable& m_table;
};

} // namespace lk
