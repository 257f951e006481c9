// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/e2e/ownwarnings.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace lk::test {

inline QByteArray processStat(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    const QByteArray stat = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    return stat.mid(stat.lastIndexOf(')') + 2); // "S 1234 ...": state, parent
}

/// A zombie that was not reaped counts as ended.
inline bool runs(qint64 pid)
{
    const QByteArray stat = processStat(pid);
    return !stat.isEmpty() && !stat.startsWith('Z');
}

inline QByteArray commandLine(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QList<qint64> childrenOf(qint64 pid)
{
    QList<qint64> children;
    for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isNumber = false;
        const qint64 other = entry.toLongLong(&isNumber);
        if (isNumber && processStat(other).split(' ').value(1).toLongLong() == pid && runs(other))
            children << other;
    }
    return children;
}

/// A built program, by default the command line, as a user starts it: no display
/// unless one is given, settings and temporary files in a folder of its own. Ends with this object.
class Program final
{
public:
    explicit Program(const QString& path = QStringLiteral(LOCKKEEPER_PROGRAM))
        : m_path(path)
        , m_environment(QProcessEnvironment::systemEnvironment())
    {
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM",
                                 "LOCKKEEPER_PASSWORD", "LOCKKEEPER_UNDO_KEY", "XDG_RUNTIME_DIR"})
            m_environment.remove(QLatin1String(name));
        for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
                                 "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "TMPDIR"})
            set(name, m_home.path());
        set("DBUS_SESSION_BUS_ADDRESS", QStringLiteral("unix:path=/nonexistent/bus")); // no keyring
        nameWarnings(m_environment);
        process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    }
    static bool kernelKeepsKeys()
    {
        return ::syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 0) >= 0;
    }
    /// Denies the kernel's key storage, as a container does.
    void denyKernelKeys()
    {
        process.setChildProcessModifier([] {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            denyKernelKeysHere();
        });
    }
    /// Fails the test if the program has printed a warning about itself.
    ~Program()
    {
        process.kill();
        process.waitForFinished();
        if (m_started)
            failOnWarnings(err());
    }

    void set(const char* name, const QString& value)
    {
        m_environment.insert(QLatin1String(name), value);
    }
    bool start(const QStringList& arguments)
    {
        process.setProcessEnvironment(m_environment);
        process.start(m_path, arguments);
        return m_started = process.waitForStarted();
    }
    /// A line of sh in which "$@" is the program with these arguments.
    bool startInShell(const QString& line, const QStringList& arguments)
    {
        process.setProcessEnvironment(m_environment);
        process.start(QStringLiteral("/bin/sh"),
                      QStringList{QStringLiteral("-c"), line, QStringLiteral("sh"), m_path} +
                          arguments);
        return m_started = process.waitForStarted();
    }
    /// Lets the test's own servers answer meanwhile.
    bool waitForEnd(int patienceMs = 60'000)
    {
        return QTest::qWaitFor([this] { return process.state() == QProcess::NotRunning; },
                               patienceMs) &&
               process.exitStatus() == QProcess::NormalExit;
    }
    bool run(const QStringList& arguments) { return start(arguments) && waitForEnd(); }

    int exitCode() const { return process.exitCode(); }
    QByteArray out() { return m_out += process.readAllStandardOutput(); }
    QByteArray err() { return m_err += process.readAllStandardError(); }
    QString home() const { return m_home.path(); }

    QProcess process;

private:
    // Runs in a child that still shares this process's memory: nothing is allocated.
    static void denyKernelKeysHere()
    {
        sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_keyctl, 1, 0),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_add_key, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        const sock_fprog program{sizeof filter / sizeof *filter, filter};
        ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    }

    bool m_started = false;
    QTemporaryDir m_home{QDir::tempPath() + QStringLiteral("/lk-XXXXXX")};
    QString m_path;
    QProcessEnvironment m_environment;
    QByteArray m_out;
    QByteArray m_err;
};

} // namespace lk::test
