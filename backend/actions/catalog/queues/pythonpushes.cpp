// SPDX-License-Identifier: GPL-3.0-or-later
// How RQ and Celery add a job: RQ's is a pickle, or JSON where its workers are told so; Celery's is
// a message of its protocol 2.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/queues/pickle.h"
#include "backend/actions/catalog/queues/pushjob.h"
#include "backend/layouts/queues/jobtexts.h"
#include "backend/layouts/queues/rq/rqnames.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lk::actions {

namespace {

constexpr qsizetype mostDataBytes = 64 * 1024; // of the job that tells how jobs are written

QByteArray compact(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}
QByteArray compact(const QJsonArray& array)
{
    return QJsonDocument(array).toJson(QJsonDocument::Compact);
}

// What a function is called with.
struct Arguments
{
    QJsonArray args;
    QJsonObject kwargs;
};
Arguments argumentsOf(const QByteArray& payload)
{
    const QJsonDocument json = QJsonDocument::fromJson(payload);
    return {json.array(), json.object()};
}

// The job that waits next, and how it is written.
std::vector<Command> rqReads(const Primitive& queue, std::span<const Reply> replies)
{
    if (replies.empty())
        return {{"LINDEX", queue.id.name, "0"}};
    if (replies.size() > 1 || !replies[0].isText())
        return {};
    return {{"HGET", rqJobKey(rqNameOf(queue.id.name).stem, replies[0].text), "data"}};
}

QByteArray rqTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms)
               .toUTC()
               .toString(QStringLiteral("yyyy-MM-ddTHH:mm:ss.zzz"))
               .toLatin1() +
           "000Z";
}

Result<void> fillRq(Plan& plan, const Primitive& queue, const PushedJob& job,
                    std::span<const Reply> replies)
{
    const RqName rq = rqNameOf(queue.id.name);
    const Arguments given = argumentsOf(job.payload);
    const QByteArray stored = replies.size() > 1 ? replies[1].text : QByteArray();
    const QByteArray unpacked = inflated(stored, mostDataBytes);
    const bool asJson = (unpacked.isEmpty() ? stored : unpacked).startsWith('[');
    const QJsonArray call{QString::fromUtf8(job.name), QJsonValue(), given.args, given.kwargs};
    const QByteArray data = asJson ? compact(call) : pickled(call);
    const QByteArray now = rqTime(job.nowMs);
    const QByteArray what = job.name + '(' + compact(given.args).mid(1).chopped(1) + ')';
    constexpr qsizetype qtsOwnHeader = 4;
    fillPush(plan, "RPUSH", queue.id.name, job.id,
             {{"hash",
               rqJobKey(rq.stem, job.id),
               {"created_at",  now,      "data",        qCompress(data).mid(qtsOwnHeader),
                "origin",      rq.queue, "description", what,
                "enqueued_at", now,      "started_at",  "",
                "ended_at",    "",       "timeout",     "180",
                "status",      "queued", "worker_name", ""}},
              {"member", rq.stem + "queues", {queue.id.name}}});
    return {};
}

// What stands before the queue's name, of all of its keys.
QByteArray routingKeyOf(const Primitive& queue)
{
    return queue.name();
}

Result<void> fillCelery(Plan& plan, const Primitive& queue, const PushedJob& job,
                        std::span<const Reply>)
{
    const Arguments given = argumentsOf(job.payload);
    const QJsonValue none;
    const QJsonObject embed{{QStringLiteral("callbacks"), none},
                            {QStringLiteral("errbacks"), none},
                            {QStringLiteral("chain"), none},
                            {QStringLiteral("chord"), none}};
    const QByteArray body = compact(QJsonArray{given.args, given.kwargs, embed});
    const QString id = QString::fromLatin1(job.id);
    const QJsonObject headers{
        {QStringLiteral("lang"), QStringLiteral("py")},
        {QStringLiteral("task"), QString::fromUtf8(job.name)},
        {QStringLiteral("id"), id},
        {QStringLiteral("shadow"), none},
        {QStringLiteral("eta"), none},
        {QStringLiteral("expires"), none},
        {QStringLiteral("group"), none},
        {QStringLiteral("group_index"), none},
        {QStringLiteral("retries"), 0},
        {QStringLiteral("timelimit"), QJsonArray{none, none}},
        {QStringLiteral("root_id"), id},
        {QStringLiteral("parent_id"), none},
        {QStringLiteral("argsrepr"), QString::fromUtf8(compact(given.args))},
        {QStringLiteral("kwargsrepr"), QString::fromUtf8(compact(given.kwargs))},
        {QStringLiteral("origin"), QStringLiteral("lockkeeper")}};
    const QJsonObject delivery{
        {QStringLiteral("exchange"), QString()},
        {QStringLiteral("routing_key"), QString::fromUtf8(routingKeyOf(queue))}};
    const QJsonObject properties{{QStringLiteral("correlation_id"), id},
                                 {QStringLiteral("reply_to"), id},
                                 {QStringLiteral("delivery_mode"), 2},
                                 {QStringLiteral("delivery_info"), delivery},
                                 {QStringLiteral("priority"), 0},
                                 {QStringLiteral("body_encoding"), QStringLiteral("base64")},
                                 {QStringLiteral("delivery_tag"), id}};
    const QByteArray message =
        compact(QJsonObject{{QStringLiteral("body"), QString::fromLatin1(body.toBase64())},
                            {QStringLiteral("content-encoding"), QStringLiteral("utf-8")},
                            {QStringLiteral("content-type"), QStringLiteral("application/json")},
                            {QStringLiteral("headers"), headers},
                            {QStringLiteral("properties"), properties}});
    fillPush(plan, "LPUSH", queue.id.name, message, {});
    return {};
}

} // namespace

const Action& pushRqJob()
{
    static const PushJob action({PushForm::Arguments, "job-push", rqReads, fillRq});
    return action;
}
const Action& pushCeleryTask()
{
    static const PushJob action({PushForm::Arguments, "job-push", nullptr, fillCelery});
    return action;
}

} // namespace lk::actions
