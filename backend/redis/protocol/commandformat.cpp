// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/protocol/commandformat.h"

#include <hiredis/hiredis.h>

#include <algorithm>

namespace lk {

namespace {

bool appendCommand(QByteArray& out, const Command& command)
{
    constexpr qsizetype largest = 512 * 1024 * 1024; // bytes; the server's default limit
    std::vector<const char*> args;
    std::vector<size_t> sizes;
    args.reserve(command.args().size());
    sizes.reserve(command.args().size());
    qsizetype total = 0;
    for (const QByteArray& arg : command.args()) {
        args.push_back(arg.constData());
        sizes.push_back(size_t(arg.size()));
        total += arg.size();
    }
    if (command.isEmpty() || total > largest)
        return false;
    char* text = nullptr;
    const int size = redisFormatCommandArgv(&text, int(args.size()), args.data(), sizes.data());
    if (size < 0)
        return false;
    out.append(text, size);
    redisFreeCommand(text);
    return true;
}

} // namespace

bool appendCommands(QByteArray& out, const std::vector<Command>& commands)
{
    return std::all_of(commands.begin(), commands.end(),
                       [&out](const Command& command) { return appendCommand(out, command); });
}

} // namespace lk
