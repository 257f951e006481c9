// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/streams.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace lk {

bool isTerminal(int file)
{
    return ::isatty(file) != 0;
}

void prepareStreams()
{
    std::signal(SIGPIPE, SIG_IGN);
    for (const int file : {standardInput, standardOutput, standardError}) {
        // The lowest number that is free is taken: that one.
        if (::fcntl(file, F_GETFD) == -1)
            ::open("/dev/null", O_RDONLY);
    }
}

qint64 writeSome(int file, const char* data, qint64 size, int& error)
{
    ssize_t written = 0;
    do {
        written = ::write(file, data, size_t(size));
    } while (written < 0 && errno == EINTR);
    if (written < 0)
        error = errno;
    return written;
}

bool isReaderGone(int error)
{
    return error == EPIPE;
}

} // namespace lk
