// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/planning/actionplace.h"

namespace lk {

namespace {

bool isNamedByAnother(const Link& link)
{
    return link.followsCluster() || link.url().deployment == ServerUrl::Deployment::Sentinel;
}

} // namespace

QString nodeOfKeys(Link& link, const std::vector<QByteArray>& keys)
{
    if (keys.empty() || !isNamedByAnother(link))
        return {};
    Link& node = link.nodeOf(keys.front());
    return &node == &link ? QString() : node.url().endpoint(); // no master is known yet
}

QStringList placesOf(Link& link)
{
    QStringList places{link.url().endpoint()};
    if (isNamedByAnother(link)) {
        for (const Link* node : link.dataNodes())
            places << node->url().endpoint();
    }
    return places;
}

QString nodeText(const QString& node)
{
    return node.section(QLatin1Char('/'), 0, -2);
}

} // namespace lk
