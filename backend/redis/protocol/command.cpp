// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/command.h"

#include "backend/core/names/keyname.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace lk {

namespace {

using Name = std::string_view;

// Sorted. None of these changes data, configuration or other clients. Left out although they may
// only read: EVAL_RO and FCALL_RO (a script may run for long), SORT (may store), KEYS and MONITOR
// (the console never sends them), GETEX, PFCOUNT and TOUCH (they change the key).
constexpr std::array readers{Name("ASKING"),
                             Name("BITCOUNT"),
                             Name("BITFIELD_RO"),
                             Name("BITPOS"),
                             Name("DBSIZE"),
                             Name("DUMP"),
                             Name("ECHO"),
                             Name("EXISTS"),
                             Name("EXPIRETIME"),
                             Name("GEODIST"),
                             Name("GEOHASH"),
                             Name("GEOPOS"),
                             Name("GEORADIUSBYMEMBER_RO"),
                             Name("GEORADIUS_RO"),
                             Name("GEOSEARCH"),
                             Name("GET"),
                             Name("GETBIT"),
                             Name("GETRANGE"),
                             Name("HEXISTS"),
                             Name("HEXPIRETIME"),
                             Name("HGET"),
                             Name("HGETALL"),
                             Name("HKEYS"),
                             Name("HLEN"),
                             Name("HMGET"),
                             Name("HPEXPIRETIME"),
                             Name("HPTTL"),
                             Name("HRANDFIELD"),
                             Name("HSCAN"),
                             Name("HSTRLEN"),
                             Name("HTTL"),
                             Name("HVALS"),
                             Name("INFO"),
                             Name("LASTSAVE"),
                             Name("LCS"),
                             Name("LINDEX"),
                             Name("LLEN"),
                             Name("LOLWUT"),
                             Name("LPOS"),
                             Name("LRANGE"),
                             Name("MGET"),
                             Name("PEXPIRETIME"),
                             Name("PING"),
                             Name("PSUBSCRIBE"),
                             Name("PTTL"),
                             Name("PUNSUBSCRIBE"),
                             Name("RANDOMKEY"),
                             Name("ROLE"),
                             Name("SCAN"),
                             Name("SCARD"),
                             Name("SDIFF"),
                             Name("SINTER"),
                             Name("SINTERCARD"),
                             Name("SISMEMBER"),
                             Name("SMEMBERS"),
                             Name("SMISMEMBER"),
                             Name("SORT_RO"),
                             Name("SRANDMEMBER"),
                             Name("SSCAN"),
                             Name("STRLEN"),
                             Name("SUBSCRIBE"),
                             Name("SUBSTR"),
                             Name("SUNION"),
                             Name("TIME"),
                             Name("TTL"),
                             Name("TYPE"),
                             Name("UNSUBSCRIBE"),
                             Name("XLEN"),
                             Name("XPENDING"),
                             Name("XRANGE"),
                             Name("XREAD"),
                             Name("XREVRANGE"),
                             Name("ZCARD"),
                             Name("ZCOUNT"),
                             Name("ZDIFF"),
                             Name("ZINTER"),
                             Name("ZINTERCARD"),
                             Name("ZLEXCOUNT"),
                             Name("ZMSCORE"),
                             Name("ZRANDMEMBER"),
                             Name("ZRANGE"),
                             Name("ZRANGEBYLEX"),
                             Name("ZRANGEBYSCORE"),
                             Name("ZRANK"),
                             Name("ZREVRANGE"),
                             Name("ZREVRANGEBYLEX"),
                             Name("ZREVRANGEBYSCORE"),
                             Name("ZREVRANK"),
                             Name("ZSCAN"),
                             Name("ZSCORE"),
                             Name("ZUNION")};
static_assert(std::is_sorted(readers.begin(), readers.end()));

struct Subcommand
{
    Name name;
    Name subcommand;
    auto operator<=>(const Subcommand&) const = default;
};

// Sorted. Those of CLIENT concern our own connection, or only read. Only the handshake sends
// NO-TOUCH: some servers do not survive it.
constexpr std::array subcommands{Subcommand{"ACL", "CAT"},
                                 Subcommand{"ACL", "DRYRUN"},
                                 Subcommand{"ACL", "WHOAMI"},
                                 Subcommand{"CLIENT", "GETNAME"},
                                 Subcommand{"CLIENT", "GETREDIR"},
                                 Subcommand{"CLIENT", "ID"},
                                 Subcommand{"CLIENT", "INFO"},
                                 Subcommand{"CLIENT", "LIST"},
                                 Subcommand{"CLIENT", "SETNAME"},
                                 Subcommand{"CLIENT", "TRACKING"},
                                 Subcommand{"CLIENT", "TRACKINGINFO"},
                                 Subcommand{"CLUSTER", "INFO"},
                                 Subcommand{"CLUSTER", "KEYSLOT"},
                                 Subcommand{"CLUSTER", "MYID"},
                                 Subcommand{"CLUSTER", "NODES"},
                                 Subcommand{"CLUSTER", "SHARDS"},
                                 Subcommand{"CLUSTER", "SLOT-STATS"},
                                 Subcommand{"CLUSTER", "SLOTS"},
                                 Subcommand{"COMMAND", "COUNT"},
                                 Subcommand{"COMMAND", "DOCS"},
                                 Subcommand{"COMMAND", "GETKEYS"},
                                 Subcommand{"COMMAND", "INFO"},
                                 Subcommand{"COMMAND", "LIST"},
                                 Subcommand{"CONFIG", "GET"},
                                 Subcommand{"FUNCTION", "LIST"},
                                 Subcommand{"FUNCTION", "STATS"},
                                 Subcommand{"LATENCY", "HISTOGRAM"},
                                 Subcommand{"LATENCY", "HISTORY"},
                                 Subcommand{"LATENCY", "LATEST"},
                                 Subcommand{"MEMORY", "STATS"},
                                 Subcommand{"MEMORY", "USAGE"},
                                 Subcommand{"MODULE", "LIST"},
                                 Subcommand{"OBJECT", "ENCODING"},
                                 Subcommand{"OBJECT", "FREQ"},
                                 Subcommand{"OBJECT", "IDLETIME"},
                                 Subcommand{"OBJECT", "REFCOUNT"},
                                 Subcommand{"PUBSUB", "CHANNELS"},
                                 Subcommand{"PUBSUB", "NUMPAT"},
                                 Subcommand{"PUBSUB", "NUMSUB"},
                                 Subcommand{"SCRIPT", "EXISTS"},
                                 Subcommand{"SENTINEL", "GET-MASTER-ADDR-BY-NAME"},
                                 Subcommand{"SENTINEL", "MASTER"},
                                 Subcommand{"SENTINEL", "MYID"},
                                 Subcommand{"SENTINEL", "SENTINELS"},
                                 Subcommand{"SLOWLOG", "GET"},
                                 Subcommand{"SLOWLOG", "LEN"},
                                 Subcommand{"XINFO", "CONSUMERS"},
                                 Subcommand{"XINFO", "GROUPS"},
                                 Subcommand{"XINFO", "STREAM"}};
static_assert(std::is_sorted(subcommands.begin(), subcommands.end()));

Name view(const QByteArray& bytes)
{
    return {bytes.constData(), size_t(bytes.size())};
}

bool isReader(Name name)
{
    return std::binary_search(readers.begin(), readers.end(), name);
}

QString displayArgument(const QByteArray& arg)
{
    constexpr int longest = 120; // characters
    QString shown = displayPreview(arg, longest);
    if (!shown.isEmpty() && !shown.contains(QLatin1Char(' ')) && !shown.contains(QLatin1Char('"')))
        return shown;
    // displayName() returns no bare backslash, so this one is unambiguous.
    shown.replace(QLatin1Char('"'), QLatin1String("\\\""));
    return QLatin1Char('"') + shown + QLatin1Char('"');
}

} // namespace

