// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/delivery/sender.h"

class QProcess;

namespace lk {

/// Runs a program with the message on its standard input; exit code 0 means delivered. After the
/// time limit it and its child processes are ended. It sees no password and no other target's
/// secret. Lives in the thread that created it: the alerts' thread of a session.
class NotifyCommand final : public Sender
{
    Q_OBJECT

public:
    NotifyCommand(NotifyTarget target, QByteArrayList secrets);
    ~NotifyCommand() override;

    void send(const Message& message, Done done) override;

private:
    void hear();
    void end(const SendResult& sent);

    NotifyTarget m_target;
    QByteArrayList m_secrets;
    QProcess* m_process = nullptr; ///< null while none runs
    Done m_done;
    QByteArray m_said; ///< the beginning of its standard error
};

} // namespace lk
