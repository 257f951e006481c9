// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/protocol/command.h"

#include <QByteArrayList>

namespace lk::test {

/// Keys of one kind as applications have them, by the commands that write them.
struct KeyKind
{
    QByteArray title;
    std::vector<Command> commands;
    QByteArrayList keys;
};

/// Keys that look like a limiter, lock, queue or token by name or content, but are none.
/// Times in it are relative to nowMs.
std::vector<KeyKind> lookAlikes(qint64 nowMs);

/// Keys that are one although the name says little. Each kind's title is the layout that detects
/// it.
std::vector<KeyKind> inconspicuous(qint64 nowMs);

} // namespace lk::test
