// SPDX-License-Identifier: GPL-3.0-or-later
// XADD, XACK and XDEL of pending entries; see lua/actions/streams/stream-jobs.lua.
#include "backend/libraries/families/streams/streamactions.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/families/jobs/libraryjobs.h"
#include "backend/libraries/families/jobs/pushjob.h"
#include "backend/libraries/families/streams/streamgroups.h"
#include "backend/text/time/duration.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lk::actions {

namespace {

// The least idle time of an entry that may be taken from its consumer.
qint64 leastIdleMs(const Primitive& queue)
{
    const std::optional<qint64> declared =
        queue.declaration ? queue.declaration->stuckAfterMs : std::nullopt;
    return declared.value_or(QueueState().stuckAfterMs);
}

// Reads one entry: its group, whether the stream still has it, and how long it has been pending.
enum OfEntry : size_t { InGroups, InStream, Pending };
std::vector<Command> ofEntry(const Primitive& queue, const StoredJob& job,
                             std::span<const Reply> replies)
{
    const QByteArray& stream = queue.id.name;
    const QByteArray& id = job.facts.id;
    if (replies.empty())
        return {{"XINFO", "GROUPS", stream}, {"XRANGE", stream, id, id}};
    const std::vector<StreamGroup> groups = streamGroupsOf(replies[InGroups]);
    if (replies.size() > Pending || groups.size() != 1)
        return {};
    return {{"XPENDING", stream, groups[0].name, id, id, "1"}};
}

QString entryObjection(const Primitive& queue, JobVerb verb, const StoredJob& job,
                       std::span<const Reply> replies)
{
    if (replies.size() <= Pending)
        return ActionText::tr("Only streams with one consumer group are supported");
    if (verb != JobVerb::Requeue)
        return {};
    const QString id = displayPreview(job.facts.id, 40);
    if (replies[InStream].items.empty())
        return ActionText::tr("Entry %1 was deleted from the stream: nothing is left to be run")
            .arg(id);
    const std::vector<PendingEntry> pending = pendingOf(replies[Pending]);
    const qint64 least = leastIdleMs(queue);
    if (!pending.empty() && pending[0].idleMs < least)
        return ActionText::tr("Entry %1 was delivered %2 ago, and its consumer may still process "
                              "it; it can be requeued after %3 (stuck_after)")
            .arg(id, formatDuration(pending[0].idleMs), formatDuration(least));
    return {};
}

Result<void> fillStream(Plan& plan, const LibraryMove& move, const Primitive& queue,
                        const std::vector<StoredJob>& jobs, std::span<const Reply>)
{
    const QByteArray& stream = queue.id.name;
    const QByteArray group = streamGroupsOf(move.told[0][InGroups]).front().name;
    plan.keys = {stream};
    const QByteArray& id = jobs.front().facts.id;
    if (move.verb == JobVerb::Requeue) {
        plan.args = {"again", group, QByteArray::number(leastIdleMs(queue))};
        plan.commands = {shown({"XADD", stream, "*", "•••"}), shown({"XACK", stream, group, id}),
                         shown({"XDEL", stream, id})};
        plan.consequence +=
            QLatin1Char(' ') +
            ActionText::tr("Each entry is added to the stream once more, and the pending one is "
                           "acknowledged and deleted: the next consumer that asks for new entries "
                           "takes it.");
        plan.guard = ActionText::tr(
            "each entry is still pending for the same consumer, and idle for long enough");
    } else {
        plan.args = {"drop", group, "0"};
        plan.commands = {shown({"XACK", stream, group, id}), shown({"XDEL", stream, id})};
    }
    for (const StoredJob& job : jobs) {
        plan.args.push_back(job.facts.worker);
        plan.args.push_back(job.facts.id);
    }
    return {};
}

LibraryMove streamMove(JobVerb verb)
{
    return {verb,    {"pending"}, {JobRole::Processing}, "stream-jobs", nullptr, fillStream,
            nullptr, ofEntry,     entryObjection};
}

Result<void> fillStreamPush(Plan& plan, const Primitive& queue, const PushedJob& job,
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

ActionList streamActions()
{
    static const LibraryJobs requeue(streamMove(JobVerb::Requeue));
    static const LibraryJobs discard(streamMove(JobVerb::Discard));
    static const PushJob push({PushForm::Fields, "stream-push", nullptr, fillStreamPush});
    return {&requeue, &discard, &push};
}

} // namespace lk::actions
