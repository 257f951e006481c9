// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/pushjob.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <algorithm>

namespace lk::actions {

namespace {

constexpr qsizetype longestShown = 60; // bytes of a job's name

// True for any JSON value. QJsonDocument itself accepts only arrays and objects.
bool isJson(const QByteArray& text)
{
    QJsonParseError error;
    QJsonDocument::fromJson('[' + text + ']', &error);
    return error.error == QJsonParseError::NoError && !text.trimmed().isEmpty();
}

// The problem with the payload: a sentence without full stop. Empty if it is valid.
QString wrongWith(PushForm form, const QByteArray& payload)
{
    const QJsonDocument json = QJsonDocument::fromJson(payload);
    switch (form) {
    case PushForm::Json:
        return isJson(payload) ? QString() : ActionText::tr("The payload is not JSON");
    case PushForm::Array:
        return json.isArray() ? QString() : ActionText::tr("The payload must be a JSON array");
    case PushForm::Arguments:
        return json.isArray() || json.isObject()
                   ? QString()
                   : ActionText::tr("The payload must be a JSON array or object");
    case PushForm::Object:
        return json.isObject() ? QString() : ActionText::tr("The payload must be a JSON object");
    case PushForm::Fields: {
        const QJsonObject fields = json.object();
        const bool texts = !fields.isEmpty() &&
                           std::all_of(fields.begin(), fields.end(),
                                       [](const QJsonValue& value) { return value.isString(); });
        return texts ? QString()
                     : ActionText::tr("The payload must be a JSON object with string values");
    }
    case PushForm::Bytes:
    case PushForm::Plain:
        break;
    }
    return {};
}

QString helpOf(PushForm form)
{
    switch (form) {
    case PushForm::Json:
        return ActionText::tr("the job's data as JSON");
    case PushForm::Array:
        return ActionText::tr("its arguments as a JSON array");
    case PushForm::Arguments:
        return ActionText::tr("its arguments as a JSON array, or a JSON object if they are named");
    case PushForm::Object:
        return ActionText::tr("its arguments as a JSON object");
    case PushForm::Fields:
        return ActionText::tr("the entry's fields as a JSON object with string values");
    case PushForm::Bytes:
    case PushForm::Plain:
        break;
    }
    return ActionText::tr("the job, exactly as workers expect it");
}

} // namespace

bool PushJob::isNamed() const
{
    return m_push.form != PushForm::Object && m_push.form != PushForm::Fields &&
           m_push.form != PushForm::Plain;
}

std::vector<ActionParameter> PushJob::parameters() const
{
    std::vector<ActionParameter> all;
    if (isNamed())
        all.push_back({QByteArrayLiteral("name"),
                       ActionParameter::Type::Text,
                       ActionText::tr("Job name"),
                       ActionText::tr("the job's class, function or type, as workers know it"),
                       true,
                       {},
                       {}});
    all.push_back({QByteArrayLiteral("payload"),
                   ActionParameter::Type::Payload,
                   ActionText::tr("Payload"),
                   helpOf(m_push.form),
                   true,
                   {},
                   {}});
    return all;
}

std::vector<Command> PushJob::prefetch(const State& state, const ActionRequest&,
                                       std::span<const Reply> prefetched) const
{
    return m_push.reads && !errorAmong(prefetched) ? m_push.reads(*state.primitive, prefetched)
                                                   : std::vector<Command>();
}

Result<Plan> PushJob::plan(const ActionContext& context) const
{
    if (const auto error = errorAmong(context.prefetched))
        return tl::unexpected(*error);
    const PushedJob job{context.request.text("name"), context.request.text("payload"),
                        QUuid::createUuid().toByteArray(QUuid::WithoutBraces), context.nowMs};
    if (isNamed() && job.name.trimmed().isEmpty())
        return failure(ErrorCode::BadArgument, ActionText::tr("--name must not be empty"));
    if (const QString wrong = wrongWith(m_push.form, job.payload); !wrong.isEmpty())
        return failure(ErrorCode::BadArgument, wrong);
    Plan plan = planFor(*this, context.state);
    plan.question = ActionText::tr("Push a job into %1?").arg(nameOf(context.state));
    plan.consequence = ActionText::tr("A worker processes it like any other job.");
    const QString bytes = ActionText::tr("%Ln byte(s)", nullptr, int(job.payload.size()));
    plan.expected =
        isNamed() ? ActionText::tr("%1: %2").arg(displayPreview(job.name, longestShown), bytes)
                  : bytes;
    plan.guard = ActionText::tr("no job with its ID exists");
    plan.script = m_push.script;
    plan.undo.kind = UndoWay::Kind::Restore;
    if (auto filled = m_push.fill(plan, *context.state.primitive, job, context.prefetched); !filled)
        return tl::unexpected(filled.error());
    return plan;
}

QByteArray quoted(const QByteArray& text)
{
    const QByteArray json = compact(QJsonObject{{QStringLiteral("t"), QString::fromUtf8(text)}});
    return json.mid(5, json.size() - 6); // {"t":...}
}

QByteArray compact(const QJsonObject& object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

QByteArray compact(const QJsonArray& array)
{
    return QJsonDocument(array).toJson(QJsonDocument::Compact);
}

QByteArray hexId(const PushedJob& job, qsizetype digits)
{
    return QByteArray(job.id).replace('-', "").left(digits);
}

CallArguments callOf(const QByteArray& payload)
{
    const QJsonDocument json = QJsonDocument::fromJson(payload);
    return {json.array(), json.object()};
}

void fillPush(Plan& plan, const char* how, const QByteArray& list, const QByteArray& element,
              const std::vector<PushedBeside>& beside)
{
    plan.keys = {list};
    plan.args = {how, element};
    for (const PushedBeside& one : beside) {
        plan.keys.push_back(one.key);
        plan.args.push_back(one.kind);
        plan.args.push_back(QByteArray::number(one.words.size()));
        plan.args.insert(plan.args.end(), one.words.begin(), one.words.end());
        const QByteArray kind = one.kind;
        plan.commands << (kind == "member" ? shown({"SADD", one.key, one.words.front()})
                          : kind == "wake" ? shown({"RPUSH", one.key, one.words.front()})
                                           : shown({"HSET", one.key, one.words.front(), "•••"}));
    }
    plan.commands << shown({how, list, "•••"});
}

} // namespace lk::actions
