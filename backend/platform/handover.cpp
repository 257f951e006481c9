// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/handover.h"

#include "backend/platform/process.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace lk {

namespace {

const char* const pipeVariable = "LOCKKEEPER_ARGUMENTS_FD";

} // namespace

int becomeProgram(const QString& path, int argc, char** argv, const QByteArray& bytes)
{
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0)
        return errno;
    // All of it is written before it is read: what the pipe cannot hold is an error, not a wait.
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const bool whole = ::write(ends[1], bytes.constData(), size_t(bytes.size())) == bytes.size();
    int failed = whole ? 0 : E2BIG;
    ::close(ends[1]);
    if (whole) {
        const QByteArray program = QFile::encodeName(path);
        std::vector<const char*> words{program.constData()};
        words.insert(words.end(), argv + 1, argv + argc);
        words.push_back(nullptr);
        qputenv(pipeVariable, QByteArray::number(ends[0]));
        ::execv(program.constData(), const_cast<char* const*>(words.data()));
        failed = errno;
        qunsetenv(pipeVariable);
    }
    ::close(ends[0]);
    return failed;
}

QByteArray takeHandedOver()
{
    bool given = false;
    const int end = takeFromEnvironment(pipeVariable).toInt(&given);
    QFile pipe;
    if (!given || !pipe.open(end, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle))
        return {};
    return pipe.readAll();
}

} // namespace lk
