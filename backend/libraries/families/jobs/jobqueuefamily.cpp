// SPDX-License-Identifier: GPL-3.0-or-later
// A job queue of a library or a service. Each state has a key with jobs or their ids. A job's data
// is in a hash, in a string of JSON, or in the element itself.
#include "backend/core/timeunit.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/files/filelayout.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr char jobPlaceholder[] = "job"; // the placeholder for a job's id in the names of its keys
constexpr qsizetype factBytes = 128;

// A time as libraries write it: a number in any unit, or ISO 8601.
std::optional<qint64> momentOf(const QByteArray& text)
{
    const auto number = decimalNumber(text);
    const auto unit = number ? timeUnitOf(*number) : std::nullopt;
    return unit ? std::optional(wholeMs(toMs(*number, *unit))) : isoTimeMs(text);
}

struct StateOfRole
{
    const char* role;
    JobRole jobs;
};
constexpr StateOfRole jobStates[] = {{"waiting", JobRole::Ready},
                                     {"active", JobRole::Processing},
                                     {"delayed", JobRole::Delayed},
                                     {"failed", JobRole::Dead},
                                     {"done", JobRole::Done}};

// A fact of a job, and the [read] setting with the name of its field.
struct JobField
{
    const char* setting;
    void (*take)(JobFacts& facts, const QByteArray& text);
};
constexpr JobField jobFields[] = {
    {"name_field", [](JobFacts& f, const QByteArray& t) { f.name = t.left(factBytes); }},
    {"worker_field", [](JobFacts& f, const QByteArray& t) { f.worker = t.left(factBytes); }},
    {"error_field", [](JobFacts& f, const QByteArray& t) { f.error = firstLine(t); }},
    {"attempts_field", [](JobFacts& f, const QByteArray& t) { f.attempts = wholeNumber(t); }},
    {"enqueued_field", [](JobFacts& f, const QByteArray& t) { f.enqueuedMs = momentOf(t); }},
    {"started_field", [](JobFacts& f, const QByteArray& t) { f.startedMs = momentOf(t); }},
    {"finished_field", [](JobFacts& f, const QByteArray& t) { f.finishedMs = momentOf(t); }},
    {"id_field", [](JobFacts& f, const QByteArray& t) { f.id = t.left(factBytes); }}};

class JobQueueFile final : public FileLayoutOf<KeyedQueue>
{
public:
    explicit JobQueueFile(LayoutFilePtr file)
        : FileLayoutOf<KeyedQueue>(std::move(file))
    {
        for (const JobField& field : jobFields) {
            const QByteArray name = this->file().setting<QByteArray>(field.setting, {});
            if (!name.isEmpty())
                m_fields.emplace_back(name, &field);
        }
        m_dataField = this->file().setting<QByteArray>("data_field", {});
        m_fromLeft = this->file().setting<QByteArray>("next", "right") == "left";
        m_endsAtScore = this->file().setting<QByteArray>("score", "began") == "deadline";
    }

