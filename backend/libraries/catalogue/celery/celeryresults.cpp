// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/celery/celeryresults.h"

#include "backend/libraries/api/plannedlayout.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lk {

namespace {

using Relation = JobLink::Relation;

constexpr qint64 mostResultBytes = 256 * 1024;
constexpr qsizetype mostIdBytes = 128;
constexpr qsizetype celeryResultsNameBytes = 128;

class Links
{
public:
    Links(const QByteArray& queue, JobDetail& detail)
        : m_queue(queue)
        , m_detail(detail)
    {}

    void add(Relation relation, const QByteArray& id, const QByteArray& state = {})
    {
        if (id.isEmpty() || id.size() > mostIdBytes || id == m_detail.facts.id)
            return;
        if (qint64(m_detail.links.size()) < mostJobLinks)
            m_detail.links.push_back({relation, m_queue, id, state});
        else
            ++m_detail.linksLeftOut;
    }

private:
    const QByteArray m_queue;
    JobDetail& m_detail;
};

// Returns the id of a task that is to be sent. Its options contain the id.
QByteArray idOf(const QJsonValue& signature)
{
    return jsonText(signature.toObject().value(QLatin1String("options")).toObject(), "task_id");
}

// Returns the third part of the body: [arguments, named arguments, follow-ups]. Returns an empty
// object unless the serializer is JSON.
QJsonObject afterwards(const QJsonObject& message)
{
    const QByteArray body =
        QByteArray::fromBase64(message.value(QLatin1String("body")).toString().toLatin1());
    return QJsonDocument::fromJson(body).array().at(2).toObject();
}

} // namespace

void addCeleryLinks(const QByteArray& queue, JobDetail& detail)
{
    const QJsonObject message = jsonObject(detail.payload);
    const QJsonObject headers = message.value(QLatin1String("headers")).toObject();
    Links links(queue, detail);
    links.add(Relation::Parent, jsonText(headers, "parent_id"));
    const QJsonObject after = afterwards(message);
    // The last task of the chain runs next.
    const QJsonArray chain = after.value(QLatin1String("chain")).toArray();
    if (!chain.isEmpty())
        links.add(Relation::NeededBy, idOf(chain.last()), "next in its chain");
    links.add(Relation::NeededBy, idOf(after.value(QLatin1String("chord"))), "end of its chord");
    links.add(Relation::Group, jsonText(headers, "group"), "group");
}

QByteArray celeryResultKey(const CeleryQueue& queue, const QByteArray& id)
{
    return queue.prefix + "celery-task-meta-" + id;
}

Read<JobDetail> readCeleryResult(QByteArray link, QByteArray key, QByteArray id)
{
    JobDetail detail;
    const std::vector<Command> value{{"GETRANGE", key, "0", QByteArray::number(mostResultBytes)}};
    const std::vector<Reply> replies = co_await ask(value);
    const QJsonObject json = jsonObject(replies[0].text, mostResultBytes);
    if (jsonText(json, "task_id") != id || id.isEmpty()) {
        detail.problem =
            Error{ErrorCode::NotFound, LayoutText::tr("No result of that task is kept in Redis")};
        co_return detail;
    }
    detail.facts.id = id;
    detail.facts.name = jsonText(json, "name").left(celeryResultsNameBytes); // if extended
    detail.facts.worker = jsonText(json, "worker");
    detail.facts.finishedMs = isoTimeMs(jsonText(json, "date_done"));
    detail.stack = jsonText(json, "traceback");
    detail.facts.error = firstLine(lastLine(detail.stack));
    const QByteArray status = jsonText(json, "status");
    detail.fields.emplace_back("status", status);
    const QJsonValue result = json.value(QLatin1String("result"));
    if (!result.isNull() && !result.isUndefined())
        detail.result = result.isObject() || result.isArray()
                            ? QJsonDocument::fromVariant(result.toVariant()).toJson()
                            : jsonText(json, "result");
    Links links(link, detail);
    links.add(Relation::Parent, jsonText(json, "parent_id"));
    // [[[id, parent], members of a group], ...]
    for (const QJsonValue& child : json.value(QLatin1String("children")).toArray())
        links.add(Relation::Child, child.toArray().at(0).toArray().at(0).toString().toUtf8());
    co_return detail;
}

} // namespace lk
