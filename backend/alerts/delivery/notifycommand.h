// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/delivery/sender.h"

class QProcess;

namespace lk {

/// Runs a program with the message on its standard input; 0 means delivered. What it started itself
/// ends with it when its time is over. It sees no password and no other target's secret. Lives in
/// the thread that made it: the alerts', of a session.
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
    QProcess* m_process = nullptr; ///< while one runs
    Done m_done;
    QByteArray m_said; ///< the beginning of what it wrote to its standard error
};

} // namespace lk
