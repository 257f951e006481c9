// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/capabilities.h"

#include <array>

namespace lk {

namespace {

struct Release
{
    int major = 0;
    int minor = 0;
    int patch = 0;
};

struct Row
{
    Flavour flavour;
    Feature feature;
    Release from;
    Release below;
    Support support;
};

// Development builds call themselves 255.255.255: nobody knows what is in them.
constexpr Release unreleased{255, 0, 0};

// What is in no row is unknown.
//
// CLIENT NO-TOUCH: where a client in that mode pushes to a list on which another one blocks,
// lookupKey() follows a null pointer (redis/redis#14415, valkey-io/valkey#2347). It came with the
// first milestones of Redis 8 (numbered 7.9) and with Valkey 8.0.2; fixed in Redis 8.2.3,
// Valkey 8.1.4 and 9.0; no release of Valkey 8.0 is known to have the fix.
constexpr std::array table{
    Row{Flavour::Redis, Feature::NoTouch, {}, {7, 2, 0}, Support::No},
    Row{Flavour::Redis, Feature::NoTouch, {7, 2, 0}, {7, 9, 0}, Support::Yes},
    Row{Flavour::Redis, Feature::NoTouch, {7, 9, 0}, {8, 2, 3}, Support::Dangerous},
    Row{Flavour::Redis, Feature::NoTouch, {8, 2, 3}, unreleased, Support::Yes},
    Row{Flavour::Redis, Feature::Acl, {}, {6, 0, 0}, Support::No},
    Row{Flavour::Redis, Feature::Acl, {6, 0, 0}, unreleased, Support::Yes},
    Row{Flavour::Redis, Feature::AclDryRun, {}, {7, 0, 0}, Support::No},
    Row{Flavour::Redis, Feature::AclDryRun, {7, 0, 0}, unreleased, Support::Yes},

    Row{Flavour::Valkey, Feature::NoTouch, {7, 2, 0}, {8, 0, 0}, Support::Yes},
    Row{Flavour::Valkey, Feature::NoTouch, {8, 0, 0}, {8, 1, 4}, Support::Dangerous},
    Row{Flavour::Valkey, Feature::NoTouch, {8, 1, 4}, unreleased, Support::Yes},
    Row{Flavour::Valkey, Feature::Acl, {7, 2, 0}, unreleased, Support::Yes},
    Row{Flavour::Valkey, Feature::AclDryRun, {7, 2, 0}, unreleased, Support::Yes},

    // A fork of Redis 6.
    Row{Flavour::KeyDb, Feature::NoTouch, {}, {7, 0, 0}, Support::No},
    Row{Flavour::KeyDb, Feature::Acl, {6, 0, 0}, {7, 0, 0}, Support::Yes},
    Row{Flavour::KeyDb, Feature::AclDryRun, {}, {7, 0, 0}, Support::No},

    Row{Flavour::Dragonfly, Feature::Acl, {1, 11, 0}, unreleased, Support::Yes},
};

QVersionNumber numberOf(const Release& release)
{
    return {release.major, release.minor, release.patch};
}

// Others that speak the protocol name a Redis version, too, for the sake of clients.
Flavour flavourOf(const ServerInfo& info)
{
    for (const char* other :
         {"garnet_version", "kvrocks_version", "pika_version", "ardb_version"}) {
        if (!info.text(other).isEmpty())
            return Flavour::Unknown;
    }
    if (!info.text("dragonfly_version").isEmpty())
        return Flavour::Dragonfly;
    const QString name = info.text("server_name");
    if (!info.text("valkey_version").isEmpty())
        return name.isEmpty() || name == QLatin1String("valkey") ? Flavour::Valkey
                                                                 : Flavour::Unknown;
    if (!info.text("mvcc_depth").isEmpty() || name == QLatin1String("keydb"))
        return Flavour::KeyDb;
    const bool redis = name.isEmpty() || name == QLatin1String("redis");
    return redis && !info.version().isEmpty() ? Flavour::Redis : Flavour::Unknown;
}

} // namespace

QString flavourName(Flavour flavour)
{
    switch (flavour) {
    case Flavour::Redis:
        return QStringLiteral("redis");
    case Flavour::Valkey:
        return QStringLiteral("valkey");
    case Flavour::KeyDb:
        return QStringLiteral("keydb");
    case Flavour::Dragonfly:
        return QStringLiteral("dragonfly");
    case Flavour::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

QString versionText(const ServerInfo& info)
{
    switch (flavourOf(info)) {
    case Flavour::Valkey:
        return info.text("valkey_version");
    case Flavour::Dragonfly: // "df-v1.25.1"
        return info.text("dragonfly_version").remove(QLatin1String("df-")).remove(QLatin1Char('v'));
    case Flavour::Redis:
    case Flavour::KeyDb:
    case Flavour::Unknown:
        break;
    }
    return info.version();
}

ServerVersion serverVersion(const ServerInfo& info)
{
    const Flavour flavour = flavourOf(info);
    const QVersionNumber number = QVersionNumber::fromString(versionText(info));
    return number.isNull() || flavour == Flavour::Unknown ? ServerVersion()
                                                          : ServerVersion{flavour, number};
}

Support supportOf(const ServerVersion& version, Feature feature)
{
    if (version.flavour == Flavour::Unknown)
        return Support::Unknown;
    for (const Row& row : table) {
        if (row.flavour == version.flavour && row.feature == feature &&
            version.number >= numberOf(row.from) && version.number < numberOf(row.below))
            return row.support;
    }
    return Support::Unknown;
}

} // namespace lk
