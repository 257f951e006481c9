// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/output.h"

#include "app/process/exitcodes.h"
#include "backend/platform/files.h"
#include "backend/platform/streams.h"

#include <QCoreApplication>

#include <algorithm>
#include <cstdio>

namespace lk {

namespace {

struct OutputText
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
        done += std::max<qint64>(
            writeSome(m_file, m_buffer.constData() + done, m_buffer.size() - done, m_error), 0);
    }
    m_buffer.clear();
    return !failed();
}

bool Output::readerLeft() const
{
    return isReaderGone(m_error);
}

QString Output::problem() const
{
    return OutputText::tr("Standard output cannot be written: %1")
        .arg(readerLeft() ? OutputText::tr("its reader has exited") : fileProblem(m_error));
}

int Output::end(int code)
{
    if (flush() || readerLeft())
        return code;
    return reportError({ErrorCode::FileError, problem()});
}

} // namespace lk
