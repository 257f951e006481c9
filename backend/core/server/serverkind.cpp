// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/server/serverkind.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

template<typename Value> struct Name
{
    Value value;
    const char16_t* name;
};

constexpr std::array flavours{
    Name<Flavour>{Flavour::Redis, u"redis"}, Name<Flavour>{Flavour::Valkey, u"valkey"},
    Name<Flavour>{Flavour::KeyDb, u"keydb"}, Name<Flavour>{Flavour::Dragonfly, u"dragonfly"}};

constexpr std::array modes{Name<ServerMode>{ServerMode::Standalone, u"standalone"},
                           Name<ServerMode>{ServerMode::Sentinel, u"sentinel"},
                           Name<ServerMode>{ServerMode::Cluster, u"cluster"}};

constexpr std::array roles{Name<NodeRole>{NodeRole::Master, u"master"},
                           Name<NodeRole>{NodeRole::Replica, u"replica"},
                           Name<NodeRole>{NodeRole::ActiveReplica, u"active-replica"}};

template<typename Value, size_t count>
QString nameOf(const std::array<Name<Value>, count>& names, Value value)
{
    const auto it = std::ranges::find(names, value, &Name<Value>::value);
    return it == names.end() ? QString() : QStringView(it->name).toString();
}

template<typename Value, size_t count>
Value valueOf(const std::array<Name<Value>, count>& names, QStringView name)
{
    const auto it =
        std::ranges::find_if(names, [name](const auto& known) { return name == known.name; });
    return it == names.end() ? Value::Unknown : it->value;
}

} // namespace

QString flavourName(Flavour flavour)
{
    return nameOf(flavours, flavour);
}

QString serverModeName(ServerMode mode)
{
    return nameOf(modes, mode);
}

QString nodeRoleName(NodeRole role)
{
    return nameOf(roles, role);
}

Flavour flavourFromName(QStringView name)
{
    return valueOf(flavours, name);
}

ServerMode serverModeFromName(QStringView name)
{
    return valueOf(modes, name);
}

NodeRole nodeRoleFromName(QStringView name)
{
    return name == u"slave" ? NodeRole::Replica : valueOf(roles, name);
}

} // namespace lk
