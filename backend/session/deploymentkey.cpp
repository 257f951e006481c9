// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/deploymentkey.h"

#include <algorithm>

namespace lk {

namespace {

QByteArray nodeName(const QString& address, int database)
{
    return QStringLiteral("redis:%1/%2").arg(address).arg(database).toUtf8();
}

// Only Valkey 9 clusters have databases other than 0.
QByteArray clusterName(const QString& address, int database)
{
    const QByteArray name = "cluster:" + address.toUtf8();
    return database == 0 ? name : name + '/' + QByteArray::number(database);
}

QByteArray sentinelName(const ServerUrl& url, const QString& address)
{
    return QStringLiteral("sentinel:%1/%2@%3")
        .arg(url.masterName)
        .arg(url.database)
        .arg(address)
        .toUtf8();
}

QStringList addressesOf(const ServerUrl& url)
{
    QStringList all;
    if (url.scheme == ServerUrl::Scheme::Unix) {
        all << url.path;
    } else {
        for (const ServerUrl::Address& address : url.addresses())
            all << address.text();
    }
    // Behind a jump host the same address is a different server.
    if (!url.sshJump.isEmpty()) {
        const QString host = url.sshJump.section(QLatin1Char('@'), -1);
        for (QString& address : all)
            address += QStringLiteral("@ssh:") + host;
    }
    all.sort();
    return all;
}

} // namespace

RecordedDeployment recordedDeployment(const ServerUrl& url, const ClusterMap* map,
                                      const QString& title)
{
    QByteArrayList names;
    QStringList addresses = addressesOf(url);
    if (url.deployment == ServerUrl::Deployment::Sentinel) {
        for (const QString& address : addresses)
            names << sentinelName(url, address);
    } else if (map) {
        QStringList announced;
        for (const ClusterMap::Node& master : map->masters()) {
            announced << master.endpoint;
            for (const ClusterMap::Replica& replica : master.replicas)
                announced << replica.address.endpoint;
        }
        announced.sort();
        announced += addresses;
        announced.removeDuplicates();
        for (const QString& address : announced) {
            if (!address.isEmpty())
                names << clusterName(address, url.database);
        }
    } else {
        names << nodeName(addresses.front(), url.database);
    }
    return {names.front(), names.mid(1), title.isEmpty() ? url.endpoint() : title};
}

QByteArrayList deploymentNames(const ServerUrl& url)
{
    QByteArrayList names;
    for (const QString& address : addressesOf(url)) {
        if (url.deployment == ServerUrl::Deployment::Sentinel) {
            names << sentinelName(url, address);
            continue;
        }
        if (url.deployment != ServerUrl::Deployment::Node)
            names << clusterName(address, url.database);
        if (url.deployment != ServerUrl::Deployment::Cluster)
            names << nodeName(address, url.database);
    }
    return names;
}

} // namespace lk
