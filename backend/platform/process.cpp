// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/platform/process.h"

#include <QFile>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pwd.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

namespace lk {

qint64 residentBytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toLongLong() * qint64(::sysconf(_SC_PAGESIZE));
}

qint64 physicalBytes()
{
    const qint64 pages = ::sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? pages * qint64(::sysconf(_SC_PAGESIZE)) : 0;
}

double cpuSeconds()
{
    rusage used{};
    if (::getrusage(RUSAGE_SELF, &used) != 0)
        return 0;
    const auto seconds = [](const timeval& t) {
        return double(t.tv_sec) + double(t.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void keepMemoryPrivate()
{
#ifdef Q_OS_LINUX
    ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

QString takeFromEnvironment(const char* name)
{
    char* value = std::getenv(name);
    if (!value)
        return {};
    const QString taken = QString::fromLocal8Bit(value);
    std::memset(value, 0, std::strlen(value));
    ::unsetenv(name);
    return taken;
}

QString userName()
{
    std::array<char, 16 * 1024> buffer{};
    struct passwd entry = {};
    struct passwd* found = nullptr;
    ::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found);
    return found && found->pw_name && *found->pw_name ? QString::fromLocal8Bit(found->pw_name)
                                                      : QStringLiteral("uid %1").arg(::getuid());
}

QByteArray pidNamespace()
{
    return QFile::symLinkTarget(QStringLiteral("/proc/self/ns/pid"))
        .section(QLatin1Char('['), 1)
        .chopped(1)
        .toLatin1();
}

bool isProcessAlive(qint64 pid)
{
    return ::kill(pid_t(pid), 0) == 0 || errno != ESRCH;
}

} // namespace lk
