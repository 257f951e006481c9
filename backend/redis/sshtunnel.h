// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QObject>
#include <QProcess>

#include <optional>

namespace lk {

/// One connection through a jump host, made by the system's own ssh (ssh -W). Keys, agent, known
/// hosts, ProxyJump and shared connections follow the user's configuration. Never prompts
/// (BatchMode): it fails instead. The process ends with this object; if the program is killed, the
/// system ends it. Lives in the thread that made it.
class SshTunnel final : public QObject
{
    Q_OBJECT

public:
    /// jump: "[user@]host[:port]", or a name from the user's ssh configuration. target: the address
    /// as seen from the jump host.
    SshTunnel(const QString& jump, ServerUrl::Address target, QObject* parent = nullptr);
    ~SshTunnel() override;

    /// Starts ssh and returns a socket connected to the target. The caller takes ownership of the
    /// socket. It can be written at once. ssh closes the other side when it ends.
    Result<int> open();
    /// Ends it without waiting.
    void end();

    bool hasEnded() const { return m_ended; }
    /// Why it ended or could not start. Empty while it runs, and if the target closed the
    /// connection.
    const std::optional<Error>& error() const { return m_error; }
    /// True if the jump host was reached, but the target could not be reached from there.
    bool failedBehindJump() const { return m_failedBehind; }

signals:
    /// Emitted after the login to the jump host. Not emitted if ssh reuses a shared connection.
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
    QByteArray m_said; ///< the last part of stderr
    std::optional<Error> m_error;
    bool m_loggedIn = false;
    bool m_ended = false;
    bool m_failedBehind = false;
};

} // namespace lk
