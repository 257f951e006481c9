// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>

namespace lk {

// Files that other users may not read, and locks between programs. POSIX; elsewhere the rights are
// those of the folder, and a lock needs the system's own.

/// What the system's errno means for a file and what to do about it; translated, no full stop.
QString fileProblem(int error);

/// Makes a folder that the user alone may enter, and those above it. Errors: FileError.
Result<void> makePrivateFolder(const QString& path);

/// A lock between programs on one file, which ends with the program that holds it, however that
/// ends: nothing stale is left. Blocks.
class FileLock
{
public:
    /// Makes the file where it is missing; it stays.
    explicit FileLock(const QString& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    /// What became of lock().
    enum class Outcome : quint8 {
        Locked,
        Busy,         ///< another program holds it
        Inaccessible, ///< the file cannot be opened; error() says why
    };
    /// Waits at most so long (milliseconds) for another one.
    Outcome lock(int patienceMs);
    int error() const { return m_error; } ///< errno

private:
    int m_file = -1;
    int m_error = 0;
};

/// Appends whole lines to a file that the user alone may read, on the disk before it returns: made
/// if missing, its rights narrowed, a line that was left unfinished ended first. Returns errno; 0:
/// written.
int appendLines(const QString& path, QByteArray lines);

/// Reads a small file that its owner alone may read; one that is missing is made with this content,
/// by one program of several that try. Errors: FileError, also where others may read it.
Result<QByteArray> readOrMakePrivateFile(const QString& path, const QByteArray& content);

/// Gives a file another name, in place of one that has it. Returns errno; 0: done.
int replaceFile(const QString& from, const QString& to);

/// Sets the time of its last change to now.
void markChanged(const QString& path);

/// Identifies a file, so that a later one of its name is told apart; 0: it is not there.
quint64 fileIdentity(const QString& path);

} // namespace lk
