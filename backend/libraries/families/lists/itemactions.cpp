// SPDX-License-Identifier: GPL-3.0-or-later
// Actions for whole lists: pushes a job, and rotates circular lists.
#include "backend/libraries/api/keyprefetch.h"
#include "backend/libraries/api/statetexts.h"
#include "backend/libraries/api/targetlist.h"
#include "backend/libraries/families/lists/jobchoice.h"
#include "backend/libraries/families/lists/listactions.h"

#include "backend/core/names/keyname.h"

namespace lk::actions {

namespace {

class PushItem final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("queue.push"); }
    QString title() const override { return ActionText::tr("Push job"); }
    QString summary() const override { return ActionText::tr("add a job to the queue"); }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("payload"),
                 ActionParameter::Type::Payload,
                 ActionText::tr("Payload"),
                 ActionText::tr("the job, exactly as workers expect it"),
                 true,
                 {},
                 {}},
                endParameter("back")};
    }
    QString unavailable(const State& state) const override
    {
        const auto list = state.primitive ? writableList(*state.primitive, JobRole::Ready)
                                          : Result<QByteArray>(QByteArray());
        return list ? QString() : list.error().detail;
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> ready = writableList(*context.state.primitive, JobRole::Ready);
        if (!ready)
            return tl::unexpected(ready.error());
        const QByteArray list = *ready;
        const QByteArray payload = context.request.text("payload");
        const QByteArray end = endOf(context.request, "back");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Push a job into %1?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("A worker processes it like any other job.");
        plan.expected = ActionText::tr("%Ln byte(s)", nullptr, int(payload.size()));
        plan.guard = ActionText::tr("the key is a list or does not exist");
        plan.commands = {shown({end == "next" ? "RPUSH" : "LPUSH", list, "•••"})};
        plan.script = QByteArrayLiteral("queue-push");
        plan.keys = {list};
        plan.args = {end, payload};
        plan.undo = {UndoWay::Kind::Script, "queue-discard", {list}, {payload}, false, {}};
        return plan;
    }
};

class RotateList final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("queue.rotate"); }
    QString title() const override { return ActionText::tr("Rotate"); }
    QString summary() const override
    {
        return ActionText::tr("move the member that is due to the back");
    }
    std::vector<Command> prefetch(const State& state, const ActionRequest&,
                                  std::span<const Reply> prefetched) const override
    {
        if (!prefetched.empty())
            return {};
        return {{"LINDEX", state.primitive->keys.front().key, "-1"}};
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        if (const auto error = errorAmong(context.prefetched))
            return tl::unexpected(*error);
        if (context.prefetched.empty() || !context.prefetched[0].isText())
            return notPossible(ActionText::tr("The list is empty"));
        const QByteArray item = context.prefetched[0].text;
        const QByteArray list = context.state.primitive->keys.front().key;
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Rotate %1 by one?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("The member moves to the back of the list; nothing is "
                                          "lost.");
        plan.expected = ActionText::tr("%1 is due").arg(displayPreview(item, 60));
        plan.guard = ActionText::tr("it is still due");
        plan.commands = {shown({"RPOPLPUSH", list, list})};
        plan.script = QByteArrayLiteral("queue-rotate");
        plan.keys = {list};
        plan.args = {item};
        plan.seen = {item};
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

} // namespace

const Action& pushItem()
{
    static const PushItem action;
    return action;
}

const Action& rotateList()
{
    static const RotateList action;
    return action;
}

} // namespace lk::actions
