// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

#include <QJsonArray>
#include <QJsonObject>

namespace lk::actions {

/// What an operator may give as a job of a library.
enum class PushForm : quint8 {
    Json,      ///< a name, and any JSON
    Arguments, ///< a name, and a JSON array, or an object of named arguments
    Array,     ///< a name, and a JSON array
    Object,    ///< a JSON object; what the queue is called says what the job is
    Bytes,     ///< a name, and whatever its worker expects
    Fields,    ///< a JSON object with string values
    Plain,     ///< whatever its worker expects
};

/// A job that an operator adds, before the library's own form is made of it.
struct PushedJob
{
    QByteArray name;
    QByteArray payload; ///< checked: of the form
    QByteArray id;      ///< a fresh UUID
    qint64 nowMs = 0;   ///< server time
};

/// How one library adds a job.
struct LibraryPush
{
    PushForm form;
    QByteArray script;
    /// Read-only commands that it needs to know more, asked again with the replies so far. May be
    /// null.
    std::vector<Command> (*reads)(const Primitive& queue, std::span<const Reply> replies);
    /// Fills keys, args and commands; the payload is shown nowhere. Errors: NotPossible,
    /// BadArgument.
    Result<void> (*fill)(Plan& plan, const Primitive& queue, const PushedJob& job,
                         std::span<const Reply> replies);
};

/// Adds a job that an operator gives, in the library's own form: --name and --payload.
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

/// A text as JSON.
QByteArray quoted(const QByteArray& text);
/// JSON without blanks.
QByteArray compact(const QJsonObject& object);
QByteArray compact(const QJsonArray& array);
/// The first so many hexadecimal digits of its id.
QByteArray hexId(const PushedJob& job, qsizetype digits);

/// What a function is called with.
struct CallArguments
{
    QJsonArray args;
    QJsonObject kwargs;
};
/// Of a payload of the form PushForm::Arguments.
CallArguments callOf(const QByteArray& payload);

/// What else job-push.lua writes, in its own order.
struct PushedBeside
{
    const char* kind; ///< "hash", "field", "member" or "wake"
    QByteArray key;
    std::vector<QByteArray> words;
};
/// Fills a plan that job-push.lua runs.
void fillPush(Plan& plan, const char* how, const QByteArray& list, const QByteArray& element,
              const std::vector<PushedBeside>& beside);

} // namespace lk::actions
