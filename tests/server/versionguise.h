// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/guiseserver.h"

#include <QVersionNumber>

namespace lk::test {

/// Since when there is a command, by the documentation of each; null: in none so far.
struct Since
{
    const char* words;
    const char* redis;
    const char* valkey;
};

inline constexpr Since since[]{
    {"ACL", "6.0.0", "7.2.0"},
    {"ACL DRYRUN", "7.0.0", "7.2.0"},
    {"CLIENT TRACKING", "6.0.0", "7.2.0"},
    {"CLIENT TRACKINGINFO", "6.2.0", "7.2.0"},
    {"CLIENT GETREDIR", "6.0.0", "7.2.0"},
    {"CLIENT INFO", "6.2.0", "7.2.0"},
    {"CLIENT NO-TOUCH", "7.2.0", "7.2.0"},
    {"CLUSTER SHARDS", "7.0.0", "7.2.0"},
    {"CLUSTER SLOT-STATS", "8.2.0", "8.0.0"},
    {"COMMAND DOCS", "7.0.0", "7.2.0"},
    {"COMMAND LIST", "7.0.0", "7.2.0"},
    {"COPY", "6.2.0", "7.2.0"},
    {"DELEX", "8.4.0", nullptr},
    {"DELIFEQ", nullptr, "9.0.0"},
    {"EXPIRETIME", "7.0.0", "7.2.0"},
    {"FUNCTION", "7.0.0", "7.2.0"},
    {"GETDEL", "6.2.0", "7.2.0"},
    {"GETEX", "6.2.0", "7.2.0"},
    {"HELLO", "6.0.0", "7.2.0"},
    {"HEXPIRETIME", "7.4.0", "9.0.0"},
    {"HPEXPIRETIME", "7.4.0", "9.0.0"},
    {"HPTTL", "7.4.0", "9.0.0"},
    {"HRANDFIELD", "6.2.0", "7.2.0"},
    {"HTTL", "7.4.0", "9.0.0"},
    {"LATENCY HISTOGRAM", "7.0.0", "7.2.0"},
    {"LCS", "7.0.0", "7.2.0"},
    {"LMOVE", "6.2.0", "7.2.0"},
    {"LPOS", "6.0.6", "7.2.0"},
    {"PEXPIRETIME", "7.0.0", "7.2.0"},
    {"SET IFEQ", "8.4.0", "8.1.0"},
    {"SINTERCARD", "7.0.0", "7.2.0"},
    {"SMISMEMBER", "6.2.0", "7.2.0"},
    {"XINFO FULL", "6.0.0", "7.2.0"},
    {"ZINTERCARD", "7.0.0", "7.2.0"},
    {"ZMSCORE", "6.2.0", "7.2.0"},
    {"ZRANDMEMBER", "6.2.0", "7.2.0"},
};

inline QByteArrayList lackedBy(const QByteArray& version, const char* Since::*column)
{
    const auto number = QVersionNumber::fromString(QString::fromLatin1(version));
    QByteArrayList lacked;
    for (const Since& each : since) {
        const char* from = each.*column;
        if (!from || number < QVersionNumber::fromString(QString::fromLatin1(from)))
            lacked << each.words;
    }
    return lacked;
}

inline GuiseServer::Guise redisGuise(const char* version)
{
    return {QByteArray("redis_version:") + version, lackedBy(version, &Since::redis)};
}

inline GuiseServer::Guise valkeyGuise(const char* version)
{
    return {QByteArray("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:") + version,
            lackedBy(version, &Since::valkey)};
}

/// A fork of Redis 6.
inline GuiseServer::Guise keyDbGuise(const char* version)
{
    return {QByteArray("redis_version:") + version + "\r\nmvcc_depth:0",
            lackedBy("6.1.0", &Since::redis)};
}

} // namespace lk::test
