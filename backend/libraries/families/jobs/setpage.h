// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <span>
#include <vector>

namespace lk {

/// A page of a set's members in the order of SSCAN. The scan starts anew for each page and runs to
/// the end of the page. Members that are added or removed meanwhile may be missed.
class SetPage final
{
public:
    /// Reads the SSCAN replies at the front of replies; other replies may follow.
    explicit SetPage(std::span<const Reply> replies);

    static Command firstRead(const QByteArray& key);
    /// The commands that are needed before page() is complete. Empty if none. Bounded.
    std::vector<Command> next(const QByteArray& key, const JobQuery& query) const;
    size_t count() const { return m_count; }                     ///< how many replies are SSCAN's
    const std::vector<QByteArray>& ids() const { return m_ids; } ///< each once
    bool complete() const { return m_cursor == "0"; }            ///< ids() is the whole set
    std::vector<QByteArray> page(const JobQuery& query) const;

private:
    size_t m_count = 0;
    QByteArray m_cursor;
    std::vector<QByteArray> m_ids;
};

} // namespace lk