    bool wants(KeyType type) const override
    {
        return std::any_of(file().keys.begin(), file().keys.end(), [&](const KeyRule& rule) {
            return rule.type == type && !isOfJob(rule);
        });
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        for (const KeyRule& rule : file().keys) {
            const QByteArray owner =
                isOfJob(rule) ? claims().primitiveOf(rule, name) : QByteArray();
            if (!owner.isEmpty())
                return {owner};
        }
        return {};
    }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        std::optional<Claim> claim = FileLayoutOf<KeyedQueue>::classify(probe);
        if (claim) {
            std::erase_if(claim->keys, [&](const KeyRole& key) {
                const KeyRule* rule = file().key(key.role);
                return rule && isOfJob(*rule);
            });
        }
        return claim;
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        const QByteArray paused = primitive.key("paused");
        return paused.isEmpty() ? std::vector<Command>() : std::vector<Command>{{"EXISTS", paused}};
    }
    std::vector<JobsKey> jobKeys(const Primitive& primitive, const QueueSetting&) const override
    {
        std::vector<JobsKey> keys;
        for (const StateOfRole& state : jobStates) {
            for (const KeyRole& key : primitive.keys) {
                const KeyRule* rule = key.role == state.role ? file().key(key.role) : nullptr;
                if (rule && !key.key.isEmpty())
                    keys.push_back({key.role, state.jobs, key.key, shapeOf(*rule, state.jobs)});
            }
        }
        return keys;
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        const KeyRule* rule = file().key("job");
        const QByteArray key = rule ? keyOfJob(*rule, primitive, element) : QByteArray();
        if (key.isEmpty())
            return {};
        if (rule->type == KeyType::String)
            return {key};
        if (!isOfJob(*rule)) // a hash of all jobs
            return {key, element};
        return m_dataField.isEmpty() ? JobStore() : JobStore{key, m_dataField, true};
    }
    std::vector<Command> readsOfJob(const Primitive& primitive, const JobsKey& key,
                                    const QueueSetting&, const QByteArray& element) const override
    {
        std::vector<Command> commands;
        if (readsHash()) {
            Command fields{"HMGET", keyOfJob(*file().key("job"), primitive, element)};
            for (const auto& [name, field] : m_fields)
                fields << name;
            commands.push_back(std::move(fields));
        }
        if (const KeyRule* lease = leaseOf(key))
            commands.push_back({"EXISTS", keyOfJob(*lease, primitive, element)});
        return commands;
    }
    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting& setting, const JobRead& read) const override
    {
        JobFacts facts;
        const KeyRule* job = file().key("job");
        if (job && !keyOfJob(*job, primitive, read.element).isEmpty())
            facts.id = read.element;
        std::span<const Reply> replies = read.replies;
        if (readsHash()) {
            for (size_t i = 0; i < m_fields.size() && !replies.empty(); ++i)
                take(facts, *m_fields[i].second, fieldText(replies[0], i));
            replies = replies.subspan(std::min<size_t>(1, replies.size()));
        } else {
            const QJsonObject json = jsonObject(job ? read.stored : read.element);
            for (const auto& [name, field] : m_fields)
                take(facts, *field, jsonText(json, name.constData()));
        }
        if (key.role == JobRole::Delayed && read.score)
            facts.dueMs = momentOfScore(*read.score);
        if (key.role != JobRole::Processing)
            return facts;
        if (leaseOf(key) && !replies.empty())
            facts.leaseAlive = countOf(replies[0]) > 0;
        else if (read.score && m_endsAtScore)
            facts.leaseAlive = momentOfScore(*read.score).value_or(0) > setting.nowMs;
        else if (read.score && !facts.startedMs)
            facts.startedMs = momentOfScore(*read.score);
        return facts;
    }
    void finish(const Primitive&, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.paused = !setting.first.empty() && countOf(setting.first[0]) > 0;
        queue.stuckByLibrary = file().key("lease") || m_endsAtScore;
        if (!file().key("active")) // the library does not store the jobs in progress
            queue.states.push_back({"active", JobRole::Processing, std::nullopt});
    }

private:
    static void take(JobFacts& facts, const JobField& field, const QByteArray& text)
    {
        if (!text.isEmpty())
            field.take(facts, text);
    }
    static std::optional<qint64> momentOfScore(double score)
    {
        const auto unit = timeUnitOf(score);
        return unit ? std::optional(wholeMs(toMs(score, *unit))) : std::nullopt;
    }
    // True if each job has its own key of this rule.
    static bool isOfJob(const KeyRule& rule)
    {
        return (rule.role == "job" || rule.role == "lease") &&
               rule.names.front().placeholders().contains(jobPlaceholder);
    }

    bool readsHash() const
    {
        const KeyRule* rule = file().key("job");
        return rule && rule->type == KeyType::Hash && isOfJob(*rule) && !m_fields.empty();
    }
    const KeyRule* leaseOf(const JobsKey& key) const
    {
        return key.role == JobRole::Processing ? file().key("lease") : nullptr;
    }
    QByteArray keyOfJob(const KeyRule& rule, const Primitive& primitive,
                        const QByteArray& element) const
    {
        NameValues values = valuesOf(primitive);
        values.set(jobPlaceholder, element);
        return rule.names.front().fill(values).value_or(QByteArray());
    }
    Shape shapeOf(const KeyRule& rule, JobRole role) const
    {
        switch (rule.type) {
        case KeyType::ZSet:
            return role == JobRole::Dead || role == JobRole::Done ? Shape::Newest : Shape::Sorted;
        case KeyType::Set:
            return Shape::Set;
        default:
            return m_fromLeft ? Shape::FromLeft : Shape::FromRight;
        }
    }

    std::vector<std::pair<QByteArray, const JobField*>> m_fields;
    QByteArray m_dataField;
    bool m_fromLeft = false;
    bool m_endsAtScore = false;
};

} // namespace

namespace families {

Family jobQueueFamily()
{
    using Setting = FamilySetting;
    const std::vector<KeyType> jobs{KeyType::List, KeyType::ZSet, KeyType::Set};
    std::vector<Setting> settings{{"next", Setting::Shape::Word, {"right", "left"}},
                                  {"score", Setting::Shape::Word, {"began", "deadline"}},
                                  {"data_field", Setting::Shape::Text}};
    for (const JobField& field : jobFields)
        settings.push_back({field.setting, Setting::Shape::Text});
    return {"job-queue",
            Kind::Queue,
            {{"waiting", jobs, true, false},
             {"active", jobs, false, true},
             {"delayed", {KeyType::ZSet}, false, true},
             {"failed", jobs, false, true},
             {"done", jobs, false, true},
             {"paused", {KeyType::String}, false, false},
             {"job", {KeyType::Hash, KeyType::String}, false, false},
             {"lease", {KeyType::String}, false, false}},
            std::move(settings),
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<JobQueueFile>(std::move(file));
            }};
}

} // namespace families

} // namespace lk
