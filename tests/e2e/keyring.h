// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/prctl.h>

namespace lk::test {

/// A session bus with a keyring of its own, unlocked and empty. Ends with this object.
class Keyring final
{
public:
    ~Keyring()
    {
        for (QProcess* process : {&m_daemon, &m_bus}) {
            process->kill();
            process->waitForFinished();
        }
    }

    bool start()
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name :
             {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
            environment.insert(QLatin1String(name), m_home.path());
        for (QProcess* process : {&m_bus, &m_daemon})
            process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_bus.setProcessEnvironment(environment);
        m_bus.start(QStringLiteral("dbus-daemon"),
                    {QStringLiteral("--session"), QStringLiteral("--nofork"),
                     QStringLiteral("--print-address")});
        if (!m_bus.waitForStarted() || !m_bus.waitForReadyRead())
            return false;
        m_address = QString::fromLocal8Bit(m_bus.readLine()).trimmed();
        environment.insert(QStringLiteral("DBUS_SESSION_BUS_ADDRESS"), m_address);
        m_daemon.setProcessEnvironment(environment);
        m_daemon.start(QStringLiteral("gnome-keyring-daemon"),
                       {QStringLiteral("--foreground"), QStringLiteral("--unlock"),
                        QStringLiteral("--components=secrets")});
        if (!m_daemon.waitForStarted())
            return false;
        m_daemon.write("a test");
        m_daemon.closeWriteChannel();
        return QTest::qWaitFor([&] { return isThere(environment); }, 20'000);
    }
    /// For DBUS_SESSION_BUS_ADDRESS.
    QString address() const { return m_address; }

private:
    static bool isThere(const QProcessEnvironment& environment)
    {
        QProcess asks;
        asks.setProcessEnvironment(environment);
        asks.start(QStringLiteral("dbus-send"),
                   {QStringLiteral("--session"), QStringLiteral("--print-reply"),
                    QStringLiteral("--dest=org.freedesktop.DBus"), QStringLiteral("/"),
                    QStringLiteral("org.freedesktop.DBus.NameHasOwner"),
                    QStringLiteral("string:org.freedesktop.secrets")});
        return asks.waitForFinished() && asks.readAllStandardOutput().contains("boolean true");
    }

    QTemporaryDir m_home{QDir::tempPath() + QStringLiteral("/lk-XXXXXX")};
    QProcess m_bus;
    QProcess m_daemon;
    QString m_address;
};

} // namespace lk::test
