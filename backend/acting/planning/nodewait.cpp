// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/nodewait.h"

#include "backend/acting/planning/actionplace.h"

#include <QPointer>

namespace lk {

namespace {

constexpr int lookMs = 50;

} // namespace

bool NodeWait::isThere(Link& link, const std::vector<QByteArray>& keys)
{
    return keys.empty() || !link.followsCluster() || link.nodeOf(keys.front()).isReady();
}

Task<std::optional<Error>> NodeWait::await(Link& link, std::vector<QByteArray> keys,
                                           QObject* context)
{
    if (isThere(link, keys))
        co_return std::nullopt;
    if (!m_until)
        m_until = QDeadlineTimer(patienceMs);
    const QDeadlineTimer until = *m_until;
    const QPointer<Link> waited(&link);
    co_await pauseFor(0, context);
    while (waited && !isThere(*waited, keys)) {
        if (until.hasExpired())
            co_return Error{ErrorCode::NodeDown, nodeText(nodeOfKeys(*waited, keys))};
        co_await pauseFor(lookMs, context);
    }
    co_return std::nullopt; // other problems show in the reply
}

} // namespace lk
