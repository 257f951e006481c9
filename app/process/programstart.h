// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lk {

/// What a program was started with.
struct ProgramStart
{
    QStringList arguments; ///< without the program's name
    // The values of LOCKKEEPER_PASSWORD and LOCKKEEPER_UNDO_KEY; the environment has them no more.
    QString password;
    QString undoKey; ///< as fetchUndoKey() takes it
};

/// First thing in main(): prepares streams and folders, hides what other users could read (see
/// hiddenarguments.h) and names the application.
ProgramStart beginProgram(int argc, char** argv);

/// Becomes another program that begins with beginProgram(). Its arguments are these as they are
/// now, with secrets hidden, for all to see; what was really given comes over a pipe that only it
/// can read. Returns only if that did not work: errno.
int becomeProgram(const QString& path, int argc, char** argv, const ProgramStart& start);

} // namespace lk
