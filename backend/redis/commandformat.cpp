// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/commandformat.h"

#include <algorithm>
#include <charconv>

namespace lk {

namespace {

// "*3" or "$11" and the line's end: how many arguments, how many bytes.
void appendHeader(QByteArray& out, char mark, qsizetype number)
{
    char digits[24];
    const char* end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(mark).append(digits, end - digits).append("\r\n", 2);
}

// Not hiredis's own formatter: it measures and prints through printf into a buffer of its own, and
// 300,000 commands of a snapshot cost four times as much.
bool appendCommand(QByteArray& out, const Command& command)
{
    constexpr qsizetype largest = 512 * 1024 * 1024; // bytes; the server's default limit
    qsizetype total = 0;
    for (const QByteArray& arg : command.args())
        total += arg.size();
    if (command.isEmpty() || total > largest)
        return false;
    appendHeader(out, '*', qsizetype(command.args().size()));
    for (const QByteArray& arg : command.args()) {
        appendHeader(out, '$', arg.size());
        out.append(arg).append("\r\n", 2);
    }
    return true;
}

} // namespace

bool appendCommands(QByteArray& out, const std::vector<Command>& commands)
{
    return std::all_of(commands.begin(), commands.end(),
                       [&out](const Command& command) { return appendCommand(out, command); });
}

} // namespace lk
