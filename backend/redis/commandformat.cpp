// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/commandformat.h"

#include <algorithm>
#include <charconv>

namespace lk {

namespace {

constexpr qsizetype longestHeader = 24; // bytes

// "*3" or "$11" and the line's end: how many arguments, how many bytes.
char* writeHeader(char* out, char mark, qsizetype number)
{
    *out++ = mark;
    out = std::to_chars(out, out + longestHeader, number).ptr;
    *out++ = '\r';
    *out++ = '\n';
    return out;
}

// Not hiredis's own formatter: it measures and prints through printf into a buffer of its own, and
// a snapshot of 100,000 keys has 300,000 commands.
bool appendCommand(QByteArray& out, const Command& command)
{
    constexpr qsizetype largest = 512 * 1024 * 1024; // bytes; the server's default limit
    const auto count = qsizetype(command.args().size());
    qsizetype total = 0;
    for (const QByteArray& arg : command.args())
        total += arg.size();
    if (command.isEmpty() || total > largest)
        return false;
    const qsizetype before = out.size();
    out.resize(before + total + (count + 1) * (longestHeader + 2));
    char* end = writeHeader(out.data() + before, '*', count);
    for (const QByteArray& arg : command.args()) {
        end = writeHeader(end, '$', arg.size());
        end = std::copy(arg.begin(), arg.end(), end);
        *end++ = '\r';
        *end++ = '\n';
    }
    out.truncate(end - out.constData());
    return true;
}

} // namespace

bool appendCommands(QByteArray& out, const std::vector<Command>& commands)
{
    return std::all_of(commands.begin(), commands.end(),
                       [&out](const Command& command) { return appendCommand(out, command); });
}

} // namespace lk
