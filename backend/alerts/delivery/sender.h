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

/// What came of it.
struct SendResult
{
    QString problem;      ///< translated; empty: it was delivered. Never holds a secret
    bool refused = false; ///< the other end says that this message is wrong: it will say so again
    bool unanswered = false; ///< it was sent, and nobody knows whether it arrived
};

/// Delivers to one target, one message at a time. Lives in one thread with an event loop; answers
/// exactly once, unless it is destroyed before.
class Sender : public QObject
{
    Q_OBJECT

public:
    using Done = std::function<void(const SendResult&)>;

    virtual void send(const Message& message, Done done) = 0;
};

/// The environment variables that hold secrets of targets.
QByteArrayList secretsOf(const AlertSettings& settings);
/// secrets: all environment variables that hold a target's secret; no command gets to see them.
std::unique_ptr<Sender> makeSender(const NotifyTarget& target, const QByteArrayList& secrets);

/// How long after so many attempts the next one is made: 1 s, doubled up to 5 min.
qint64 retryAfterMs(int attempts);

} // namespace lk
