// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/journal/privatefiles.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::PrivateFiles)
};

constexpr int askAgainMs = 5;

} // namespace

QString fileProblem(int error)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return Text::tr("permission denied; check its owner and mode, or set XDG_DATA_HOME");
    case ENOSPC:
        return Text::tr("no space left on the device; free some and try again");
    case EDQUOT:
        return Text::tr("the disk quota is used up; free some space and try again");
    case EROFS:
        return Text::tr("the file system is read-only; set XDG_DATA_HOME to a writable folder");
    default:
        return qt_error_string(error);
    }
}

Result<void> makePrivateFolder(const QString& path)
{
    std::error_code problem;
    const std::filesystem::path folder(QFile::encodeName(path).toStdString());
    std::filesystem::create_directories(folder, problem);
    if (problem)
        return failure(ErrorCode::FileError,
                       QStringLiteral("%1: %2").arg(path, fileProblem(problem.value())));
    ::chmod(folder.c_str(), S_IRWXU);
    return {};
}

FileLock::FileLock(const QString& path)
{
    const QByteArray name = QFile::encodeName(path);
    m_file = ::open(name.constData(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (m_file < 0)
        m_error = errno;
}

FileLock::~FileLock()
{
    if (m_file >= 0)
        ::close(m_file); // and with it the lock
}

FileLock::Outcome FileLock::lock(int patienceMs)
{
    if (m_file < 0)
        return Outcome::Inaccessible;
    QElapsedTimer waited;
    waited.start();
    while (::flock(m_file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            m_error = errno;
            return Outcome::Inaccessible;
        }
        if (waited.elapsed() >= patienceMs)
            return Outcome::Busy;
        QThread::msleep(askAgainMs);
    }
    return Outcome::Locked;
}

} // namespace lk
