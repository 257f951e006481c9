// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/probe.h"

namespace lk::probecommands {

Command ttl(const QByteArray& key)
{
    return {QByteArrayLiteral("PTTL"), key};
}

Command head(const QByteArray& key)
{
    static_assert(Probe::headLimit == 128);
    return {QByteArrayLiteral("GETRANGE"), key, QByteArrayLiteral("0"), QByteArrayLiteral("127")};
}

Command lowestMembers(const QByteArray& key)
{
    static_assert(Probe::memberLimit == 16);
    return {QByteArrayLiteral("ZRANGE"), key, QByteArrayLiteral("0"), QByteArrayLiteral("15"),
            QByteArrayLiteral("WITHSCORES")};
}

Command hashLength(const QByteArray& key)
{
    return {QByteArrayLiteral("HLEN"), key};
}

Command hashFields(const QByteArray& key, const std::vector<QByteArray>& fields)
{
    Command command{QByteArrayLiteral("HMGET"), key};
    for (const QByteArray& field : fields)
        command << field;
    return command;
}

} // namespace lk::probecommands
