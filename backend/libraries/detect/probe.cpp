// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/detect/probe.h"

#include "backend/libraries/detect/probeanswer.h"

namespace lk::probecommands {

namespace {

// Runs for each of millions of keys: a braced list would copy the arguments once more.
template<typename... Args> Command made(Args&&... args)
{
    std::vector<QByteArray> all;
    all.reserve(sizeof...(args));
    (all.push_back(std::forward<Args>(args)), ...);
    return Command(std::move(all));
}

} // namespace

Command ttl(const QByteArray& key)
{
    return made(QByteArrayLiteral("PTTL"), key);
}

Command head(const QByteArray& key)
{
    static_assert(Probe::headLimit == 128);
    return made(QByteArrayLiteral("GETRANGE"), key, QByteArrayLiteral("0"),
                QByteArrayLiteral("127"));
}

Command lowestMembers(const QByteArray& key)
{
    static_assert(Probe::memberLimit == 16);
    return made(QByteArrayLiteral("ZRANGE"), key, QByteArrayLiteral("0"), QByteArrayLiteral("15"),
                QByteArrayLiteral("WITHSCORES"));
}

Command hashLength(const QByteArray& key)
{
    return {QByteArrayLiteral("HLEN"), key};
}

Command hashFields(const QByteArray& key, const std::vector<QByteArray>& fields)
{
    std::vector<QByteArray> args;
    args.reserve(fields.size() + 2);
    args.push_back(QByteArrayLiteral("HMGET"));
    args.push_back(key);
    args.insert(args.end(), fields.begin(), fields.end());
    return Command(std::move(args));
}

Command fieldNames(const QByteArray& key)
{
    static_assert(mostFieldNames == 32);
    return made(QByteArrayLiteral("HRANDFIELD"), key, QByteArrayLiteral("32"));
}

Command firstElement(const QByteArray& key)
{
    return {QByteArrayLiteral("LRANGE"), key, QByteArrayLiteral("0"), QByteArrayLiteral("0")};
}

Command lastElement(const QByteArray& key)
{
    return {QByteArrayLiteral("LRANGE"), key, QByteArrayLiteral("-1"), QByteArrayLiteral("-1")};
}

// A set with such a name lists the application's queues. Read more of it, since empty queues have
// no key of their own.
Command sampleMembers(const QByteArray& key)
{
    const bool lists = key == "queues" || key.endsWith(":queues");
    return {QByteArrayLiteral("SRANDMEMBER"), key, lists ? "100" : "4"};
}

Command streamGroups(const QByteArray& key)
{
    return {QByteArrayLiteral("XINFO"), QByteArrayLiteral("GROUPS"), key};
}

} // namespace lk::probecommands
