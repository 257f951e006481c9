// SPDX-License-Identifier: GPL-3.0-or-later
// How libraries whose jobs are JSON or plain elements add one; see lua/actions/job-push.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/queues/pushjob.h"
#include "backend/layouts/queues/sidekiq/sidekiqnames.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

namespace lk::actions {

namespace {

// A text as JSON.
QByteArray quoted(const QByteArray& text)
{
    const QJsonObject object{{QStringLiteral("t"), QString::fromUtf8(text)}};
    const QByteArray json = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return json.mid(5, json.size() - 6); // {"t":...}
}

QByteArray plainPushesSecondsOf(qint64 ms)
{
    return QByteArray::number(double(ms) / 1000, 'f', 3);
}

QByteArray hexId(const PushedJob& job, qsizetype digits)
{
    return QByteArray(job.id).replace('-', "").left(digits);
}

// Since Sidekiq 8 times are whole milliseconds, which older ones would take for seconds: as the
// jobs that wait have them.
std::vector<Command> sidekiqReads(const Primitive& queue, std::span<const Reply> replies)
{
    return replies.empty() ? std::vector<Command>{{"LINDEX", queue.id.name, "0"}}
                           : std::vector<Command>();
}

Result<void> fillSidekiq(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply> replies)
{
    const SidekiqName name = sidekiqNameOf(queue.id.name);
    const QJsonObject waiting =
        QJsonDocument::fromJson(replies.empty() ? QByteArray() : replies[0].text).object();
    const bool ms = waiting.value(QLatin1String("created_at")).toDouble() > 1e11;
    const QByteArray now = ms ? QByteArray::number(job.nowMs) : plainPushesSecondsOf(job.nowMs);
    const QByteArray payload = R"({"retry":true,"queue":)" + quoted(name.queue) + R"(,"class":)" +
                               quoted(job.name) + R"(,"args":)" + job.payload + R"(,"jid":")" +
                               hexId(job, 24) + R"(","created_at":)" + now + R"(,"enqueued_at":)" +
                               now + '}';
    fillPush(plan, "LPUSH", queue.id.name, payload,
             {{"member", name.space + "queues", {name.queue}}});
    return {};
}

// "Class@method" is called with the payload.
Result<void> fillLaravel(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const QByteArray payload =
        R"({"uuid":")" + job.id + R"(","displayName":)" + quoted(job.name.split('@').front()) +
        R"(,"job":)" + quoted(job.name) +
        R"(,"maxTries":null,"maxExceptions":null,"failOnTimeout":false,"backoff":null,)"
        R"("timeout":null,"data":)" +
        job.payload + R"(,"id":")" + hexId(job, 32) + R"(","attempts":0})";
    fillPush(plan, "RPUSH", main, payload, {{"wake", main + ":notify", {"1"}}});
    return {};
}

Result<void> fillGocraft(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const qsizetype word = main.indexOf("jobs:");
    if (word < 0)
        return notPossible(ActionText::tr("The queue is not named as the library names one"));
    const QByteArray name = main.mid(word + qsizetype(qstrlen("jobs:")));
    const QByteArray payload = R"({"name":)" + quoted(name) + R"(,"id":")" + hexId(job, 24) +
                               R"(","t":)" + QByteArray::number(job.nowMs / 1000) + R"(,"args":)" +
                               job.payload + '}';
    fillPush(plan, "LPUSH", main, payload, {{"member", main.left(word) + "known_jobs", {name}}});
    return {};
}

Result<void> fillRmq(Plan& plan, const Primitive& queue, const PushedJob& job,
                     std::span<const Reply>)
{
    fillPush(plan, "LPUSH", queue.id.name, job.payload, {});
    return {};
}

Result<void> fillDramatiq(Plan& plan, const Primitive& queue, const PushedJob& job,
                          std::span<const Reply>)
{
    const QByteArray& main = queue.id.name;
    const bool named = job.payload.trimmed().startsWith('{');
    const QByteArray message =
        R"({"queue_name":)" + quoted(main.mid(main.lastIndexOf(':') + 1)) + R"(,"actor_name":)" +
        quoted(job.name) + R"(,"args":)" + (named ? "[]" : job.payload) + R"(,"kwargs":)" +
        (named ? job.payload : "{}") + R"(,"options":{"redis_message_id":")" + job.id +
        R"("},"message_id":")" + job.id + R"(","message_timestamp":)" +
        QByteArray::number(job.nowMs) + '}';
    fillPush(plan, "RPUSH", main, job.id, {{"field", main + ".msgs", {job.id, message}}});
    return {};
}

Result<void> fillStream(Plan& plan, const Primitive& queue, const PushedJob& job,
                        std::span<const Reply>)
{
    const QJsonObject fields = QJsonDocument::fromJson(job.payload).object();
    plan.keys = {queue.id.name};
    Command command{"XADD", queue.id.name, "*"};
    for (auto it = fields.begin(); it != fields.end(); ++it) {
        plan.args.push_back(it.key().toUtf8());
        plan.args.push_back(it.value().toString().toUtf8());
        command << it.key().toUtf8() << "•••";
    }
    plan.commands = {shown(command)};
    plan.guard = ActionText::tr("the key is a stream");
    return {};
}

} // namespace

const Action& pushSidekiqJob()
{
    static const PushJob action({PushForm::Array, "job-push", sidekiqReads, fillSidekiq});
    return action;
}
const Action& pushLaravelJob()
{
    static const PushJob action({PushForm::Json, "job-push", nullptr, fillLaravel});
    return action;
}
const Action& pushGocraftJob()
{
    static const PushJob action({PushForm::Object, "job-push", nullptr, fillGocraft});
    return action;
}
const Action& pushRmqDelivery()
{
    static const PushJob action({PushForm::Plain, "job-push", nullptr, fillRmq});
    return action;
}
const Action& pushDramatiqMessage()
{
    static const PushJob action({PushForm::Arguments, "job-push", nullptr, fillDramatiq});
    return action;
}
const Action& pushStreamEntry()
{
    static const PushJob action({PushForm::Fields, "stream-push", nullptr, fillStream});
    return action;
}

} // namespace lk::actions
