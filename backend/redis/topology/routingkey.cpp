// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/routingkey.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lk {

namespace {

using Name = std::string_view;

// Sorted. They concern the server, a connection or all keys at once.
constexpr std::array keyless{
    Name("ACL"),          Name("ASKING"),    Name("AUTH"),       Name("CLIENT"),    Name("CLUSTER"),
    Name("COMMAND"),      Name("CONFIG"),    Name("DBSIZE"),     Name("ECHO"),      Name("EXEC"),
    Name("FAILOVER"),     Name("FLUSHALL"),  Name("FLUSHDB"),    Name("FUNCTION"),  Name("HELLO"),
    Name("INFO"),         Name("LASTSAVE"),  Name("LATENCY"),    Name("LOLWUT"),    Name("MODULE"),
    Name("MULTI"),        Name("PING"),      Name("PSUBSCRIBE"), Name("PUBLISH"),   Name("PUBSUB"),
    Name("PUNSUBSCRIBE"), Name("RANDOMKEY"), Name("ROLE"),       Name("SCAN"),      Name("SCRIPT"),
    Name("SELECT"),       Name("SENTINEL"),  Name("SLOWLOG"),    Name("SUBSCRIBE"), Name("TIME"),
    Name("UNSUBSCRIBE"),  Name("WAIT")};
static_assert(std::is_sorted(keyless.begin(), keyless.end()));

// Sorted. Their first argument is a subcommand or the number of keys.
constexpr std::array second{Name("OBJECT"), Name("SINTERCARD"), Name("XGROUP"),     Name("XINFO"),
                            Name("ZDIFF"),  Name("ZINTER"),     Name("ZINTERCARD"), Name("ZUNION")};
static_assert(std::is_sorted(second.begin(), second.end()));

// Sorted. Their arguments are a script, the number of keys, and the keys.
constexpr std::array scripts{Name("EVAL"),    Name("EVALSHA"), Name("EVALSHA_RO"),
                             Name("EVAL_RO"), Name("FCALL"),   Name("FCALL_RO")};
static_assert(std::is_sorted(scripts.begin(), scripts.end()));

template<size_t count> bool contains(const std::array<Name, count>& names, const QByteArray& name)
{
    return std::binary_search(names.begin(), names.end(),
                              Name(name.constData(), size_t(name.size())));
}

} // namespace

std::optional<QByteArray> routingKey(const Command& command)
{
    const std::vector<QByteArray>& args = command.args();
    const auto argument = [&args](size_t at) {
        return at < args.size() ? std::optional(args[at]) : std::nullopt;
    };
    if (args.size() < 2)
        return std::nullopt;
    const QByteArray name = args[0].toUpper();
    if (contains(keyless, name))
        return std::nullopt;
    if (name == "MEMORY")
        return args[1].toUpper() == "USAGE" ? argument(2) : std::nullopt;
    if (contains(scripts, name))
        return args.size() > 2 && args[2] != "0" ? argument(3) : std::nullopt;
    if (name == "XREAD" || name == "XREADGROUP") {
        const auto streams = std::find_if(args.begin(), args.end(), [](const QByteArray& arg) {
            return arg.compare("streams", Qt::CaseInsensitive) == 0;
        });
        return argument(size_t(streams - args.begin()) + 1);
    }
    return argument(contains(second, name) ? 2 : 1);
}

} // namespace lk
