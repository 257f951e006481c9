// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"

#include <QDeadlineTimer>

#include <optional>

namespace lk {

/// The patience with the nodes of a cluster that do not answer: a replica may take over in a
/// moment. It begins with the first that is waited for and is the same for all that follow, so that
/// many keys of one dead node wait no longer than one.
class NodeWait final
{
public:
    using Handler = std::function<void(const std::optional<Error>& refusal)>;

    static constexpr int patienceMs = 5000;

    /// The node with these keys can be asked; true also where there is but one server.
    static bool isThere(Link& link, const std::vector<QByteArray>& keys);
    /// Calls that once the node with these keys can be asked, which may be at once, or with an
    /// error that names it; not at all if the context was destroyed before.
    void await(Link& link, const std::vector<QByteArray>& keys, QObject* context, Handler then);

private:
    std::optional<QDeadlineTimer> m_until;
};

} // namespace lk
