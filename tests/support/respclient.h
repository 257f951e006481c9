// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"
#include "backend/redis/protocol/reply.h"
#include "backend/redis/protocol/replyreader.h"

#include <QLocalSocket>

namespace lk::test {

/// A blocking client over a unix socket, to fill data and to look at it. For tests only: it waits
/// without an event loop and knows no errors but "no reply", which it answers as an error reply.
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
