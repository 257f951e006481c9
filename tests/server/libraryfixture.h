// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "takensnapshot.h"

namespace lk::test {

/// Keys of a library that cannot be run here, written as its source writes them.
class LibraryFixture
{
public:
    LibraryFixture(RedisServer& server, QByteArray prefix)
        : nowMs(serverNowMs(server))
        , m_server(server)
        , m_prefix(std::move(prefix))
    {}

    const qint64 nowMs;
    QByteArray s(qint64 seconds) const { return QByteArray::number(nowMs / 1000 + seconds); }
    QByteArray ms(qint64 after) const { return QByteArray::number(nowMs + after); }
    QByteArray ns(qint64 seconds) const { return s(seconds) + "000000000"; }
    QByteArray key(const QByteArray& name) const { return m_prefix + name; }

    /// A command whose first argument is a key's name without the prefix.
    void run(const char* verb, const QByteArray& name, const std::vector<QByteArray>& args)
    {
        Command command{verb, key(name)};
        for (const QByteArray& arg : args)
            command << arg;
        const Reply reply = m_server.run(command);
        if (reply.isError())
            qFatal("%s %s: %s", verb, name.constData(), reply.text.constData());
    }

private:
    RedisServer& m_server;
    QByteArray m_prefix;
};

/// A message of Protocol Buffers: numbers and texts by field.
class ProtoMessage
{
public:
    ProtoMessage& number(int field, quint64 value)
    {
        varint(quint64(field) << 3);
        varint(value);
        return *this;
    }
    ProtoMessage& text(int field, const QByteArray& value)
    {
        varint(quint64(field) << 3 | 2);
        varint(quint64(value.size()));
        bytes += value;
        return *this;
    }
    QByteArray bytes;

private:
    void varint(quint64 value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes += char(value | 0x80);
        bytes += char(value);
    }
};

} // namespace lk::test
