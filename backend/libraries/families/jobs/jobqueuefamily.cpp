// SPDX-License-Identifier: GPL-3.0-or-later
// A job queue of a library or a service. Each state has a key with jobs or their ids. A job's data
// is in a hash, in a string, or in the element itself: as fields, as JSON or as PHP serialized it.
#include "backend/core/timeunit.h"
#include "backend/libraries/detect/replyvalues.h"
#include "backend/libraries/families/files/filelayout.h"
#include "backend/libraries/families/jobs/jobqueue.h"
#include "backend/libraries/families/jobs/jobtexts.h"
#include "backend/libraries/families/jobs/keyedqueue.h"
#include "backend/libraries/families/jobs/phpnames.h"

#include <algorithm>

namespace lk {

namespace {

using Shape = JobsKey::Shape;

constexpr char jobPlaceholder[] = "job"; // the placeholder for a job's id in the names of its keys
constexpr qsizetype factBytes = 128;
constexpr qsizetype progressBytes = 64;
constexpr double lastDueMs = 9e15; // a later time is none

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
    {"progress_field",
     [](JobFacts& f, const QByteArray& t) { f.progress = t.left(progressBytes); }},
    {"id_field", [](JobFacts& f, const QByteArray& t) { f.id = t.left(factBytes); }}};

class JobQueueFile final : public FileLayoutOf<KeyedQueue>
{
public:
    explicit JobQueueFile(LayoutFilePtr file)
        : FileLayoutOf<KeyedQueue>(std::move(file))
    {
        const LayoutFile& described = this->file();
        for (const JobField& field : jobFields) {
            // The first name that a job has wins: it is taken last.
            const auto names = described.setting<QByteArrayList>(field.setting, {});
            for (auto name = names.rbegin(); name != names.rend(); ++name)
                m_fields.emplace_back(*name, &field);
        }
        m_dataField = described.setting<QByteArray>("data_field", {});
        m_fromLeft = described.setting<QByteArray>("next", "right") == "left";
        const auto score = described.setting<QByteArray>("score", "began");
        m_endsAtScore = score == "deadline";
        m_scoreIsStart = score == "began";
        m_leaseMs = described.setting<qint64>("lease", 0);
        m_lastLine = described.setting<QByteArray>("error_line", "first") == "last";
        m_isPhp = described.setting<QByteArray>("content", "json") == "php";
        m_wrapper = described.setting<QByteArray>("wrapper", {});
        m_later = described.setting<QByteArray>("later", {});
        m_never = described.setting<QByteArray>("never", {});
    }

