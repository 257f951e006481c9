// SPDX-License-Identifier: GPL-3.0-or-later
// Lists as a whole: a job is pushed into them, and circular ones are turned.
#include "backend/actions/actions.h"
#include "backend/actions/itemchoice.h"
#include "backend/actions/keylook.h"
#include "backend/actions/statetexts.h"
#include "backend/actions/targetlist.h"

#include "backend/core/keyname.h"

namespace lk::actions {

namespace {

class PushItem final : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("queue.push"); }
    QString title() const override { return ActionText::tr("Push a job"); }
    QString summary() const override { return ActionText::tr("put a job into the queue"); }
    std::vector<ActionParameter> parameters() const override
    {
        return {{QByteArrayLiteral("payload"), ActionParameter::Type::Payload,
                 ActionText::tr("Payload"), ActionText::tr("the job, exactly as workers expect it"),
                 true, {}, {}},
                endParameter("back")};
    }
    QString unavailable(const State& state) const override
    {
        const auto list = state.primitive ? writableList(*state.primitive, "ready")
                                          : Result<QByteArray>(QByteArray());
        return list ? QString() : list.error().detail;
    }

    Result<Plan> plan(const ActionContext& context) const override
    {
        const Result<QByteArray> ready = writableList(*context.state.primitive, "ready");
        if (!ready)
            return tl::unexpected(ready.error());
        const QByteArray list = *ready;
        const QByteArray payload = context.request.text("payload");
        const QByteArray end = endOf(context.request, "back");
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Push a job into %1?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("A worker takes it as any other job.");
        plan.expected = ActionText::tr("%Ln byte(s)", nullptr, int(payload.size()));
        plan.guard = ActionText::tr("the key is a list, or not there");
        plan.commands = {shown({end == "next" ? "RPUSH" : "LPUSH", list, payload})};
        plan.script = QByteArrayLiteral("queue-push");
        plan.keys = {list};
        plan.args = {end, payload};
        plan.undo = {UndoWay::Kind::Script, "queue-drop", {list}, {payload}, false, {}};
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
        return ActionText::tr("let the one who is due wait, and the next be due");
    }
    std::vector<Command> look(const State& state, const ActionRequest&,
                              std::span<const Reply> looked) const override
    {
        if (!looked.empty())
            return {};
        return {{"LINDEX", state.primitive->keys.front().key, "-1"}};
    }
    Result<Plan> plan(const ActionContext& context) const override
    {
        if (const auto error = errorAmong(context.looked))
            return tl::unexpected(*error);
        if (context.looked.empty() || !context.looked[0].isText())
            return notPossible(ActionText::tr("The list is empty"));
        const QByteArray item = context.looked[0].text;
        const QByteArray list = context.state.primitive->keys.front().key;
        Plan plan = planFor(*this, context.state);
        plan.question = ActionText::tr("Rotate %1 by one?").arg(nameOf(context.state));
        plan.consequence = ActionText::tr("It is at the back of the list then; nothing is lost.");
        plan.expected = ActionText::tr("%1 is due").arg(displayPreview(item, 60));
        plan.guard = ActionText::tr("it still is due");
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
