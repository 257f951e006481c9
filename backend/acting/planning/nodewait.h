// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"

#include <QDeadlineTimer>

#include <optional>

namespace lk {

/// Waits for cluster nodes that do not answer, since a replica may take over in a moment. The time
/// limit begins with the first wait and is shared by all later ones, so that many keys of one dead
/// node wait no longer than one.
class NodeWait final
{
public:
    static constexpr int patienceMs = 5000;

    /// True if the node with these keys is available, or if there is only one server.
    static bool isThere(Link& link, const std::vector<QByteArray>& keys);
    /// Returns nothing when the node with these keys is available, possibly at once, or an error
    /// that names the node.
    Task<std::optional<Error>> await(Link& link, std::vector<QByteArray> keys, QObject* context);

private:
    std::optional<QDeadlineTimer> m_until;
};

} // namespace lk
