// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"

#include <span>
#include <vector>

namespace lk {

/// A page of a set's members, which have no order but that of SSCAN: the scan begins anew for each
/// page and goes as far as the page. Members that come or go meanwhile may be missed.
class SetPage final
{
public:
    /// The replies to SSCAN that lead these replies; others, which are no such replies, follow.
    explicit SetPage(std::span<const Reply> replies);

    static Command firstRead(const QByteArray& key);
    /// What is to be asked before page() is complete; empty: nothing more. Bounded.
    std::vector<Command> next(const QByteArray& key, const JobQuery& query) const;
    size_t count() const { return m_count; }                     ///< so many replies are SSCAN's
    const std::vector<QByteArray>& ids() const { return m_ids; } ///< each once
    bool complete() const { return m_cursor == "0"; }            ///< ids() is the whole set
    std::vector<QByteArray> page(const JobQuery& query) const;

private:
    size_t m_count = 0;
    QByteArray m_cursor;
    std::vector<QByteArray> m_ids;
};

} // namespace lk
