// SPDX-License-Identifier: GPL-3.0-or-later
// Agenda with its Redis backend (https://github.com/agenda/agenda). Each job has a hash. One sorted
// set contains all jobs, scored by the time of their next run. A running job stays in the set; its
// hash contains the time at which it was locked. A job that will not run again has the largest
// whole number as its score.
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"
#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <QDateTime>

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

const QByteArray nextRuns = QByteArrayLiteral("jobs:by_next_run_at");
const QByteArray never = QByteArrayLiteral("9000000000000000"); // ended jobs have a higher score

// The fields of a job's hash that are read, in this order.
constexpr const char* jobFields[] = {"name",      "lockedAtMs", "failReason", "failCount",
                                     "nextRunAt", "lastRunAt",  "progress",   "lastModifiedBy"};

// The prefix of all its keys.
QByteArray stemOfKey(const QByteArray& name, const QByteArray& part)
{
    const qsizetype at = name.lastIndexOf(part);
    const bool begins = at == 0 || (at > 0 && (name[at - 1] == ':' || name[at - 1] == '}' ||
                                               name[at - 1] == '-' || name[at - 1] == '.'));
    return begins ? name.left(at) : QByteArray();
}

QByteArray labelOf(const QByteArray& main)
{
    QByteArray stem = main.chopped(std::min(main.size(), nextRuns.size()));
    while (!stem.isEmpty() && (stem.endsWith(':') || stem.endsWith('.') || stem.endsWith('-')))
        stem.chop(1);
    return stem.isEmpty() ? QByteArrayLiteral("agenda") : stem;
}

std::optional<qint64> isoMs(const QByteArray& text)
{
    const QDateTime time = QDateTime::fromString(QString::fromLatin1(text), Qt::ISODateWithMs);
    return time.isValid() ? std::optional(time.toMSecsSinceEpoch()) : std::nullopt;
}

class Agenda final : public KeyedQueue, public KeyHints, public SiblingKeys
{
public:
    QByteArray id() const override { return QByteArrayLiteral("agenda"); }
    QString title() const override { return LayoutText::tr("Agenda"); }
    QByteArray mainRole() const override { return QByteArrayLiteral("next_runs"); }
    KeyType mainType() const override { return KeyType::ZSet; }
    bool wants(KeyType type) const override { return type == KeyType::ZSet; }
    std::vector<QByteArray> nameParts(KeyType) const override { return {nextRuns}; }

    std::vector<QByteArray> siblings(const QByteArray& name, KeyType type) const override
    {
        if (type != KeyType::ZSet || !name.endsWith(nextRuns))
            return {};
        return {name.chopped(nextRuns.size()) + "jobs:all"};
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        for (const char* part : {"jobs:by_name:", "jobs:single:", "jobs:all", "job:"}) {
            const QByteArray word(part);
            const qsizetype at = name.lastIndexOf(word);
            if (at < 0 || (at > 0 && stemOfKey(name, word).isEmpty()) ||
                (word == "job:" && !isUuid(QByteArrayView(name).sliced(at + word.size()))))
                continue;
            return {name.left(at) + nextRuns};
        }
        return {};
    }

    std::optional<Claim> classify(const Probe& probe) const override
    {
        const bool ids = !probe.members.empty() &&
                         std::all_of(probe.members.begin(), probe.members.end(),
                                     [](const ScoredMember& m) { return isUuid(m.member); });
        if (probe.type != KeyType::ZSet || !probe.name.endsWith(nextRuns) || !ids ||
            probe.sibling(probe.name.chopped(nextRuns.size()) + "jobs:all") != KeyType::Set)
            return std::nullopt;
        return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, 0.97, labelOf(probe.name)};
    }
    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = Layout::declared(declaration, name);
        claim.label = labelOf(name);
        return claim;
    }

protected:
    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        const QByteArray now = QByteArray::number(setting.nowMs);
        const QByteArray& key = primitive.id.name;
        return {{"due", JobRole::Ready, key, Shape::Range, {}, false, "-inf", now},
                {"scheduled", JobRole::Delayed, key, Shape::Range, {}, false, '(' + now, never},
                {"ended", JobRole::Done, key, Shape::Range, {}, false, '(' + never, "+inf"}};
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        return {jobKeyOf(primitive, element), QByteArrayLiteral("data"), true};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey&, const QueueSetting&,
                                    const QByteArray& element) const override
    {
        Command fields{"HMGET", jobKeyOf(primitive, element)};
        for (const char* field : jobFields)
            fields << field;
        return {fields};
    }
    std::optional<JobFacts> jobOf(const Primitive&, const JobsKey& key, const QueueSetting&,
                                  const JobRead& read) const override
    {
        JobFacts job;
        job.id = read.element;
        if (read.replies.empty())
            return job;
        const auto field = [&](size_t i) {
            const QByteArray text = fieldText(read.replies[0], i);
            return text == "null" ? QByteArray() : text;
        };
        job.name = field(0).left(128);
        job.startedMs = wholeNumber(field(1));
        job.error = firstLine(field(2));
        job.attempts = wholeNumber(field(3));
        if (key.role == JobRole::Delayed)
            job.dueMs = isoMs(field(4));
        if (key.role == JobRole::Ready)
            job.readyMs = isoMs(field(4));
        job.progress = field(6).left(64);
        if (job.startedMs)
            job.worker = field(7);
        return job;
    }
    // Only the hashes show which jobs are running.
    void finish(const Primitive&, State&, QueueState& queue, const QueueSetting&) const override
    {
        queue.states.insert(queue.states.begin() + 1,
                            {"running", JobRole::Processing, std::nullopt});
    }

private:
    static QByteArray jobKeyOf(const Primitive& primitive, const QByteArray& id)
    {
        return primitive.id.name.chopped(std::min(primitive.id.name.size(), nextRuns.size())) +
               "job:" + id;
    }
};

} // namespace

namespace layouts {
const Layout& agenda()
{
    static const Agenda layout;
    return layout;
}
} // namespace layouts

} // namespace lk
