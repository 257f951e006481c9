// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/permissions/sentcommands.h"

#include "backend/core/kind.h"

#include <array>

namespace lk {

namespace {

constexpr quint8 bit(Kind kind)
{
    return quint8(1U << unsigned(kind));
}

constexpr quint8 limiters = bit(Kind::Limiter);
constexpr quint8 locks = bit(Kind::Lock);
constexpr quint8 queues = bit(Kind::Queue);
constexpr quint8 tokens = bit(Kind::Token);
constexpr quint8 patterns = bit(Kind::Pattern);
constexpr quint8 all = limiters | locks | queues | tokens | patterns;

using Use = CommandUse;

// .ci/sources compares both lists with the commands in the sources and scripts.
constexpr std::array reading{
    SentCommand{"PING", nullptr, "", Use::Greeting},
    SentCommand{"CLIENT", "SETNAME", "lockkeeper", Use::Greeting},
    SentCommand{"SELECT", nullptr, "0", Use::Database},
    SentCommand{"INFO", nullptr, "", Use::ServerFacts},
    SentCommand{"ROLE", nullptr, "", Use::ServerFacts},
    SentCommand{"CONFIG", "GET", "appendfsync", Use::Settings},
    SentCommand{"TIME", nullptr, "", Use::ServerTime},
    SentCommand{"SCAN", nullptr, "0", Use::Scanning},
    SentCommand{"DBSIZE", nullptr, "", Use::ScanSize},

    SentCommand{"TYPE", nullptr, "k", Use::Detecting, all},
    SentCommand{"PTTL", nullptr, "k", Use::Detecting, all},
    SentCommand{"GETRANGE", nullptr, "k 0 0", Use::Detecting, all},
    SentCommand{"HLEN", nullptr, "k", Use::Detecting, all},
    SentCommand{"HMGET", nullptr, "k f", Use::Detecting, all},
    SentCommand{"HRANDFIELD", nullptr, "k 1", Use::Detecting, limiters | locks | queues | tokens},
    SentCommand{"HPTTL", nullptr, "k FIELDS 1 f", Use::Reading, limiters | locks | tokens},
    SentCommand{"HSCAN", nullptr, "k 0", Use::Detecting, locks | queues},
    SentCommand{"LRANGE", nullptr, "k 0 0", Use::Detecting, limiters | locks | queues | patterns},
    SentCommand{"SRANDMEMBER", nullptr, "k 1", Use::Detecting, queues},
    SentCommand{"XINFO", "GROUPS", "k", Use::Detecting, queues},
    SentCommand{"ZRANGE", nullptr, "k 0 0", Use::Detecting, limiters | locks | queues | patterns},

    SentCommand{"BITCOUNT", nullptr, "k", Use::Reading, patterns},
    SentCommand{"EXISTS", nullptr, "k", Use::Reading, limiters | queues},
    SentCommand{"GET", nullptr, "k", Use::Reading, queues},
    SentCommand{"HEXISTS", nullptr, "k f", Use::Reading, queues},
    SentCommand{"HGET", nullptr, "k f", Use::Reading, locks | queues},
    SentCommand{"HKEYS", nullptr, "k", Use::Reading, queues},
    SentCommand{"HSTRLEN", nullptr, "k f", Use::Reading, queues},
    SentCommand{"LLEN", nullptr, "k", Use::Reading, limiters | locks | queues | patterns},
    SentCommand{"SCARD", nullptr, "k", Use::Reading, locks | queues},
    SentCommand{"SISMEMBER", nullptr, "k m", Use::Reading, queues},
    SentCommand{"SSCAN", nullptr, "k 0", Use::Reading, locks | queues},
    SentCommand{"STRLEN", nullptr, "k", Use::Reading, queues | tokens | patterns},
    SentCommand{"XINFO", "CONSUMERS", "k g", Use::Reading, queues},
    SentCommand{"XPENDING", nullptr, "k g", Use::Reading, queues},
    SentCommand{"XRANGE", nullptr, "k - + COUNT 1", Use::Reading, queues},
    SentCommand{"XREVRANGE", nullptr, "k + - COUNT 1", Use::Reading, queues},
    SentCommand{"ZCARD", nullptr, "k", Use::Reading, limiters | locks | queues | patterns},
    SentCommand{"ZCOUNT", nullptr, "k 0 1", Use::Reading, limiters | queues},
    SentCommand{"ZRANGEBYSCORE", nullptr, "k 0 1 LIMIT 0 1", Use::Reading, queues},
    SentCommand{"ZREVRANGE", nullptr, "k 0 0", Use::Reading, limiters | locks | queues},
    SentCommand{"ZSCORE", nullptr, "k m", Use::Reading, queues},

    SentCommand{"MEMORY", "USAGE", "k", Use::KeySizes},
    SentCommand{"CLIENT", "LIST", "TYPE normal", Use::Workers},
    SentCommand{"PUBSUB", "NUMPAT", "", Use::Workers},
    SentCommand{"CLIENT", "ID", "", Use::ChangeFeed},
    SentCommand{"CLIENT", "TRACKING", "OFF", Use::ChangeFeed},
    SentCommand{"SUBSCRIBE", nullptr, "__redis__:invalidate", Use::ChangeFeed},
    SentCommand{"PSUBSCRIBE", nullptr, "__keyspace@0__:k", Use::ChangeFeed},
    SentCommand{"PUNSUBSCRIBE", nullptr, "__keyspace@0__:k", Use::ChangeFeed},
    SentCommand{"CLIENT", "NO-TOUCH", "ON", Use::KeepUnused},
    SentCommand{"CLUSTER", "NODES", "", Use::ClusterMap},
    SentCommand{"CLUSTER", "SHARDS", "", Use::ClusterMap},
    SentCommand{"CLUSTER", "SLOTS", "", Use::ClusterMap},
    SentCommand{"CLUSTER", "MYID", "", Use::ClusterMap},
    SentCommand{"CLUSTER", "SLOT-STATS", "ORDERBY KEY-COUNT LIMIT 1", Use::SlotLoad},
    SentCommand{"ASKING", nullptr, "", Use::ClusterMap},
    SentCommand{"READONLY", nullptr, "", Use::ClusterMap},
    SentCommand{"COMMAND", "INFO", "ping", Use::Foresight},
    SentCommand{"ACL", "WHOAMI", "", Use::Foresight},
    SentCommand{"ACL", "DRYRUN", "default PING", Use::Foresight},
};

constexpr std::array acting{
    SentCommand{"EVALSHA", nullptr, "1 0", Use::Running},
    SentCommand{"EVAL", nullptr, "1 0", Use::Running},
    SentCommand{"DUMP", nullptr, "k", Use::Running},
    SentCommand{"PEXPIRETIME", nullptr, "k", Use::Undoing},
    SentCommand{"RESTORE", nullptr, "k 0 x", Use::Undoing},

    SentCommand{"HVALS", nullptr, "k", Use::Outcomes},
    SentCommand{"LINDEX", nullptr, "k 0", Use::Outcomes},
    SentCommand{"LPOS", nullptr, "k e", Use::Outcomes},
    SentCommand{"XINFO", "STREAM", "k", Use::Outcomes},

    SentCommand{"DECR", nullptr, "k", Use::Writing, queues},
    SentCommand{"DECRBY", nullptr, "k 1", Use::Writing, limiters},
    SentCommand{"DEL", nullptr, "k", Use::Writing, all},
    SentCommand{"HDEL", nullptr, "k f", Use::Writing, locks | queues},
    SentCommand{"HINCRBY", nullptr, "k f 1", Use::Writing, queues | tokens},
    SentCommand{"HSET", nullptr, "k f v", Use::Writing, limiters | locks | queues | tokens},
    SentCommand{"INCR", nullptr, "k", Use::Writing, queues},
    SentCommand{"INCRBY", nullptr, "k 1", Use::Writing, locks},
    SentCommand{"LINSERT", nullptr, "k BEFORE a b", Use::Writing, queues},
    SentCommand{"LPOP", nullptr, "k", Use::Writing, locks | queues},
    SentCommand{"LPUSH", nullptr, "k e", Use::Writing, locks | queues},
    SentCommand{"LREM", nullptr, "k 1 e", Use::Writing, queues},
    SentCommand{"PERSIST", nullptr, "k", Use::Writing, all},
    SentCommand{"PEXPIRE", nullptr, "k 1", Use::Writing, all},
    SentCommand{"PEXPIREAT", nullptr, "k 1", Use::Writing, locks},
    SentCommand{"PUBLISH", nullptr, "c m", Use::Writing, locks | queues},
    SentCommand{"RENAME", nullptr, "k k", Use::Writing, queues},
    SentCommand{"RPOPLPUSH", nullptr, "k k", Use::Writing, queues},
    SentCommand{"RPUSH", nullptr, "k e", Use::Writing, queues},
    SentCommand{"SADD", nullptr, "k m", Use::Writing, queues},
    SentCommand{"SET", nullptr, "k v", Use::Writing, limiters | locks | queues | tokens},
    SentCommand{"SPUBLISH", nullptr, "c m", Use::Writing, locks | queues},
    SentCommand{"SREM", nullptr, "k m", Use::Writing, locks | queues},
    SentCommand{"UNLINK", nullptr, "k", Use::Writing, all},
    SentCommand{"XACK", nullptr, "k g 1-1", Use::Writing, queues},
    SentCommand{"XADD", nullptr, "k * f v", Use::Writing, queues},
    SentCommand{"XDEL", nullptr, "k 1-1", Use::Writing, queues},
    SentCommand{"ZADD", nullptr, "k 1 m", Use::Writing, queues},
    SentCommand{"ZREM", nullptr, "k m", Use::Writing, locks | queues},
    SentCommand{"ZREMRANGEBYRANK", nullptr, "k 0 0", Use::Writing, limiters},
    SentCommand{"ZREMRANGEBYSCORE", nullptr, "k 0 0", Use::Writing, limiters},
};

} // namespace

std::span<const SentCommand> readingCommands()
{
    return reading;
}

std::span<const SentCommand> actingCommands()
{
    return acting;
}

QByteArray aclRule(const SentCommand& command)
{
    QByteArray rule = '+' + QByteArray(command.name).toLower();
    if (command.subcommand)
        rule += '|' + QByteArray(command.subcommand).toLower();
    return rule;
}

Command bareCommand(const SentCommand& command)
{
    Command bare{command.name};
    if (command.subcommand)
        bare << command.subcommand;
    return bare;
}

Command sampleOf(const SentCommand& command, const QByteArray& key)
{
    Command sample = bareCommand(command);
    for (const QByteArray& word : QByteArray(command.sample).split(' ')) {
        if (!word.isEmpty())
            sample << (word == "k" ? key : word);
    }
    return sample;
}

} // namespace lk
