// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/programstart.h"

#include "app/process/hiddenarguments.h"
#include "app/process/output.h"
#include "app/process/processenvironment.h"

#include <QCoreApplication>
#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <unistd.h>
#include <vector>

namespace lk {

namespace {

const char* const pipeVariable = "LOCKKEEPER_ARGUMENTS_FD";

// The password and the arguments, with a zero byte between each and the next: none can hold one.
QByteArray packed(const ProgramStart& start)
{
    QByteArray bytes = start.password.toUtf8();
    for (const QString& argument : start.arguments)
        bytes += '\0' + argument.toUtf8();
    return bytes;
}

std::optional<ProgramStart> takeFromPipe()
{
    bool given = false;
    const int end = takeFromEnvironment(pipeVariable).toInt(&given);
    QFile pipe;
    if (!given || !pipe.open(end, QIODevice::ReadOnly, QFileDevice::AutoCloseHandle))
        return std::nullopt;
    const QList<QByteArray> fields = pipe.readAll().split('\0');
    ProgramStart start;
    start.password = QString::fromUtf8(fields.front());
    for (const QByteArray& argument : fields.mid(1))
        start.arguments << QString::fromUtf8(argument);
    return start;
}

} // namespace

ProgramStart beginProgram(int argc, char** argv)
{
    prepareStandardStreams();
    ignoreRelativeFolders();
    keepMemoryPrivate();
    ProgramStart start;
    start.password = takeFromEnvironment("LOCKKEEPER_PASSWORD");
    for (int i = 1; i < argc; ++i)
        start.arguments << QString::fromLocal8Bit(argv[i]);
    hideSecrets(argc, argv);
    if (const std::optional<ProgramStart> handed = takeFromPipe())
        start = *handed;
    QCoreApplication::setApplicationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setOrganizationName(QStringLiteral("lockkeeper"));
    QCoreApplication::setApplicationVersion(QStringLiteral(LOCKKEEPER_VERSION));
    return start;
}

int becomeProgram(const QString& path, int argc, char** argv, const ProgramStart& start)
{
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0)
        return errno;
    // All of it is written before anybody reads: what the pipe cannot hold is an error, not a wait.
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const QByteArray bytes = packed(start);
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

} // namespace lk
