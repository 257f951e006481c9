// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/files.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lk {

namespace {

struct PrivateFilesText
{
    Q_DECLARE_TR_FUNCTIONS(lk::PrivateFiles)
};

constexpr int askAgainMs = 5;

// A full disk takes a part first and tells with the next try. On failure errno says why.
bool writeAll(int file, const QByteArray& bytes)
{
    qsizetype done = 0;
    while (done < bytes.size()) {
        const ssize_t written =
            ::write(file, bytes.constData() + done, size_t(bytes.size() - done));
        if (written < 0 && errno != EINTR)
            return false;
        done += std::max<ssize_t>(written, 0);
    }
    return true;
}

} // namespace

QString fileProblem(int error)
{
    switch (error) {
    case EACCES:
    case EPERM:
        return PrivateFilesText::tr(
            "permission denied; check its owner and mode, or set XDG_DATA_HOME");
    case ENOSPC:
        return PrivateFilesText::tr("no space left on the device; free some and try again");
    case EDQUOT:
        return PrivateFilesText::tr("the disk quota is used up; free some space and try again");
    case EROFS:
        return PrivateFilesText::tr(
            "the file system is read-only; set XDG_DATA_HOME to a writable folder");
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

int appendLines(const QString& path, QByteArray lines)
{
    const int file = ::open(QFile::encodeName(path).constData(),
                            O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0)
        return errno;
    struct stat status = {};
    if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))
        ::fchmod(file, S_IRUSR | S_IWUSR); // also one that was opened up
    const off_t size = ::lseek(file, 0, SEEK_END);
    char last = '\n';
    if (size > 0 && ::pread(file, &last, 1, size - 1) == 1 && last != '\n')
        lines.prepend('\n');
    const int problem = writeAll(file, lines) && ::fsync(file) == 0 ? 0 : errno;
    ::close(file);
    return problem;
}

Result<QByteArray> readOrMakePrivateFile(const QString& path, const QByteArray& content)
{
    constexpr qsizetype mostBytes = 4096;
    const QByteArray name = QFile::encodeName(path);
    const auto problem = [&path](const QString& what) {
        return failure(ErrorCode::FileError, QStringLiteral("%1: %2").arg(path, what));
    };
    const int made = ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) {
        const bool written = writeAll(made, content) && ::fsync(made) == 0;
        const int error = errno;
        ::close(made);
        if (written)
            return content;
        ::unlink(name.constData());
        return problem(fileProblem(error));
    }
    const int file = errno == EEXIST ? ::open(name.constData(), O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return problem(fileProblem(errno));
    struct stat status = {};
    QByteArray bytes(mostBytes, '\0');
    const bool known = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const ssize_t size = known ? ::read(file, bytes.data(), size_t(bytes.size())) : 0;
    ::close(file);
    if (!known || size <= 0)
        return problem(PrivateFilesText::tr("it is no file with anything in it"));
    if ((status.st_mode & 077) != 0)
        return problem(PrivateFilesText::tr("other users may read it (chmod 600 mends that)"));
    bytes.truncate(size);
    return bytes;
}

int replaceFile(const QString& from, const QString& to)
{
    const bool done =
        ::rename(QFile::encodeName(from).constData(), QFile::encodeName(to).constData()) == 0;
    return done ? 0 : errno;
}

void markChanged(const QString& path)
{
    ::utimensat(AT_FDCWD, QFile::encodeName(path).constData(), nullptr, 0);
}

quint64 fileIdentity(const QString& path)
{
    struct stat found = {};
    return ::stat(QFile::encodeName(path).constData(), &found) == 0 ? quint64(found.st_ino) : 0;
}

} // namespace lk
