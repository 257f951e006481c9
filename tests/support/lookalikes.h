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

/// What is no limiter, lock, queue or token although its name or its content looks like one.
/// Times in it are relative to nowMs.
std::vector<KeyKind> lookAlikes(qint64 nowMs);

/// What is one although its name says little. Each kind's title is the layout that detects it.
std::vector<KeyKind> inconspicuous(qint64 nowMs);

} // namespace lk::test
