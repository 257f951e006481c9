// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QObject>
#include <QProcess>

#include <optional>

namespace lk {

/// One connection through a jump host, by the system's own ssh (ssh -W): keys, agent, known hosts,
/// ProxyJump and shared connections are as the user's configuration has them. Asks nothing
/// (BatchMode): what would need an answer fails instead. The process ends with this object, and by
/// the system should the program be killed. Lives in the thread that made it.
class SshTunnel final : public QObject
{
    Q_OBJECT

public:
    /// jump: "[user@]host[:port]", or a name from the user's configuration. target: as the jump
    /// host reaches it.
    SshTunnel(const QString& jump, ServerUrl::Address target, QObject* parent = nullptr);
    ~SshTunnel() override;

    /// Starts ssh. The socket whose bytes go to the target and come from there; the caller's from
    /// then on. It can be written at once, and is closed from the other side when ssh ends.
    Result<int> open();
    /// Ends it without waiting.
    void end();

    bool hasEnded() const { return m_ended; }
    /// Why it ended, or could not be; nothing while it is there, and where the target closed.
    const std::optional<Error>& error() const { return m_error; }
    /// The jump host was reached, and the target from there not.
    bool failedBehindJump() const { return m_failedBehind; }

signals:
    /// The jump host has let us in; not told where ssh shares a connection that was there before.
    void loggedIn();
    void ended();

private:
    void readErrors();
    void onFinished(int exitCode, QProcess::ExitStatus how);
    void finish();
    Error sorted(const QByteArray& said);

    QString m_jump;
    ServerUrl::Address m_target;
    QProcess m_process;
    QByteArray m_said; ///< on stderr, the last of it
    std::optional<Error> m_error;
    bool m_loggedIn = false;
    bool m_ended = false;
    bool m_failedBehind = false;
};

} // namespace lk
