// SPDX-License-Identifier: GPL-3.0-or-later
// Lists: what is moved is moved as the bytes it is, in one script, so that no job is lost or there
// twice, whoever else works on the lists.
#include "backend/actions/actions.h"
#include "backend/actions/itemchoice.h"
#include "backend/actions/keylook.h"
#include "backend/actions/statetexts.h"
#include "backend/actions/targetlist.h"

#include "backend/core/keyname.h"

namespace lk::actions {

namespace {

ActionParameter endParameter(const QByteArray& preset)
{
    return {QByteArrayLiteral("to"), ActionParameter::Type::Choice, ActionText::tr("Where to"),
            ActionText::tr("next: taken first; back: taken last"), false, {"next", "back"}, preset};
}

QByteArray endOf(const ActionRequest& request, const QByteArray& preset)
{
    return request.has("to") ? request.text("to") : preset;
}

// One preview each, so that a person recognises what is about to move.
QString previews(const std::vector<QByteArray>& items)
{
    QStringList lines;
    for (size_t i = 0; i < items.size() && i < 3; ++i)
        lines << displayPreview(items[i], 60);
    if (items.size() > 3)
        lines << ActionText::tr("and %Ln more", nullptr, int(items.size() - 3));
    return lines.join(QStringLiteral("; "));
}

// Where a kind of move starts and ends, and what it is called.
struct Move
{
    const char* id;
    const char* from;
    const char* to;         ///< a role; null: nowhere
    QByteArray end;         ///< where the items go unless told otherwise
};

class MoveItems final : public Action
{
public:
    explicit MoveItems(Move move)
        : m_move(move)
    {}

    QByteArray id() const override { return m_move.id; }
    QString title() const override
    {
        if (!m_move.to)
            return ActionText::tr("Drop");
        if (id() == "queue.requeue")
            return ActionText::tr("Requeue");
        return id() == "queue.bury" ? ActionText::tr("Bury") : ActionText::tr("Replay");
    }
    QString summary() const override
    {
        if (!m_move.to)
            return ActionText::tr("take items out of processing for good");
        if (id() == "queue.requeue")
            return ActionText::tr("give items in processing back to the workers");
        return id() == "queue.bury" ? ActionText::tr("move items from processing to the dead list")
                                    : ActionText::tr("give items of the dead list to the workers");
    }
    bool removes() const override { return !m_move.to; }
    std::vector<ActionParameter> parameters() const override
    {
        std::vector<ActionParameter> all = itemParameters();
        if (m_move.to)
            all.push_back(endParameter(m_move.end));
        return all;
    }
    QString unavailable(const State& state) const override
    {
        const auto* queue = state.as<QueueState>();
        const bool dead = QByteArray(m_move.from) == "dead";
        const auto count = queue ? (dead ? queue->dead : queue->processing) : std::nullopt;
        if (count == 0)
            return dead ? ActionText::tr("nothing is in the dead list")
                        : ActionText::tr("nothing is in processing");
        if (m_move.to && state.primitive) {
            if (const auto to = writableList(*state.primitive, m_move.to); !to)
                return to.error().detail;
        }
        return Action::unavailable(state);
    }
    std::vector<Command> look(const State& state, const ActionRequest& request,
                              std::span<const Reply> looked) const override
    {
        return lookAtItems(state, request, m_move.from, looked);
    }
    Result<Plan> plan(const ActionContext& context) const override;

private:
    void describe(Plan& plan, const ActionContext& context, const ItemsSeen& seen) const;

    Move m_move;
};

void MoveItems::describe(Plan& plan, const ActionContext& context, const ItemsSeen& seen) const
{
    const int n = int(seen.items.size());
    const QString name = nameOf(context.state);
    if (!m_move.to) {
        plan.question = ActionText::tr("Drop %Ln item(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("The work is not done by anybody.");
    } else if (id() == "queue.requeue") {
        plan.question = ActionText::tr("Requeue %Ln item(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr(
            "Another worker takes them. A worker that still has one in hand does it, too.");
    } else if (id() == "queue.bury") {
        plan.question = ActionText::tr("Bury %Ln item(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("No worker takes them until they are replayed.");
    } else {
        plan.question = ActionText::tr("Replay %Ln item(s) of %1?", nullptr, n).arg(name);
        plan.consequence = ActionText::tr("Workers take them; what failed may fail again.");
    }
    plan.expected = ActionText::tr("%1 of %2 in %3: %4")
                        .arg(n)
                        .arg(seen.length)
                        .arg(displayName(seen.list), previews(seen.items));
    if (seen.unknown > 0)
        plan.expected += ActionText::tr("; %Ln of unknown age left out", nullptr, int(seen.unknown));
    plan.guard = ActionText::tr("each item still is in %1, byte for byte").arg(displayName(seen.list));
}

Result<Plan> MoveItems::plan(const ActionContext& context) const
{
    const Result<ItemsSeen> seen = itemsSeen(context, m_move.from);
    if (!seen)
        return tl::unexpected(seen.error());
    Plan plan = planFor(*this, context.state);
    describe(plan, context, *seen);
    plan.items = seen->items;
    plan.objects = qint64(seen->items.size());
    plan.undo.kind = UndoWay::Kind::Script;
    plan.undo.appendsItems = true;
    if (!m_move.to) {
        plan.script = QByteArrayLiteral("queue-drop");
        plan.keys = {seen->list};
        plan.args = seen->items;
        plan.commands = {shown({"LREM", seen->list, "-1", seen->items.front()})};
        plan.loses = true;
        plan.undo.script = QByteArrayLiteral("queue-put-back");
        plan.undo.keys = plan.keys;
    } else {
        const Result<QByteArray> to = writableList(*context.state.primitive, m_move.to);
        if (!to)
            return tl::unexpected(to.error());
        const QByteArray end = endOf(context.request, m_move.end);
        plan.script = QByteArrayLiteral("queue-move");
        plan.keys = {seen->list, *to};
        plan.args = {end};
        plan.args.insert(plan.args.end(), seen->items.begin(), seen->items.end());
        plan.commands = {shown({"LREM", seen->list, "-1", seen->items.front()}),
                         shown({end == "next" ? "RPUSH" : "LPUSH", *to, seen->items.front()})};
        plan.undo.script = QByteArrayLiteral("undo-move");
        plan.undo.keys = {*to, seen->list};
        plan.undo.args = {end};
    }
    if (seen->items.size() > 1)
        plan.commands << ActionText::tr("… and so for each of the %1 items").arg(seen->items.size());
    return plan;
}

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
        plan.undo.kind = UndoWay::Kind::Restore;
        return plan;
    }
};

} // namespace

const Action& requeueItems()
{
    static const MoveItems action({"queue.requeue", "processing", "ready", "next"});
    return action;
}

const Action& dropItems()
{
    static const MoveItems action({"queue.drop", "processing", nullptr, {}});
    return action;
}

const Action& buryItems()
{
    static const MoveItems action({"queue.bury", "processing", "dead", "back"});
    return action;
}

const Action& unburyItems()
{
    static const MoveItems action({"queue.unbury", "dead", "ready", "back"});
    return action;
}

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
