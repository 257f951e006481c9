// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/execution/timedscript.h"

#include "backend/acting/execution/actionscript.h"
#include "backend/redis/server/serverinfo.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>

namespace lk {

namespace {

// Two clocks do not run alike, and TIME is cut to milliseconds.
constexpr qint64 slackMs = 20;

struct Sending
{
    QPointer<Link> connection;
    ScriptCall call;
    ScriptTiming timing;
    QPointer<QObject> context;
    ScriptHandler handler;
    ScriptAnswer answer;
};
using SendingPtr = std::shared_ptr<Sending>;

bool isUnknownScript(const BatchResult& result)
{
    return result && result->front().isError() &&
           result->front().text.startsWith("NOSCRIPT No matching script");
}

void fail(const SendingPtr& s, const Error& error)
{
    s->answer.reply = tl::unexpected<Error>(error);
    s->handler(s->answer);
}

void take(const SendingPtr& s, const BatchResult& result)
{
    s->answer.sent = result || !wasKept(result.error());
    if (result) {
        s->answer.reply = result->front();
        return s->handler(s->answer);
    }
    if (!s->answer.sent)
        return fail(s, result.error());
    const qint64 ms = s->answer.server.untilPassedMs(s->answer.deadlineMs);
    const auto told = [s, error = result.error()] { fail(s, error); };
    if (ms <= 0)
        return told();
    if (s->timing.wait)
        return s->timing.wait(ms, s->context, told);
    QTimer::singleShot(int(ms), Qt::PreciseTimer, s->context.data(), told);
}

void send(const SendingPtr& s)
{
    s->answer.deadlineMs = s->answer.server.serverMs() + s->timing.beginWithinMs;
    const std::vector<QByteArray> args = actionArgs(s->call.args, s->answer.deadlineMs);
    s->connection->sendActing(
        {s->call.script.evalSha(s->call.keys, args)}, s->context,
        [s, args](const BatchResult& result) {
            if (!isUnknownScript(result))
                return take(s, result);
            if (!s->connection || !s->connection->isReady() || !s->connection->isWriteModeOn())
                return fail(s, {ErrorCode::Cancelled, {}});
            s->connection->sendActing({s->call.script.eval(s->call.keys, args)}, s->context,
                                      [s](const BatchResult& second) { take(s, second); });
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

void sendTimed(Link& connection, ScriptCall call, const ScriptTiming& timing, QObject* context,
               ScriptHandler handler)
{
    Link& node = call.keys.empty() ? connection : connection.nodeOf(call.keys.front());
    const auto s = std::make_shared<Sending>(
        Sending{&node, std::move(call), timing, context, std::move(handler), {}});
    node.sendActing({Command{"TIME"}}, context, [s](const BatchResult& result) {
        if (!result)
            return fail(s, result.error());
        if (result->front().isError())
            return fail(s, errorFromReply(result->front().text));
        const std::optional<qint64> ms = timeFromReply(result->front());
        if (!ms)
            return fail(s, {ErrorCode::Protocol, QStringLiteral("TIME")});
        s->answer.server = ServerMoment(*ms);
        if ((s->call.notAfterMs > 0 && *ms > s->call.notAfterMs) || !s->connection)
            return fail(s, {ErrorCode::Cancelled, {}});
        send(s);
    });
}

} // namespace lk