    bool wants(KeyType type) const override
    {
        return std::any_of(file().keys.begin(), file().keys.end(),
                           [&](const KeyRule& rule) { return rule.is(type) && !isApart(rule); });
    }
    std::vector<QByteArray> ownersOf(const QByteArray& name) const override
    {
        for (const KeyRule& rule : file().keys) {
            const auto owner = isApart(rule) ? claims().primitiveOf(rule, name) : std::nullopt;
            if (owner)
                return {*owner};
        }
        return {};
    }
    std::optional<Claim> classify(const Probe& probe) const override
    {
        std::optional<Claim> claim = FileLayoutOf<KeyedQueue>::classify(probe);
        if (claim)
            dropApart(*claim);
        return claim;
    }
    Claim declared(const Declaration& declaration, const QByteArray& name) const override
    {
        Claim claim = FileLayoutOf<KeyedQueue>::declared(declaration, name);
        dropApart(claim);
        return claim;
    }

protected:
    std::vector<Command> setting(const Primitive& primitive) const override
    {
        const KeyRule* rule = file().keyFor("paused");
        const QByteArray paused = rule ? primitive.key(rule->role.constData()) : QByteArray();
        std::vector<Command> commands;
        if (!paused.isEmpty())
            commands.push_back({"EXISTS", paused});
        if (mayBeSorted())
            commands.push_back({"TYPE", primitive.keys.front().key});
        return commands;
    }
    std::vector<JobsKey> jobKeys(const Primitive& primitive,
                                 const QueueSetting& setting) const override
    {
        std::vector<JobsKey> keys;
        for (const StateOfRole& state : jobStates) {
            for (const KeyRule& rule : file().keys) {
                const QByteArray key = rule.familyRole == state.role
                                           ? primitive.key(rule.role.constData())
                                           : QByteArray();
                if (key.isEmpty())
                    continue;
                const bool sorted =
                    rule.type == KeyType::ZSet || (state.jobs == JobRole::Ready && mayBeSorted() &&
                                                   setting.first.back().text == "zset");
                keys.push_back({rule.state, state.jobs, key, shapeOf(rule, state.jobs, sorted)});
                if (state.jobs == JobRole::Ready && !m_later.isEmpty())
                    splitByTime(keys, rule, setting.nowMs);
            }
        }
        return keys;
    }
    JobStore storeOf(const Primitive& primitive, const JobsKey&,
                     const QByteArray& element) const override
    {
        const KeyRule* rule = file().keyFor("job");
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
            Command fields{"HMGET", keyOfJob(*file().keyFor("job"), primitive, element)};
            for (const auto& [name, field] : m_fields)
                fields << name;
            commands.push_back(std::move(fields));
        }
        if (const KeyRule* lease = leaseOf(key))
            commands.push_back({"EXISTS", keyOfJob(*lease, primitive, element)});
        if (const KeyRule* attempts = file().keyFor("attempts"))
            commands.push_back({"HGET", keyOfJob(*attempts, primitive, element), element});
        else if (const KeyRule* runs = runsOf(key))
            commands.push_back({"LRANGE", keyOfJob(*runs, primitive, element), "-1", "-1"});
        return commands;
    }
    std::optional<JobFacts> jobOf(const Primitive& primitive, const JobsKey& key,
                                  const QueueSetting& setting, const JobRead& read) const override
    {
        JobFacts facts;
        const KeyRule* job = file().keyFor("job");
        if (job && !keyOfJob(*job, primitive, read.element).isEmpty())
            facts.id = read.element;
        std::span<const Reply> replies = read.replies;
        if (readsHash()) {
            for (size_t i = 0; i < m_fields.size() && !replies.empty(); ++i)
                take(facts, *m_fields[i].second, fieldText(replies[0], i));
            replies = replies.subspan(std::min<size_t>(1, replies.size()));
        } else if (m_isPhp) {
            facts.name = phpClassIn(job ? read.stored : read.element,
                                    m_wrapper.isEmpty() ? nullptr : m_wrapper.constData());
        } else {
            takeFrom(facts, job ? read.stored : read.element);
        }
        if (runsOf(key) && !replies.empty() && !replies.back().items.empty())
            takeFrom(facts, replies.back().items[0].text);
        else if (file().keyFor("attempts") && !replies.empty())
            facts.attempts = integerOf(replies.back());
        if (key.role == JobRole::Delayed && read.score)
            facts.dueMs = momentOfScore(*read.score);
        if (key.role == JobRole::Ready && key.shape == Shape::Range && read.score)
            facts.readyMs = momentOfScore(*read.score);
        else if (key.role == JobRole::Ready && read.score && !facts.enqueuedMs &&
                 file().keyFor("waiting")->scores)
            facts.enqueuedMs = momentOfScore(*read.score);
        if (!facts.startedMs && hasField("started_field"))
            facts.worker.clear(); // the worker of its last run
        if (key.role != JobRole::Processing)
            return facts;
        if (leaseOf(key)) {
            if (!replies.empty())
                facts.leaseAlive = countOf(replies[0]) > 0;
        } else if (const auto at = read.score ? momentOfScore(*read.score) : std::nullopt) {
            if (m_endsAtScore || m_leaseMs > 0)
                facts.leaseAlive = *at + m_leaseMs > setting.nowMs;
            if (m_scoreIsStart && !facts.startedMs)
                facts.startedMs = at;
        }
        return facts;
    }
    void finish(const Primitive&, State&, QueueState& queue,
                const QueueSetting& setting) const override
    {
        queue.paused = !setting.first.empty() && countOf(setting.first[0]) > 0;
        const KeyRule* active = file().keyFor("active");
        queue.stuckByLibrary = !active || file().keyFor("lease") || m_endsAtScore || m_leaseMs > 0;
        if (!active) // the library does not store the jobs in progress
            queue.states.insert(queue.states.begin() + std::min<size_t>(1, queue.states.size()),
                                {file().setting<QByteArray>("running", "active"),
                                 JobRole::Processing, std::nullopt});
    }

private:
    void take(JobFacts& facts, const JobField& field, const QByteArray& text) const
    {
        if (!text.isEmpty() && text != "null")
            field.take(facts, m_lastLine ? lastLine(text) : text);
    }
    void takeFrom(JobFacts& facts, const QByteArray& json) const
    {
        const QJsonObject object = jsonObject(json);
        for (const auto& [name, field] : m_fields)
            take(facts, *field, jsonText(object, name.constData()));
    }
    static std::optional<qint64> momentOfScore(double score)
    {
        const auto unit = timeUnitOf(score);
        return unit ? std::optional(wholeMs(toMs(score, *unit))) : std::nullopt;
    }
    // True if each job has its own key of this rule.
    static bool isOfJob(const KeyRule& rule)
    {
        return (rule.familyRole == "job" || rule.familyRole == "lease" ||
                rule.familyRole == "runs") &&
               rule.names.front().placeholders().contains(jobPlaceholder);
    }
    // True if such keys belong to the queue without being listed as its keys.
    static bool isApart(const KeyRule& rule)
    {
        return isOfJob(rule) || (rule.familyRole == "further" && rule.follows);
    }
    void dropApart(Claim& claim) const
    {
        std::erase_if(claim.keys, [&](const KeyRole& key) {
            const KeyRule* rule = file().key(key.role);
            return rule && isApart(*rule);
        });
    }
    // True if the waiting jobs are in a list or, with priorities, in a sorted set.
    bool mayBeSorted() const
    {
        return file().keys.front().is(KeyType::ZSet) && file().keys.front().is(KeyType::List);
    }
    bool hasField(const char* setting) const
    {
        return std::any_of(m_fields.begin(), m_fields.end(), [&](const auto& field) {
            return qstrcmp(field.second->setting, setting) == 0;
        });
    }

