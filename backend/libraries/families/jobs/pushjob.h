// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

#include <QJsonArray>
#include <QJsonObject>

namespace lk::actions {

/// The form of a job that an operator enters for a library.
enum class PushForm : quint8 {
    Json,      ///< a name, and any JSON
    Arguments, ///< a name, and a JSON array, or an object of named arguments
    Array,     ///< a name, and a JSON array
    Object,    ///< a JSON object; the queue's name determines the job
    Bytes,     ///< a name, and any bytes that its worker expects
    Fields,    ///< a JSON object with string values
    Plain,     ///< any bytes that its worker expects
};

/// A job that an operator adds, before it is converted to the library's form.
struct PushedJob
{
    QByteArray name;
    QByteArray payload; ///< checked against the form
    QByteArray id;      ///< a fresh UUID
    qint64 nowMs = 0;   ///< server time
};

/// How one library adds a job.
struct LibraryPush
{
    PushForm form;
    QByteArray script;
    /// Read-only commands for further facts. Called again with the replies so far. May be null.
    std::vector<Command> (*reads)(const Primitive& queue, std::span<const Reply> replies);
    /// Fills keys, args and commands; never shows the payload. Errors: NotPossible,
    /// BadArgument.
    Result<void> (*fill)(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply> replies);
};

/// Adds a job given by --name and --payload, in the library's own form.
class PushJob final : public Action
{
public:
    explicit PushJob(LibraryPush push)
        : m_push(std::move(push))
    {}

    QByteArray id() const override { return QByteArrayLiteral("queue.push"); }
    QString title() const override { return ActionText::tr("Push job"); }
    QString summary() const override { return ActionText::tr("add a job to the queue"); }
    std::vector<ActionParameter> parameters() const override;
    std::vector<Command> prefetch(const State& state, const ActionRequest& request,
                                  std::span<const Reply> prefetched) const override;
    Result<Plan> plan(const ActionContext& context) const override;

private:
    bool isNamed() const;

    LibraryPush m_push;
};

/// The text as a JSON string.
QByteArray quoted(const QByteArray& text);
/// JSON without white space.
QByteArray compact(const QJsonObject& object);
QByteArray compact(const QJsonArray& array);
/// The first hexadecimal digits of the job's id.
QByteArray hexId(const PushedJob& job, qsizetype digits);

/// The arguments of a function call.
struct CallArguments
{
    QJsonArray args;
    QJsonObject kwargs;
};
/// The arguments from a payload of the form PushForm::Arguments.
CallArguments callOf(const QByteArray& payload);

/// A further key that job-push.lua writes, in this order.
struct PushedBeside
{
    const char* kind; ///< "hash", "field", "member" or "wake"
    QByteArray key;
    std::vector<QByteArray> words;
};
/// Fills a plan for job-push.lua.
void fillPush(Plan& plan, const char* how, const QByteArray& list, const QByteArray& element,
              const std::vector<PushedBeside>& beside);

} // namespace lk::actions
