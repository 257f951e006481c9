// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/layouts/read.h"

#include <QSet>

namespace lk {

/// Finds whose reply passed the connection's cap, which took the connection with it: each primitive
/// of that batch is a suspect and is read alone; the one that fails alone is given up. Pure.
class OversizedReads
{
public:
    bool isSuspect(Handle handle) const { return m_suspects.contains(handle); }
    /// True once for a suspect: it is to be read alone now.
    bool takeSuspect(Handle handle) { return m_suspects.remove(handle); }
    void forget(Handle handle) { m_suspects.remove(handle); }

    /// A batch failed with ReplyTooLarge: what is given up, as a state that says why; nothing where
    /// all are suspects from now on. alone: nothing else was in the batch.
    std::optional<ReadOutcome> failed(const std::vector<ReadRequest>& unread, bool alone,
                                      const Error& error, qint64 nowMs);

private:
    QSet<Handle> m_suspects;
};

} // namespace lk