QString Command::display() const
{
    QStringList parts;
    for (const QByteArray& arg : m_args) {
        parts << displayArgument(arg);
        const QByteArray name = m_args.front().toUpper();
        if (m_args.size() > 1 && (name == "AUTH" || name == "HELLO"))
            return parts.first() + QLatin1String(" ***");
    }
    return parts.join(QLatin1Char(' '));
}

bool areReadOnly(const std::vector<Command>& commands)
{
    Name last; // most commands repeat one of the previous two
    Name before;
    return std::all_of(commands.begin(), commands.end(), [&](const Command& command) {
        const Name name = command.isEmpty() ? Name() : view(command.args()[0]);
        if (!name.empty() && (name == last || name == before))
            return true;
        if (!isReadOnly(command))
            return false;
        if (isReader(name))
            before = std::exchange(last, name);
        return true;
    });
}

bool isReadOnly(const Command& command)
{
    if (command.isEmpty())
        return false;
    // Runs for every command sent. Nearly all are spelled as in the list.
    if (isReader(view(command.args()[0])))
        return true;
    const QByteArray name = command.args()[0].toUpper();
    if (isReader(view(name)))
        return true;
    if (command.args().size() < 2)
        return false;
    const QByteArray subcommand = command.args()[1].toUpper();
    return std::binary_search(subcommands.begin(), subcommands.end(),
                              Subcommand{view(name), view(subcommand)});
}

} // namespace lk
