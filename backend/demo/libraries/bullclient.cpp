// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/libraries/bullclient.h"

#include <QDateTime>

namespace lk {

namespace {
constexpr const char* eventsKept = "200";    // as in opts.maxLenEvents
constexpr const char* firstForgotten = "24"; // by rank, the newest first: removeOnComplete, -Fail
} // namespace

QByteArray BullClient::key(const QByteArray& part)
{
    return "bull:email:" + part;
}

Command BullClient::event(const char* name, const QByteArray& id, Fields fields)
{
    Command command{"XADD", key("events"), "MAXLEN", "~",     eventsKept,
                    "*",    "event",       name,     "jobId", id};
    for (const auto& [field, value] : fields)
        command << field << value;
    return command;
}

void BullClient::enqueue(const QByteArray& id, const char* from, Answer answer)
{
    ask({"HEXISTS", key("meta"), "paused"}, [=, this](const Reply& reply) {
        const bool paused = reply.isInteger() && reply.integer == 1;
        ask({"LPUSH", key(paused ? "paused" : "wait"), id}, [answer](const Reply& length) {
            if (answer)
                answer(length);
        });
        if (!paused)
            send({{"ZADD", key("marker"), "0", "0"}}); // workers block on it
        send({from ? event("waiting", id, {{"prev", from}}) : event("waiting", id)});
    });
}

// The score has the due time in its upper bits; the lower ones are for jobs of the same
// millisecond.
void BullClient::delay(const QByteArray& id, qint64 delayMs)
{
    const qint64 dueMs = QDateTime::currentMSecsSinceEpoch() + delayMs;
    send({{"HSET", key(id), "delay", text(delayMs)},
          {"ZADD", key("delayed"), text(dueMs * 4096), id},
          {"ZADD", key("marker"), text(dueMs), "1"},
          event("delayed", id, {{"delay", text(dueMs)}})});
}

void BullClient::end(const QByteArray& id, const QByteArray& error)
{
    const QByteArray now = text(QDateTime::currentMSecsSinceEpoch());
    const bool failed = !error.isEmpty();
    const char* set = failed ? "failed" : "completed";
    send({{"ZADD", key(set), now, id},
          {"HSET", key(id), "finishedOn", now, failed ? "failedReason" : "returnvalue",
           failed ? error : QByteArray("{\"accepted\":true}")},
          failed ? event(set, id, {{"failedReason", error}, {"prev", "active"}})
                 : event(set, id, {{"returnvalue", "{\"accepted\":true}"}, {"prev", "active"}})});
    forgetBeyond(set);
}

QByteArray BullClient::stackTrace(const QByteArray& error)
{
    return "[\"Error: " + QByteArray(error).replace('"', "\\\"") +
           "\\n    at Mailer.send (/app/dist/mailer.js:41:13)"
           "\\n    at async Worker.processJob (/app/node_modules/bullmq/dist/cjs/classes/"
           "worker.js:619:21)\"]";
}

void BullClient::forgetBeyond(const char* set)
{
    ask({"ZREVRANGE", key(set), firstForgotten, "-1"}, [this, set](const Reply& old) {
        for (const Reply& id : old.items)
            send({{"ZREM", key(set), id.text}, {"DEL", key(id.text)}});
    });
}

} // namespace lk