    bool readsHash() const
    {
        const KeyRule* rule = file().keyFor("job");
        return rule && rule->type == KeyType::Hash && isOfJob(*rule) && !m_fields.empty();
    }
    const KeyRule* leaseOf(const JobsKey& key) const
    {
        return key.role == JobRole::Processing ? file().keyFor("lease") : nullptr;
    }
    const KeyRule* runsOf(const JobsKey& key) const
    {
        return key.role == JobRole::Dead ? file().keyFor("runs") : nullptr;
    }
    QByteArray keyOfJob(const KeyRule& rule, const Primitive& primitive,
                        const QByteArray& element) const
    {
        NameValues values = valuesOf(primitive);
        values.set(jobPlaceholder, element);
        return rule.names.front().fill(values).value_or(QByteArray());
    }
    // Jobs that ended: the latest first. If the right end is next, jobs are added at the left.
    Shape shapeOf(const KeyRule& rule, JobRole role, bool sorted) const
    {
        const bool ended = role == JobRole::Dead || role == JobRole::Done;
        if (sorted)
            return ended ? Shape::Newest : Shape::Sorted;
        if (rule.type == KeyType::Set)
            return Shape::Set;
        return m_fromLeft == ended ? Shape::FromRight : Shape::FromLeft;
    }
    // Splits a sorted set by the times at which its jobs are due: waiting, delayed, never again.
    void splitByTime(std::vector<JobsKey>& keys, const KeyRule& rule, qint64 nowMs) const
    {
        const TimeUnit unit = rule.scores.value_or(TimeUnit::Milliseconds);
        const auto scoreOf = [&](double ms) {
            return QByteArray::number(qint64(fromMs(ms, unit)));
        };
        const QByteArray now = scoreOf(double(nowMs));
        const QByteArray last = scoreOf(lastDueMs);
        JobsKey& due = keys.back();
        due.shape = Shape::Range;
        due.max = now;
        JobsKey delayed = due;
        delayed.state = m_later;
        delayed.role = JobRole::Delayed;
        delayed.min = '(' + now;
        delayed.max = m_never.isEmpty() ? QByteArray("+inf") : last;
        keys.push_back(delayed);
        if (m_never.isEmpty())
            return;
        delayed.state = m_never;
        delayed.role = JobRole::Done;
        delayed.min = '(' + last;
        delayed.max = "+inf";
        keys.push_back(std::move(delayed));
    }

    std::vector<std::pair<QByteArray, const JobField*>> m_fields;
    QByteArray m_dataField;
    bool m_fromLeft = false;
    bool m_endsAtScore = false;
    bool m_scoreIsStart = true;
    qint64 m_leaseMs = 0; ///< after the time in an active job's score; 0: no limit
    bool m_lastLine = false;
    bool m_isPhp = false;
    QByteArray m_wrapper; ///< how the names of classes begin that are not the job's own
    QByteArray m_later;   ///< the state of jobs that wait in the same sorted set for their time
    QByteArray m_never;   ///< the state of jobs in that set that will not run again
};

} // namespace

namespace families {

Family jobQueueFamily()
{
    using Setting = FamilySetting;
    const std::vector<KeyType> jobs{KeyType::List, KeyType::ZSet, KeyType::Set};
    std::vector<Setting> settings{{"next", Setting::Shape::Word, {"right", "left"}},
                                  {"score", Setting::Shape::Word, {"began", "renewed", "deadline"}},
                                  {"lease", Setting::Shape::Duration},
                                  {"error_line", Setting::Shape::Word, {"first", "last"}},
                                  {"content", Setting::Shape::Word, {"json", "php"}},
                                  {"wrapper"},
                                  {"running"},
                                  {"later"},
                                  {"never"},
                                  {"data_field"}};
    for (const JobField& field : jobFields)
        settings.push_back({field.setting, Setting::Shape::Texts});
    return {"job-queue",
            Kind::Queue,
            {{"waiting", jobs, true, false},
             {"active", jobs, false, true},
             {"delayed", {KeyType::ZSet}, false, true, true},
             {"failed", jobs, false, true, true},
             {"done", jobs, false, true, true},
             {"paused", {KeyType::String}, false, false},
             {"job", {KeyType::Hash, KeyType::String}, false, false},
             {"lease", {KeyType::String}, false, false},
             {"attempts", {KeyType::Hash}, false, false},
             {"runs", {KeyType::List}, false, false},
             {"further",
              {KeyType::String, KeyType::List, KeyType::Set, KeyType::ZSet, KeyType::Hash},
              false,
              false,
              true}},
            std::move(settings),
            {},
            [](LayoutFilePtr file) -> std::unique_ptr<const Layout> {
                return std::make_unique<JobQueueFile>(std::move(file));
            },
            false,
            true};
}

} // namespace families

} // namespace lk
