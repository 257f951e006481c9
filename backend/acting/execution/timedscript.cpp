// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/timedscript.h"

#include "backend/acting/execution/actionscript.h"
#include "backend/redis/replies.h"
#include "backend/redis/server/serverinfo.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace lk {

namespace {

// Two clocks do not run alike, and TIME is cut to milliseconds.
constexpr qint64 slackMs = 20;

Result<qint64> timeIn(const BatchResult& result)
{
    if (!result)
        return tl::unexpected<Error>(result.error());
    if (result->front().isError())
        return tl::unexpected<Error>(errorFromReply(result->front().text));
    const std::optional<qint64> ms = timeFromReply(result->front());
    return ms ? Result<qint64>(*ms) : failure(ErrorCode::Protocol, QStringLiteral("TIME"));
}

Awaited<Passed> waitFor(qint64 ms, const ScriptTiming& timing, QObject* context)
{
    return Awaited<Passed>([=](auto then) {
        const auto passed = [then] { then({}); };
        if (timing.wait)
            timing.wait(ms, context, passed);
        else
            QTimer::singleShot(int(ms), Qt::PreciseTimer, context, passed);
    });
}

} // namespace

bool wasKept(const Error& error)
{
    return error.code == ErrorCode::SessionReadOnly || error.code == ErrorCode::BadArgument ||
           error.code == ErrorCode::NodeDown || error.code == ErrorCode::ClusterDown;
}

ServerMoment::ServerMoment(qint64 serverMs)
    : m_serverMs(serverMs)
{
    m_since.start();
}

qint64 ServerMoment::nowMs() const
{
    return m_since.isValid() ? m_serverMs + m_since.elapsed() : 0;
}

qint64 ServerMoment::untilPassedMs(qint64 serverMs) const
{
    return std::max<qint64>(0, serverMs + slackMs - nowMs());
}

Task<ScriptAnswer> sendTimed(Link& connection, ScriptCall call, ScriptTiming timing,
                             QObject* context)
{
    const QPointer<Link> node(call.keys.empty() ? &connection
                                                : &connection.nodeOf(call.keys.front()));
    ScriptAnswer answer;
    const Command askTime{"TIME"};
    const BatchResult time = co_await actingReplies(*node, askTime, context);
    const Result<qint64> ms = timeIn(time);
    if (!ms) {
        answer.reply = tl::unexpected<Error>(ms.error());
        co_return answer;
    }
    answer.server = ServerMoment(*ms);
    if ((call.notAfterMs > 0 && *ms > call.notAfterMs) || !node)
        co_return answer;
    answer.deadlineMs = *ms + timing.beginWithinMs;
    const std::vector<QByteArray> args = actionArgs(call.args, answer.deadlineMs);
    const Command bySha = call.script.evalSha(call.keys, args);
    BatchResult result = co_await actingReplies(*node, bySha, context);
    if (isUnknownScript(result)) {
        if (!node || !node->isReady() || !node->isWriteModeOn())
            co_return answer;
        const Command whole = call.script.eval(call.keys, args);
        result = co_await actingReplies(*node, whole, context);
    }
    answer.sent = result || !wasKept(result.error());
    if (result) {
        answer.reply = result->front();
        co_return answer;
    }
    const qint64 leftMs = answer.sent ? answer.server.untilPassedMs(answer.deadlineMs) : 0;
    if (leftMs > 0)
        co_await waitFor(leftMs, timing, context);
    answer.reply = tl::unexpected<Error>(result.error());
    co_return answer;
}

} // namespace lk
