// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/nodewait.h"

#include "backend/acting/planning/actionplace.h"

#include <QPointer>
#include <QTimer>

namespace lk {

namespace {

constexpr int lookMs = 50;

struct Waiting
{
    QPointer<Link> link;
    std::vector<QByteArray> keys;
    QPointer<QObject> context;
    NodeWait::Handler then;
    QDeadlineTimer until;
};

void look(const std::shared_ptr<Waiting>& w)
{
    if (!w->link || NodeWait::isThere(*w->link, w->keys))
        return w->then(std::nullopt); // other problems show in the reply
    if (w->until.hasExpired())
        return w->then(Error{ErrorCode::NodeDown, nodeText(nodeOfKeys(*w->link, w->keys))});
    QTimer::singleShot(lookMs, w->context.data(), [w] { look(w); });
}

} // namespace

bool NodeWait::isThere(Link& link, const std::vector<QByteArray>& keys)
{
    return keys.empty() || !link.followsCluster() || link.nodeOf(keys.front()).isReady();
}

void NodeWait::await(Link& link, const std::vector<QByteArray>& keys, QObject* context,
                     Handler then)
{
    if (isThere(link, keys))
        return then(std::nullopt);
    if (!m_until)
        m_until = QDeadlineTimer(patienceMs);
    const auto w =
        std::make_shared<Waiting>(Waiting{&link, keys, context, std::move(then), *m_until});
    QTimer::singleShot(0, context, [w] { look(w); });
}

} // namespace lk
