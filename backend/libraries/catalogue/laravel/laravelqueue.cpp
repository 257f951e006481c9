// SPDX-License-Identifier: GPL-3.0-or-later
// Laravel's Redis queues (https://laravel.com/docs/queues). Failed jobs are in the application's
// database, not in Redis. The time that a worker may take, retry_after, is not stored. A reserved
// job is overdue once the time in its score has passed.
#include "backend/libraries/catalogue/laravel/laravelactions.h"
#include "backend/libraries/catalogue/laravel/laraveljobs.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

class LaravelQueue final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("laravel-queue"); }
    QString title() const override { return LayoutText::tr("Laravel queue"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("queue"); }
    KeyType mainType() const override { return KeyType::List; }
    bool wants(KeyType type) const override
    {
        return type == KeyType::List || type == KeyType::ZSet || type == KeyType::String;
    }

    std::vector<QByteArray> nameParts(KeyType type) const override
    {
        return {type == KeyType::String ? "illuminate:queue:paused:" : "queues:"};
    }
    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type == KeyType::String) {
            std::vector<QByteArray> names;
            for (const QByteArray& main : laravelPauseOf(name).mains)
                names.insert(names.end(), {main, main + ":delayed", main + ":reserved"});
            return names;
        }
        const LaravelName laravel = laravelNameOf(name);
        if (laravel.part.isEmpty() || !wants(type))
            return {};
        return {laravel.main, laravel.main + ":reserved", laravel.main + ":delayed"};
    }

    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        const LaravelName laravel = laravelNameOf(name);
        return laravel.part == "notify" ? std::vector{laravel.main} : std::vector<QByteArray>();
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        if (probe.type == KeyType::String)
            return pauseClaim(probe);
        const LaravelName name = laravelNameOf(probe.name);
        if (name.main.isEmpty())
            return std::nullopt;
        const bool list = name.part.isEmpty() || name.part == "notify";
        if (probe.type != (list ? KeyType::List : KeyType::ZSet))
            return std::nullopt;
        if (name.part == "notify") {
            const bool beside = probe.sibling(name.main) == KeyType::List ||
                                probe.sibling(name.main + ":reserved") == KeyType::ZSet ||
                                probe.sibling(name.main + ":delayed") == KeyType::ZSet;
            return probe.first == "1" && beside ? std::optional(claimOf(probe, name))
                                                : std::nullopt;
        }
        const bool ours =
            list ? laravelJobOf(probe.first) || laravelJobOf(probe.last)
                 : !probe.members.empty() && laravelJobOf(probe.members.front().member).has_value();
        return ours ? std::optional(claimOf(probe, name)) : std::nullopt;
    }

    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        claim.label = laravelNameOf(name).queue;
        return claim;
    }

    ActionList actions() const override { return actions::laravelActions(); }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        return {{"GET", pauseKey(primitive)}};
    }
    // All reserved jobs that are overdue, however many there are.
    std::vector<Command> furtherSetting(const Primitive& primitive,
                                        const QueueSetting& setting) const override
    {
        return {{"ZCOUNT", primitive.id.name + ":reserved", "-inf",
                 QByteArray::number(setting.nowMs / 1000)}};
    }
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        const QByteArray& main = primitive.id.name;
        return {{"pending", JobRole::Ready, main, JobsKey::Shape::FromLeft},
                {"reserved", JobRole::Processing, main + ":reserved", JobsKey::Shape::Sorted},
                {"delayed", JobRole::Delayed, main + ":delayed", JobsKey::Shape::Sorted}};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting& setting,
                                  const JobRead& read) const override
    {
        JobFacts job = laravelJobOf(read.element).value_or(JobFacts());
        if (key.role == JobRole::Delayed && read.score)
            job.dueMs = qint64(*read.score * 1000);
        if (key.role == JobRole::Processing && read.score)
            job.leaseAlive = *read.score * 1000 > double(setting.nowMs);
        return job;
    }
    void finish(const Primitive&, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.stuck = countOf(setting.second[0]);
        queue.paused = isTrue(setting.first[0]);
    }

private:
    // If the cache is elsewhere or no scan has found the key, the queue is not shown as paused.
    static QByteArray pauseKey(const Primitive& primitive)
    {
        const QByteArray seen = primitive.key("pause");
        return seen.isEmpty() ? primitive.id.name + ":paused" : seen;
    }
    // The cache stores a value with or without PHP's serialization.
    static bool isTrue(const Reply& value)
    {
        return value.isText() &&
               (value.text == "b:1;" || value.text == "1" || value.text == "i:1;");
    }

    std::optional<Claim> pauseClaim(const Probe& probe) const
    {
        const LaravelPause pause = laravelPauseOf(probe.name);
        const auto main =
            std::find_if(pause.mains.rbegin(), pause.mains.rend(), [&](const QByteArray& name) {
                return probe.sibling(name) == KeyType::List ||
                       probe.sibling(name + ":delayed") == KeyType::ZSet ||
                       probe.sibling(name + ":reserved") == KeyType::ZSet;
            });
        if (main == pause.mains.rend())
            return std::nullopt;
        Claim claim{{id(), *main}, {{mainRole(), *main, true}}, 0.97, pause.queue};
        claim.keys.push_back({QByteArrayLiteral("pause"), probe.name});
        return claim;
    }

    Claim claimOf(const Probe& probe, const LaravelName& name) const
    {
        const bool seen = probe.name == name.main || probe.sibling(name.main) == KeyType::List;
        Claim claim{{id(), name.main}, {{mainRole(), name.main, !seen}}, 0.97, name.queue};
        if (!name.part.isEmpty())
            claim.keys.push_back({name.part, probe.name});
        return claim;
    }
};

} // namespace

LK_LAYOUT(laravelQueue, LaravelQueue)

} // namespace lk
