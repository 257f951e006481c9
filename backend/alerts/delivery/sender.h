// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alertrule.h"

#include <QObject>

#include <functional>

namespace lk {

/// One attempt to deliver.
struct Message
{
    QByteArray id;
    QByteArray body; ///< JSON
    int attempt = 1;
    qint64 atMs = 0; ///< this machine's clock at the attempt
};

/// The result of an attempt.
struct SendResult
{
    QString problem;         ///< translated; empty if delivered. Never contains a secret
    bool refused = false;    ///< the receiver rejects this message; another attempt would not help
    bool unanswered = false; ///< it was sent; whether it arrived is unknown
};

/// Delivers to one target, one message at a time. Lives in one thread with an event loop. Calls
/// done exactly once per message, unless it is destroyed before.
class Sender : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const SendResult&)>;

    virtual void send(const Message& message, Done done) = 0;
};

/// Returns the environment variables that contain secrets of targets.
QByteArrayList secretsOf(const AlertSettings& settings);
/// secrets: all environment variables that contain a target's secret; they are hidden from
/// commands.
std::unique_ptr<Sender> makeSender(const NotifyTarget& target, const QByteArrayList& secrets);

/// Returns the pause after so many attempts: 1 s, doubled each time up to 5 min.
qint64 retryAfterMs(int attempts);

} // namespace lk
