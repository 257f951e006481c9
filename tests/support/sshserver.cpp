// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sshserver.h"

#include "tests/support/freeport.h"

#include <QDir>
#include <QFile>

#include <csignal>
#include <pwd.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace lk::test {

namespace {

const QString sshd = QStringLiteral("/usr/sbin/sshd"); // it insists on being started by its path

// The pid of the process that started it; 0 where it is gone or another program.
qint64 parentOfSsh(const QString& pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray stat = file.readAll(); // "123 (ssh) S 122 ..."
    const qsizetype end = stat.lastIndexOf(')');
    const QByteArrayList rest = stat.mid(end + 2).split(' ');
    return stat.contains("(ssh)") && rest.size() > 1 && rest[0] != "Z" ? rest[1].toLongLong() : 0;
}

} // namespace

SshServer::~SshServer()
{
    stop();
}

bool SshServer::write(const char* name, const QByteArray& text)
{
    QFile f(file(name));
    return f.open(QIODevice::WriteOnly) && f.write(text) == text.size() &&
           f.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

bool SshServer::makeKey(const char* name)
{
    return QProcess::execute(QStringLiteral("ssh-keygen"),
                             {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                              QStringLiteral("-N"), QString(), QStringLiteral("-f"), file(name)}) ==
           0;
}

bool SshServer::start()
{
    if (!makeKey("host") || !makeKey("user") || !makeKey("other"))
        return false;
    m_port = freePort();
    QFile hostKey(file("host.pub"));
    QFile userKey(file("user.pub"));
    QFile strictKey(file("other.pub"));
    if (!hostKey.open(QIODevice::ReadOnly) || !userKey.open(QIODevice::ReadOnly) ||
        !strictKey.open(QIODevice::ReadOnly))
        return false;
    const QByteArray folder = QFile::encodeName(m_folder.path());
    const QByteArray port = QByteArray::number(m_port);
    const QByteArray user = ::getpwuid(::getuid())->pw_name;
    const QByteArray client = "  HostName 127.0.0.1\n  Port " + port + "\n  User " + user +
                              "\n  IdentitiesOnly yes\n  IdentityAgent none\n";
    const QByteArray known = "  UserKnownHostsFile " + folder + "/known\n";
    const QByteArray key = "  IdentityFile " + folder + "/user\n";
    return write("known", "[127.0.0.1]:" + port + ' ' + hostKey.readAll()) &&
           write("keys", userKey.readAll() + "restrict " + strictKey.readAll()) &&
           write("sshd_config", "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + folder +
                                    "/host\nAuthorizedKeysFile " + folder +
                                    "/keys\nStrictModes no\nUsePAM no\nPidFile none\n"
                                    "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
                                    "PermitRootLogin yes\nMaxStartups 100\nUseDNS no\n") &&
           write("config", "Host jump\n" + client + known + key + //
                               "Host second\n" + client + known + key + "  ProxyJump jump\n" +
                               "Host stranger\n" + client + key +
                               "  UserKnownHostsFile /dev/null\n" + //
                               "Host keyless\n" + client + known + "  IdentityFile " + folder +
                               "/absent\n" + //
                               "Host strict\n" + client + known + "  IdentityFile " + folder +
                               "/other\n" + "Host *\n  GlobalKnownHostsFile /dev/null\n") &&
           write("ssh", "#!/bin/sh\nexec /usr/bin/ssh -F " + folder + "/config \"$@\"\n") &&
           startAgain();
}

bool SshServer::startAgain()
{
    if (::getuid() == 0) // it gives up its rights there
        QDir().mkpath(QStringLiteral("/run/sshd"));
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process.start(sshd, {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"),
                           file("sshd_config")});
    m_output.clear();
    while (!m_output.contains("Server listening on")) {
        if (!m_process.waitForReadyRead(10'000))
            return false;
        m_output += m_process.readAll();
    }
    return true;
}

void SshServer::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.terminate(); // what it has let in goes on
    m_process.waitForFinished();
}

void SshServer::useIt() const
{
    qputenv("PATH", QFile::encodeName(m_folder.path()) + ':' + qgetenv("PATH"));
}

int SshServer::clients()
{
    int count = 0;
    const QStringList pids = QDir(QStringLiteral("/proc")).entryList(QDir::Dirs);
    for (const QString& pid : pids)
        count += parentOfSsh(pid) == ::getpid() ? 1 : 0;
    return count;
}

} // namespace lk::test
