// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lk {

/// The arguments and secrets that a program was started with.
struct ProgramStart
{
    QStringList arguments; ///< without the program's name
    // The values of LOCKKEEPER_PASSWORD and LOCKKEEPER_UNDO_KEY; they are removed from the
    // environment.
    QString password;
    QString undoKey; ///< as fetchUndoKey() takes it
};

/// Call first in main(): prepares streams and folders, hides secrets from other users (see
/// hiddenarguments.h) and names the application.
ProgramStart beginProgram(int argc, char** argv);

/// Replaces this process by another program that begins with beginProgram(). Its visible arguments
/// are argv, with secrets hidden; the real ones come over a pipe that only it can read. Returns
/// only on failure: errno.
int becomeProgram(const QString& path, int argc, char** argv, const ProgramStart& start);

} // namespace lk
