// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/sshtunnel.h"

#include "backend/core/names/keyname.h"
#include "backend/platform/children.h"
#include "backend/redis/urltext.h"

#include <QProcessEnvironment>

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype mostSaid = 16 * 1024; // bytes of stderr that are kept
constexpr int longestLine = 200;          // characters of it that are shown
constexpr int patienceMs = 300;           // until the process is killed
constexpr int sshFailed = 255;            // ssh's own exit code

bool saysAny(const QByteArray& said, std::initializer_list<const char*> texts)
{
    return std::any_of(texts.begin(), texts.end(),
                       [&](const char* text) { return said.contains(text); });
}

// Lines at this log level that report success.
bool isNoReason(const QByteArray& line)
{
    return line.isEmpty() || line.startsWith("Authenticated to ") ||
           line.startsWith("Transferred: ") || line.startsWith("Bytes per second: ") ||
           line.startsWith("debug") || line.startsWith("Warning: Permanently added") ||
           line.contains("disabling multiplexing") || line == "stdio forwarding failed";
}

// Returns the line with the reason: the first one with a known ssh failure, else the last line.
QByteArray reasonIn(const QByteArray& said)
{
    QByteArray last;
    const QByteArrayList lines = said.split('\n');
    for (const QByteArray& each : lines) {
        const QByteArray line = each.trimmed();
        if (isNoReason(line))
            continue;
        if (saysAny(line, {"Permission denied", "open failed", "Could not resolve",
                           "connect to host", "Host key verification failed"}))
            return line;
        last = line;
    }
    return last;
}

// An automatic retry does not help with these errors, and a jump host may lock out frequent
// attempts.
bool needsPerson(const QByteArray& said)
{
    return saysAny(said, {"Permission denied", "Host key verification failed",
                          "Too many authentication failures", "No supported authentication",
                          "no matching ", "Bad configuration option", "Bad owner or permissions",
                          "terminating, ", "invalid user"});
}

QStringList argumentsFor(const QString& jump, const ServerUrl::Address& target)
{
    // BatchMode, as no user can answer prompts. VERBOSE reports the login to the jump host.
    QStringList arguments{QStringLiteral("-o"), QStringLiteral("BatchMode=yes"),
                          QStringLiteral("-o"), QStringLiteral("LogLevel=VERBOSE"),
                          QStringLiteral("-W"), target.text()};
    const urltext::JumpHost host = urltext::jumpHost(jump).value_or(urltext::JumpHost{});
    if (host.port != 0)
        arguments << QStringLiteral("-p") << QString::number(host.port);
    if (!host.user.isEmpty())
        arguments << QStringLiteral("-l") << host.user;
    return arguments << QStringLiteral("--") << host.host;
}

} // namespace

SshTunnel::SshTunnel(const QString& jump, ServerUrl::Address target, QObject* parent)
    : QObject(parent)
    , m_jump(jump)
    , m_target(std::move(target))
{
    connect(&m_process, &QProcess::readyReadStandardError, this, &SshTunnel::readErrors);
    connect(&m_process, &QProcess::finished, this, &SshTunnel::onFinished);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_error = Error{ErrorCode::NotInstalled,
                        tr("ssh is not installed; on Debian: apt install openssh-client")};
        finish();
    });
}

SshTunnel::~SshTunnel()
{
    m_process.disconnect(this);
    end();
    if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(patienceMs)) {
        m_process.kill();
        m_process.waitForFinished();
    }
}

Result<int> SshTunnel::open()
{
    Result<ChildSocket> socket = ChildSocket::forChild(m_process);
    if (!socket)
        return tl::unexpected(socket.error());
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(QProcess::nullDevice());
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C")); // its texts are parsed
    environment.insert(QStringLiteral("SSH_ASKPASS_REQUIRE"), QStringLiteral("never"));
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral("ssh"), argumentsFor(m_jump, m_target), QIODevice::ReadOnly);
    return socket->take();
}

void SshTunnel::end()
{
    if (m_process.state() != QProcess::NotRunning)
        m_process.terminate();
}

void SshTunnel::readErrors()
{
    m_said = (m_said + m_process.readAllStandardError()).right(mostSaid);
    if (m_loggedIn || !m_said.contains("Authenticated to "))
        return;
    m_loggedIn = true;
    emit loggedIn();
}

void SshTunnel::onFinished(int exitCode, QProcess::ExitStatus how)
{
    readErrors();
    if (how != QProcess::NormalExit || exitCode == sshFailed)
        m_error = sorted(reasonIn(m_said));
    finish();
}

void SshTunnel::finish()
{
    if (!std::exchange(m_ended, true))
        emit ended();
}

// Keeps ssh's own text, which its users know.
Error SshTunnel::sorted(const QByteArray& said)
{
    const QString shown = displayName(said.left(longestLine));
    if (said.contains("open failed: ")) {
        m_failedBehind = true;
        const QString target = m_target.text();
        if (said.contains("administratively prohibited"))
            return {ErrorCode::NotPossible, tr("%1 does not allow forwarding to %2; allow it in "
                                               "its sshd_config (AllowTcpForwarding, PermitOpen)")
                                                .arg(m_jump, target)};
        if (saysAny(said, {"Name or service not known", "name resolution", "No address"}))
            return {ErrorCode::NameNotFound, tr("%1, looked up by %2").arg(m_target.host, m_jump)};
        if (said.contains("Connection refused"))
            return {ErrorCode::Refused, tr("%1, tried from %2").arg(target, m_jump)};
        if (said.contains("timed out"))
            return {ErrorCode::Timeout, tr("connecting to %1 from %2").arg(target, m_jump)};
        return {ErrorCode::Network, tr("to %1 from %2: %3").arg(target, m_jump, shown)};
    }
    if (said.contains("Host key verification failed"))
        return {ErrorCode::NotPossible, tr("The host key of the jump host %1 is unknown (%2); "
                                           "verify and accept it with: ssh %1")
                                            .arg(m_jump, shown)};
    if (needsPerson(m_said))
        return {ErrorCode::NotPossible, tr("The jump host %1 refused the login (%2); first make "
                                           "this work without a prompt: ssh %1")
                                            .arg(m_jump, shown)};
    return {ErrorCode::Network, shown.isEmpty() ? tr("ssh to %1 ended").arg(m_jump)
                                                : tr("ssh to %1: %2").arg(m_jump, shown)};
}

} // namespace lk
