// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/output.h"

#include "app/process/exitcodes.h"
#include "backend/actions/journal/privatefiles.h"

#include <QCoreApplication>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Output)
};

constexpr qsizetype bufferBytes = 64 * 1024;

} // namespace

void tell(const QString& text)
{
    std::fputs(text.toUtf8().constData(), stderr);
}

void tellLine(const QString& text)
{
    tell(QStringLiteral("lockkeeper: ") + text + QLatin1Char('\n'));
}

void prepareStandardStreams()
{
    std::signal(SIGPIPE, SIG_IGN);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        // The lowest number that is free is taken: that one. Nothing can be written to it.
        if (::fcntl(file, F_GETFD) == -1)
            ::open("/dev/null", O_RDONLY);
    }
}

Output::Output(int file)
    : m_file(file)
{
    open(QIODevice::WriteOnly | QIODevice::Unbuffered);
}

Output::~Output()
{
    flush();
}

qint64 Output::writeData(const char* data, qint64 size)
{
    if (failed())
        return -1;
    m_buffer.append(data, size);
    if (m_buffer.size() >= bufferBytes && !flush())
        return -1;
    return size;
}

bool Output::flush()
{
    qsizetype done = 0;
    while (!failed() && done < m_buffer.size()) {
        const ssize_t written =
            ::write(m_file, m_buffer.constData() + done, size_t(m_buffer.size() - done));
        if (written >= 0)
            done += written;
        else if (errno != EINTR)
            m_error = errno;
    }
    m_buffer.clear();
    return !failed();
}

bool Output::readerLeft() const
{
    return m_error == EPIPE;
}

QString Output::problem() const
{
    return Text::tr("Standard output cannot be written: %1")
        .arg(readerLeft() ? Text::tr("its reader has exited") : fileProblem(m_error));
}

int Output::end(int code)
{
    if (flush() || readerLeft())
        return code;
    return reportError({ErrorCode::FileError, problem()});
}

} // namespace lk
