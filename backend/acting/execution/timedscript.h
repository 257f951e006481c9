// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/task.h"
#include "backend/redis/link.h"
#include "backend/redis/script.h"

#include <QElapsedTimer>

#include <functional>

namespace lk {

/// How long an action's script may take to arrive. Shorter than a connection's reply timeout, so
/// that a timeout is reported at once.
struct ScriptTiming
{
    using Wait = std::function<void(qint64 ms, QObject* context, std::function<void()> then)>;

    qint64 beginWithinMs = 4000; ///< by the server's clock, from its answer to TIME on
    Wait wait = {};              ///< empty: a timer. Tests pass their own
};

/// A reading of the server's clock and its time. Determines reliably when a moment of that clock
/// has passed, independent of the local clock. Does not notice a server clock that is set back
/// meanwhile.
class ServerMoment
{
public:
    ServerMoment() = default;
    /// serverMs: from an answer that has just arrived.
    explicit ServerMoment(qint64 serverMs);

    qint64 serverMs() const { return m_serverMs; }
    /// Returns a lower bound of the server's current time.
    qint64 nowMs() const;
    /// Returns how long to wait until that moment has passed. 0 if it has passed.
    qint64 untilPassedMs(qint64 serverMs) const;

private:
    qint64 m_serverMs = 0;
    QElapsedTimer m_since;
};

/// The result of sending a script.
struct ScriptAnswer
{
    Result<Reply> reply = failure(ErrorCode::Cancelled); ///< Cancelled: it was not to be sent
    bool sent = false;     ///< false: reply is an error and nothing was sent
    qint64 deadlineMs = 0; ///< by the server's clock; 0: not sent
    ServerMoment server;   ///< shortly before it ran
};

/// True if this side refused the command, so that not a byte was sent.
bool wasKept(const Error& error);

/// An action's script (actionscript.h) and its arguments.
struct ScriptCall
{
    Script script;
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args; ///< without the first
    qint64 notAfterMs = 0; ///< by the server's clock; 0: any time. Else it fails with Cancelled
};

/// Reads the server's time and sends the script once, with a deadline in that time. If the server
/// answers NOSCRIPT (nothing has run then), sends its full text with the same deadline. If the
/// reply is lost, returns after the deadline: from then on the script writes nothing.
Task<ScriptAnswer> sendTimed(Link& connection, ScriptCall call, ScriptTiming timing,
                             QObject* context);

} // namespace lk
