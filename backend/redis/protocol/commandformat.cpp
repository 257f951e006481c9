// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/commandformat.h"

#include <charconv>
#include <cstring>
#include <optional>

namespace lk {

namespace {

constexpr qsizetype largest = 512 * 1024 * 1024; // bytes; the server's default limit
constexpr qsizetype longestHeader = 24;          // "$" or "*", a number, CR LF

// Upper bound of the command's size. Empty if no server would accept it.
std::optional<qsizetype> roomFor(const Command& command)
{
    qsizetype bytes = 0;
    for (const QByteArray& arg : command.args())
        bytes += arg.size();
    if (command.isEmpty() || bytes > largest)
        return std::nullopt;
    const auto headers = qsizetype(command.args().size()) + 1;
    return bytes + headers * longestHeader + (headers - 1) * 2;
}

char* putHeader(char* to, char type, qsizetype number)
{
    *to++ = type;
    to = std::to_chars(to, to + longestHeader - 3, number).ptr;
    *to++ = '\r';
    *to++ = '\n';
    return to;
}

char* put(char* to, const Command& command)
{
    to = putHeader(to, '*', qsizetype(command.args().size()));
    for (const QByteArray& arg : command.args()) {
        to = putHeader(to, '$', arg.size());
        std::memcpy(to, arg.constData(), size_t(arg.size()));
        to += arg.size();
        *to++ = '\r';
        *to++ = '\n';
    }
    return to;
}

} // namespace

// Does not use redisFormatCommandArgv(), which prints each number and allocates each command. A
// scan sends three commands for every key.
bool appendCommands(QByteArray& out, const std::vector<Command>& commands)
{
    qsizetype room = 0;
    for (const Command& command : commands) {
        const std::optional<qsizetype> more = roomFor(command);
        if (!more)
            return false;
        room += *more;
    }
    const qsizetype before = out.size();
    out.resize(before + room);
    char* to = out.data() + before;
    for (const Command& command : commands)
        to = put(to, command);
    out.truncate(to - out.constData());
    return true;
}

} // namespace lk
