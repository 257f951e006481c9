// SPDX-License-Identifier: GPL-3.0-or-later
// XCLAIM and XACK of pending entries; see lua/actions/stream-jobs.lua.
#include "backend/actions/catalog/catalog.h"
#include "backend/actions/catalog/libraryjobs.h"
#include "backend/core/names/keyname.h"
#include "backend/layouts/probe/replyvalues.h"
#include "backend/layouts/queues/streams/streamgroups.h"

#include <algorithm>

namespace lk::actions {

namespace {

// An entry that was delivered later is not taken away.
qint64 leastIdleMs(const Primitive& queue)
{
    const std::optional<qint64> declared =
        queue.declaration ? queue.declaration->stuckAfterMs : std::nullopt;
    return declared.value_or(QueueState().stuckAfterMs);
}

// The group and its consumers, with when each asked last.
std::vector<Command> groupsRead(const Primitive& queue)
{
    return {{"XINFO", "STREAM", queue.id.name, "FULL", "COUNT", "1"}};
}

const std::vector<Reply>& listOf(const Reply& pairs, const char* name)
{
    static const std::vector<Reply> none;
    const Reply* value = namedValue(pairs, name);
    return value ? value->items : none;
}

// Who asked for entries last, of those that have none of these.
QByteArray receiverIn(const Reply& group, const std::vector<StoredJob>& jobs)
{
    QByteArray receiver;
    qint64 latest = 0;
    for (const Reply& consumer : listOf(group, "consumers")) {
        const Reply* name = namedValue(consumer, "name");
        const Reply* seen = namedValue(consumer, "seen-time");
        const bool has = name && std::any_of(jobs.begin(), jobs.end(), [&](const StoredJob& job) {
                             return job.facts.worker == name->text;
                         });
        if (name && seen && !has && countOf(*seen) > latest) {
            receiver = name->text;
            latest = countOf(*seen);
        }
    }
    return receiver;
}

Result<void> fill(Plan& plan, const LibraryMove& move, const Primitive& queue,
                  const std::vector<StoredJob>& jobs, std::span<const Reply> extra)
{
    const QByteArray& stream = queue.id.name;
    const std::vector<Reply> groups =
        extra.empty() ? std::vector<Reply>() : listOf(extra[0], "groups");
    const Reply* group = groups.size() == 1 ? namedValue(groups[0], "name") : nullptr;
    if (!group)
        return notPossible(ActionText::tr("Only streams with one consumer group are supported"));
    plan.keys = {stream};
    const QByteArray& id = jobs.front().facts.id;
    if (move.verb == JobVerb::Requeue) {
        const QByteArray to = receiverIn(groups[0], jobs);
        if (to.isEmpty())
            return notPossible(ActionText::tr("The group has no other consumer"));
        const QByteArray idle = QByteArray::number(leastIdleMs(queue));
        plan.args = {"claim", group->text, to, idle};
        plan.commands = {shown({"XCLAIM", stream, group->text, to, idle, id, "JUSTID"})};
        plan.consequence = ActionText::tr("The entries become pending for the consumer %1. If the "
                                          "consumer that has them now is alive, they are "
                                          "processed twice.")
                               .arg(displayPreview(to, 60));
        plan.guard = ActionText::tr(
            "each entry is still pending for the same consumer, and idle for long enough");
    } else {
        plan.args = {"drop", group->text, "", "0"};
        plan.commands = {shown({"XACK", stream, group->text, id}), shown({"XDEL", stream, id})};
    }
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.worker);
        plan.args.push_back(job.facts.id);
    }
    return {};
}

} // namespace

const Action& claimStreamEntries()
{
    static const LibraryJobs action(
        {JobVerb::Requeue, {"pending"}, {JobRole::Processing}, "stream-jobs", groupsRead, fill});
    return action;
}
const Action& discardStreamEntries()
{
    static const LibraryJobs action(
        {JobVerb::Discard, {"pending"}, {JobRole::Processing}, "stream-jobs", groupsRead, fill});
    return action;
}

} // namespace lk::actions
