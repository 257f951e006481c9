// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/server/capabilities.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace lk {

namespace {

struct Release
{
    int major = 0;
    int minor = 0;
    int patch = 0;
};

// Development builds report 255.255.255 and may contain anything.
constexpr Release unreleased{255, 0, 0};
constexpr Release never = unreleased;

// The first releases with a feature. KeyDB is a fork of Redis 6 and counts as Redis 6 in all its
// versions. The Dragonfly column applies to its releases from 1.11 on.
struct Row
{
    Feature feature;
    Release redis;
    Release valkey;
    Support keyDb;
    Support dragonfly;
};

constexpr Release first{0, 0, 0};
constexpr auto Yes = Support::Yes;
constexpr auto No = Support::No;
constexpr auto Unknown = Support::Unknown;

// clang-format off
constexpr std::array table{
    Row{Feature::NoTouch,        {7, 2, 0}, {7, 2, 0}, No,      No},
    Row{Feature::Acl,            {6, 0, 0}, first,     Yes,     Yes},
    Row{Feature::AclDryRun,      {7, 0, 0}, first,     No,      No},
    Row{Feature::Tracking,       {6, 0, 0}, first,     Yes,     No}, // Dragonfly: by RESP3 alone
    Row{Feature::KeyspaceEvents, first,     first,     Yes,     No}, // Dragonfly: of expiry alone
    Row{Feature::HashSample,     {6, 2, 0}, first,     Unknown, Yes},
    Row{Feature::ListPosition,   {6, 0, 6}, first,     Unknown, Yes},
    Row{Feature::StreamDetails,  {6, 0, 0}, first,     Yes,     Unknown},
    Row{Feature::ExpiryMoment,   {7, 0, 0}, first,     No,      Unknown},
    Row{Feature::FieldExpiry,    {7, 4, 0}, {9, 0, 0}, No,      Unknown},
    Row{Feature::ClusterShards,  {7, 0, 0}, first,     No,      Unknown},
    Row{Feature::SlotStats,      {8, 2, 0}, {8, 0, 0}, No,      No},
    Row{Feature::DeleteIfEqual,  never,     {9, 0, 0}, No,      No},
    Row{Feature::DeleteExtended, {8, 4, 0}, never,     No,      Unknown},
    Row{Feature::SetIfEqual,     {8, 4, 0}, {8, 1, 0}, No,      Unknown},
    Row{Feature::LuaModule,      never,     {9, 1, 0}, No,      No},
};
// clang-format on

struct Danger
{
    Flavour flavour;
    Feature feature;
    Release from;
    Release below;
};

// CLIENT NO-TOUCH: where a client in that mode pushes to a list on which another one blocks,
// lookupKey() follows a null pointer (redis/redis#14415, valkey-io/valkey#2347). It came with the
// first milestones of Redis 8 (numbered 7.9) and with Valkey 8.0.2; fixed in Redis 8.2.3,
// Valkey 8.1.4 and 9.0; no release of Valkey 8.0 is known to have the fix.
constexpr std::array dangers{
    Danger{Flavour::Redis, Feature::NoTouch, {7, 9, 0}, {8, 2, 3}},
    Danger{Flavour::Valkey, Feature::NoTouch, {8, 0, 0}, {8, 1, 4}},
};

// Called for every hash, so it creates no QVersionNumber.
bool isBefore(const QVersionNumber& number, const Release& release)
{
    const std::array<int, 3> of{number.majorVersion(), number.minorVersion(),
                                number.microVersion()};
    return of < std::array<int, 3>{release.major, release.minor, release.patch};
}

struct Needs
{
    std::string_view name;
    const char* argument; // the first one, for a subcommand; null: any
    Feature feature;
};

constexpr std::array needs{
    Needs{"ACL", "WHOAMI", Feature::Acl},
    Needs{"ACL", "CAT", Feature::Acl},
    Needs{"ACL", "GETUSER", Feature::Acl},
    Needs{"ACL", "DRYRUN", Feature::AclDryRun},
    Needs{"CLIENT", "NO-TOUCH", Feature::NoTouch},
    Needs{"CLIENT", "TRACKING", Feature::Tracking},
    Needs{"CLUSTER", "SHARDS", Feature::ClusterShards},
    Needs{"CLUSTER", "SLOT-STATS", Feature::SlotStats},
    Needs{"HRANDFIELD", nullptr, Feature::HashSample},
    Needs{"LPOS", nullptr, Feature::ListPosition},
    Needs{"EXPIRETIME", nullptr, Feature::ExpiryMoment},
    Needs{"PEXPIRETIME", nullptr, Feature::ExpiryMoment},
    Needs{"HTTL", nullptr, Feature::FieldExpiry},
    Needs{"HPTTL", nullptr, Feature::FieldExpiry},
    Needs{"HEXPIRETIME", nullptr, Feature::FieldExpiry},
    Needs{"HPEXPIRETIME", nullptr, Feature::FieldExpiry},
    Needs{"DELIFEQ", nullptr, Feature::DeleteIfEqual},
    Needs{"DELEX", nullptr, Feature::DeleteExtended},
};

constexpr quint32 letterOf(char c)
{
    return quint32(1) << (uchar(c) & 31); // upper and lower case alike
}

bool isWord(const QByteArray& argument, std::string_view word)
{
    // Nearly all are spelled as in the table.
    return size_t(argument.size()) == word.size() &&
           (std::memcmp(argument.constData(), word.data(), word.size()) == 0 ||
            qstrnicmp(argument.constData(), word.data(), word.size()) == 0);
}

// Checks length and first letter, which no other frequently sent command shares.
bool mayNeed(const QByteArray& name)
{
    static constexpr std::array letters = [] {
        std::array<quint32, 16> byLength{};
        for (const Needs& each : needs)
            byLength.at(each.name.size()) |= letterOf(each.name.front());
        for (const std::string_view further : {"XINFO", "SET"}) // see featureOf()
            byLength.at(further.size()) |= letterOf(further.front());
        return byLength;
    }();
    return !name.isEmpty() && size_t(name.size()) < letters.size() &&
           (letters[size_t(name.size())] & letterOf(name.front()));
}

// Other programs with this protocol also report a Redis version, for the sake of clients.
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

QString flavourTitle(Flavour flavour)
{
    switch (flavour) {
    case Flavour::Valkey:
        return QStringLiteral("Valkey");
    case Flavour::KeyDb:
        return QStringLiteral("KeyDB");
    case Flavour::Dragonfly:
        return QStringLiteral("Dragonfly");
    case Flavour::Redis:
    case Flavour::Unknown: // a server that reports only a version
        break;
    }
    return QStringLiteral("Redis");
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
    if (version.flavour == Flavour::Unknown || !isBefore(version.number, unreleased))
        return Unknown;
    for (const Danger& danger : dangers) {
        if (danger.flavour == version.flavour && danger.feature == feature &&
            !isBefore(version.number, danger.from) && isBefore(version.number, danger.below))
            return Support::Dangerous;
    }
    const auto* const row = std::find_if(table.begin(), table.end(),
                                         [feature](const Row& r) { return r.feature == feature; });
    switch (version.flavour) {
    case Flavour::Redis:
        return isBefore(version.number, row->redis) ? No : Yes;
    case Flavour::Valkey:
        return isBefore(version.number, row->valkey) ? No : Yes;
    case Flavour::KeyDb:
        return row->keyDb;
    case Flavour::Dragonfly:
        return version.number >= QVersionNumber(1, 11) ? row->dragonfly : Unknown;
    case Flavour::Unknown:
        break;
    }
    return Unknown;
}

bool lacksLuaEngine(const ServerInfo& info)
{
    return supportOf(serverVersion(info), Feature::LuaModule) == Yes && info.lacksModule("lua");
}

bool mayTry(const ServerVersion& version, Feature feature)
{
    const bool dangerous = std::any_of(dangers.begin(), dangers.end(),
                                       [feature](const Danger& d) { return d.feature == feature; });
    const Support support = supportOf(version, feature);
    return support == Yes || (support == Unknown && !dangerous);
}

std::optional<Feature> featureOf(const Command& command)
{
    if (command.isEmpty() || !mayNeed(command.args()[0]))
        return std::nullopt;
    const std::vector<QByteArray>& args = command.args();
    for (const Needs& each : needs) {
        if (isWord(args[0], each.name) &&
            (!each.argument || (args.size() > 1 && isWord(args[1], each.argument))))
            return each.feature;
    }
    // An option is among the arguments, which may be data too. Check only unambiguous positions.
    if (isWord(args[0], "XINFO") && args.size() > 3 && isWord(args[3], "FULL"))
        return Feature::StreamDetails;
    if (isWord(args[0], "SET") && args.size() > 4 && isWord(args[3], "IFEQ"))
        return Feature::SetIfEqual;
    return std::nullopt;
}

std::vector<size_t> lackingCommands(const ServerVersion& version,
                                    const std::vector<Command>& commands)
{
    std::vector<size_t> lacking;
    if (version.flavour == Flavour::Unknown)
        return lacking;
    std::optional<Feature> last; // nearly all in a batch are the same
    Support ofLast = Yes;
    for (size_t i = 0; i < commands.size(); ++i) {
        const std::optional<Feature> feature = featureOf(commands[i]);
        if (feature && feature != last) {
            last = feature;
            ofLast = supportOf(version, *feature);
        }
        const Support support = feature ? ofLast : Yes;
        if (support == No || support == Support::Dangerous)
            lacking.push_back(i);
    }
    return lacking;
}

Reply lackingReply(const Command& command)
{
    return Reply::error("ERR unknown command '" + command.args().front() + '\'');
}

} // namespace lk
