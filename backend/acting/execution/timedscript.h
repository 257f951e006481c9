// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/link.h"
#include "backend/redis/script.h"

#include <QElapsedTimer>

#include <functional>

namespace lk {

/// How long an action's script may take to arrive. Less than a connection waits for a reply, so
/// that a timeout is told at once.
struct ScriptTiming
{
    using Wait = std::function<void(qint64 ms, QObject* context, std::function<void()> then)>;

    qint64 beginWithinMs = 4000; ///< by the server's clock, from its answer to TIME on
    Wait wait = {};              ///< empty: by a timer. Tests pass their own
};

/// What the server's clock said, and when: tells for sure when a moment of that clock has passed,
/// whatever the local clock says. A server clock that is set back meanwhile is not known of.
class ServerMoment
{
public:
    ServerMoment() = default;
    /// Read from an answer that has just come.
    explicit ServerMoment(qint64 serverMs);

    qint64 serverMs() const { return m_serverMs; }
    /// No later than what the server's clock shows now.
    qint64 nowMs() const;
    /// For how long to wait until that moment has passed; 0: it has.
    qint64 untilPassedMs(qint64 serverMs) const;

private:
    qint64 m_serverMs = 0;
    QElapsedTimer m_since;
};

/// What came of sending a script.
struct ScriptAnswer
{
    Result<Reply> reply = failure(ErrorCode::Cancelled);
    bool sent = false;     ///< false: with an error in reply, nothing of it has left
    qint64 deadlineMs = 0; ///< by the server's clock; 0: not sent
    ServerMoment server;   ///< shortly before it ran
};
using ScriptHandler = std::function<void(const ScriptAnswer&)>;

/// Refused on this side: not a byte of it has left.
bool wasKept(const Error& error);

/// An action's script (actionscript.h) and what it is called with.
struct ScriptCall
{
    Script script;
    std::vector<QByteArray> keys;
    std::vector<QByteArray> args; ///< without the first
    qint64 notAfterMs = 0; ///< by the server's clock; 0: any time. Else it fails with Cancelled
};

/// Asks the server for its time and sends the script once, with a deadline in that time; whole
/// where the server answers NOSCRIPT (nothing has run then), with the same deadline. Where the
/// reply is lost the handler comes after the deadline: from then on the script writes no more.
/// Called once, later; not if the context is gone.
void sendTimed(Link& connection, ScriptCall call, const ScriptTiming& timing, QObject* context,
               ScriptHandler handler);

} // namespace lk
