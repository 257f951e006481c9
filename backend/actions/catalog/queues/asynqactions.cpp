// SPDX-License-Identifier: GPL-3.0-or-later
// What asynq's client and inspector do with a queue as a whole: a task is added, the queue paused.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/actions/catalog/queues/pushjob.h"
#include "backend/layouts/queues/go/asynqnames.h"

namespace lk::actions {

namespace {

// Of asynq's TaskMessage; what its own client presets.
constexpr int retriesByDefault = 25;
constexpr int timeoutSeconds = 1800;

void appendVarint(QByteArray& out, quint64 value)
{
    for (; value > 0x7f; value >>= 7)
        out += char(0x80 | (value & 0x7f));
    out += char(value);
}
void appendText(QByteArray& out, int field, const QByteArray& text)
{
    appendVarint(out, quint64(field) << 3 | 2);
    appendVarint(out, quint64(text.size()));
    out += text;
}
void appendNumber(QByteArray& out, int field, int number)
{
    appendVarint(out, quint64(field) << 3);
    appendVarint(out, quint64(number));
}

Result<void> fillTask(Plan& plan, const Primitive& queue, const PushedJob& job,
                      std::span<const Reply>)
{
    const QByteArray stem = queue.id.name + ':';
    const AsynqName name = asynqNameOf(stem + "pending");
    QByteArray message;
    appendText(message, 1, job.name);
    appendText(message, 2, job.payload);
    appendText(message, 3, job.id);
    appendText(message, 4, name.queue);
    appendNumber(message, 5, retriesByDefault);
    appendNumber(message, 8, timeoutSeconds);
    const QByteArray sinceNs = QByteArray::number(job.nowMs) + "000000";
    // Its name is in the set of all queues already, which on a cluster is in another slot.
    fillPush(plan, "LPUSH", stem + "pending", job.id,
             {{"hash",
               stem + "t:" + job.id,
               {"msg", message, "state", "pending", "pending_since", sinceNs}}});
    return {};
}

Result<void> fillAsynqPause(Plan& plan, const LibraryPause& pause, const Primitive& queue,
                            std::span<const Reply>)
{
    plan.keys = {queue.id.name + ":paused"};
    plan.args = {pause.resumes ? "resume" : "pause", "now"};
    plan.commands = {pause.resumes ? shown({"DEL", plan.keys[0]})
                                   : shown({"SET", plan.keys[0], "•••", "NX"})};
    return {};
}

} // namespace

const Action& pushAsynqTask()
{
    static const PushJob action({PushForm::Bytes, "job-push", nullptr, fillTask});
    return action;
}
const Action& pauseAsynq()
{
    static const PauseQueue action({false, "queue-flag", nullptr, fillAsynqPause});
    return action;
}
const Action& resumeAsynq()
{
    static const PauseQueue action({true, "queue-flag", nullptr, fillAsynqPause});
    return action;
}

} // namespace lk::actions
