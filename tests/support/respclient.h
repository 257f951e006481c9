// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/protocol/replyreader.h"

#include <QLocalSocket>

namespace lk::test {

/// A blocking client over a unix socket, to write and read data. For tests only: it waits without
/// an event loop, and its only error is "no reply", which it returns as an error reply.
class RespClient final
{
public:
    explicit RespClient(const QString& socketPath);

    Reply run(const Command& command);
    std::vector<Reply> runAll(const std::vector<Command>& commands); ///< pipelined

    void write(const Command& command); ///< without waiting for the reply
    Reply read();

private:
    QLocalSocket m_socket;
    ReplyReader m_reader;
};

/// "HSET h field \"two words\"" as a command; \xNN is a byte, as displayName() writes it.
Command parseCommand(const QByteArray& line);

} // namespace lk::test
