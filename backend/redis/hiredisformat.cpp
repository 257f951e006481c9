// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/hiredisformat.h"

#include <QVarLengthArray>

#include <hiredis/hiredis.h>

#include <algorithm>

namespace lk {

namespace {

bool appendCommand(QByteArray& out, const Command& command)
{
    constexpr qsizetype largest = 512 * 1024 * 1024; // bytes; the server's default limit
    QVarLengthArray<const char*, 16> bytes;
    QVarLengthArray<size_t, 16> sizes;
    qsizetype total = 0;
    for (const QByteArray& arg : command.args()) {
        bytes.append(arg.constData());
        sizes.append(size_t(arg.size()));
        total += arg.size();
    }
    if (command.isEmpty() || total > largest)
        return false;
    char* formatted = nullptr;
    const int length =
        redisFormatCommandArgv(&formatted, int(bytes.size()), bytes.data(), sizes.constData());
    if (length < 0)
        return false;
    out.append(formatted, length);
    redisFreeCommand(formatted);
    return true;
}

} // namespace

bool appendCommands(QByteArray& out, const std::vector<Command>& commands)
{
    return std::all_of(commands.begin(), commands.end(),
                       [&out](const Command& command) { return appendCommand(out, command); });
}

} // namespace lk
