// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk::test {

/// One step from its plan to its undo. Texts are as parseCommand() and Timed have them; several
/// commands are separated by " | ".
struct Step
{
    const char* name = "";
    const char* layout = "";
    const char* primitive = "";
    QByteArray setup = {};
    const char* action = "";
    QByteArray values = {}; ///< "ttl=30s owner=a"
    QByteArray effect = {}; ///< commands that show the effect
    QByteArray seen = {};   ///< their replies as words
    qint64 count = 1;
    bool sameOrder = true; ///< undo brings back the very same, not only the same items
    bool undoable = true;
    bool found = false; ///< in a scan, by its name; else declared
};

} // namespace lk::test
