// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>

namespace lk {

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

} // namespace lk
