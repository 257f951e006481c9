// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

// The standard streams of a process. POSIX.

/// Files of the standard streams.
constexpr int standardInput = 0;
constexpr int standardOutput = 1;
constexpr int standardError = 2;

/// True if a person reads or writes there.
bool isTerminal(int file);

/// Opens those of the three that the process was started without, so that no other file takes their
/// place: nothing can be written to them. A reader that leaves is an error of write() from then on
/// and ends nothing.
void prepareStreams();

/// Writes what the file takes now. Returns the number of bytes; -1 on failure, and error is errno
/// then.
qint64 writeSome(int file, const char* data, qint64 size, int& error);
/// True if that error says that the reader has left.
bool isReaderGone(int error);

} // namespace lk
