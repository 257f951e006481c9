// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/search/primitivesearch.h"

#include "backend/core/names/namefilter.h"
#include "backend/core/redactedname.h"

#include <QSet>

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype mostBytes = 128; // of the matching text

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (uchar(c) & 0x80U) != 0;
}

// Returns true for "42" in "user:42:minute", not in "user:421".
bool hasWhole(const QByteArray& name, const QByteArray& typed)
{
    const QByteArray lower = name.toLower();
    for (qsizetype at = lower.indexOf(typed); at >= 0; at = lower.indexOf(typed, at + 1)) {
        const qsizetype end = at + typed.size();
        if ((at == 0 || !isWordByte(lower[at - 1])) &&
            (end == lower.size() || !isWordByte(lower[end])))
            return true;
    }
    return false;
}

bool isJoint(char c)
{
    return QByteArrayView(":/|{}[]()#=_,; ").contains(c);
}

// Returns true if this is the rest of a limiter's name after the counted identity: ":minute" of
// "rl:42:minute", "}:tokens" of "{42}:tokens".
bool isSuffix(QByteArrayView rest)
{
    while (!rest.isEmpty() && isJoint(rest.front()))
        rest = rest.sliced(1);
    while (!rest.isEmpty() && isJoint(rest.back()))
        rest.chop(1);
    static const QSet<QByteArray> words{
        "second", "sec",   "s",      "minute", "min",  "m",     "hour",  "h",         "day", "d",
        "week",   "month", "tokens", "ts",     "time", "timer", "count", "timestamp", "hits"};
    return rest.isEmpty() || words.contains(rest.toByteArray());
}

// Returns true for "42" in "rl:user:42" and in "rl:user:42:minute"; not for "user", nor for "7" in
// "rl:10.0.0.7".
bool isIdentityOf(const QByteArray& name, const QByteArray& typed)
{
    const QByteArray lower = name.toLower();
    for (qsizetype at = lower.indexOf(typed); at >= 0; at = lower.indexOf(typed, at + 1)) {
        const qsizetype end = at + typed.size();
        const bool begins = at == 0 || isJoint(lower[at - 1]);
        const bool ends = end == lower.size() || isJoint(lower[end]);
        if (begins && ends && isSuffix(QByteArrayView(lower).sliced(end)))
            return true;
    }
    return false;
}

struct Match
{
    SearchHit::By by = SearchHit::By::Name;
    QByteArray found;
    bool whole = false;
    bool identity = false;
};

// Compares a primitive's texts with the search text. The first whole match ends it.
class Matcher
{
public:
    Matcher(const NameFilter& filter, Kind kind)
        : m_filter(filter)
        , m_kind(kind)
    {}

    // Returns true if no better match is possible.
    bool offer(SearchHit::By by, const QByteArray& name)
    {
        if (!isFoundBy(m_kind, name, m_filter))
            return false;
        // A token that is not found by its masked text was found by its whole code.
        const QByteArray shown = redactedKey(m_kind, name);
        const bool whole = hasWhole(shown, m_filter.typed()) || !m_filter.fits(shown);
        if (!whole && (m_filter.typed().size() < 2 || m_match))
            return false;
        m_match =
            Match{by, shown.left(mostBytes), whole, whole && isIdentityOf(shown, m_filter.typed())};
        return whole;
    }
    const std::optional<Match>& match() const { return m_match; }

private:
    const NameFilter& m_filter;
    Kind m_kind;
    std::optional<Match> m_match;
};

// Matches the texts in the job's row: id, name, error, the payload's beginning.
bool offerJob(Matcher& matcher, const QueueJob& job)
{
    const JobFacts& facts = job.facts;
    for (const QByteArray* text : {&facts.id, &facts.name, &facts.error, &job.preview}) {
        if (!text->isEmpty() && matcher.offer(SearchHit::By::Job, *text))
            return true;
    }
    return !facts.worker.isEmpty() && matcher.offer(SearchHit::By::Worker, facts.worker);
}

bool offerBody(Matcher& matcher, const State& state)
{
    using By = SearchHit::By;
    if (const auto* lock = state.as<LockState>())
        return lock->ownerKnown && matcher.offer(By::Owner, lock->owner);
    if (const auto* limiter = state.as<LimiterState>())
        return std::any_of(
            limiter->consumers.begin(), limiter->consumers.end(),
            [&](const Consumer& consumer) { return matcher.offer(By::Client, consumer.name); });
    if (const auto* queue = state.as<QueueState>())
        return std::any_of(queue->workers.begin(), queue->workers.end(),
                           [&](const QueueWorker& worker) {
                               return matcher.offer(By::Worker, worker.name) ||
                                      (!worker.host.isEmpty() &&
                                       matcher.offer(By::Worker, worker.host));
                           }) ||
               std::any_of(queue->items.begin(), queue->items.end(),
                           [&](const QueueJob& job) { return offerJob(matcher, job); });
    return false;
}

std::optional<Match> matchOf(const State& state, const NameFilter& filter)
{
    const Primitive& primitive = *state.primitive;
    Matcher matcher(filter, nameKind(primitive));
    if (!matcher.offer(SearchHit::By::Name, primitive.id.name) &&
        (primitive.label->isEmpty() || !matcher.offer(SearchHit::By::Name, *primitive.label)) &&
        std::none_of(primitive.keys.begin(), primitive.keys.end(), [&](const KeyRole& key) {
            return matcher.offer(SearchHit::By::Key, key.key);
        }))
        offerBody(matcher, state);
    return matcher.match();
}

std::optional<Allowance> allowanceOf(const State& state, const Match& match)
{
    const auto* limiter = state.as<LimiterState>();
    if (!limiter)
        return std::nullopt;
    if (state.problem)
        return Allowance();
    if (match.by == SearchHit::By::Client) {
        for (const Consumer& consumer : limiter->consumers) {
            if (consumer.name.left(mostBytes) == match.found)
                return lk::allowanceOf(consumer);
        }
    }
    return lk::allowanceOf(*limiter);
}

// Whole matches before partial ones, then refusing or worst ones before the rest.
bool isBetter(const SearchHit& a, const SearchHit& b)
{
    if (a.whole != b.whole)
        return a.whole;
    const bool aRefuses = a.allowance && a.allowance->refuses();
    const bool bRefuses = b.allowance && b.allowance->refuses();
    if (aRefuses != bRefuses)
        return aRefuses;
    if (a.state->health != b.state->health)
        return a.state->health > b.state->health;
    return a.state->primitive->name() < b.state->primitive->name();
}

constexpr size_t mostWhileSearching = 20 * SearchResults::mostOfAKind; // of a kind

// Keeps as many as are shown, in order.
void keepBest(std::vector<SearchHit>& hits)
{
    const size_t kept = std::min(hits.size(), SearchResults::mostOfAKind);
    std::partial_sort(hits.begin(), hits.begin() + qsizetype(kept), hits.end(), isBetter);
    hits.resize(kept);
}

} // namespace

void PrimitiveSearch::search(const QString& text)
{
    auto results = std::make_shared<SearchResults>();
    results->text = text;
    const NameFilter filter(text);
    std::array<std::vector<SearchHit>, allKinds.size()> hits;
    for (const auto& [handle, kept] : m_states) {
        if (filter.isEmpty() || !kept)
            break;
        ++results->searched;
        const StatePtr state = kept.state();
        const std::optional<Match> match = matchOf(*state, filter);
        if (!match)
            continue;
        SearchHit hit{handle,         state,        match->by,
                      match->found,   match->whole, allowanceOf(*state, *match),
                      match->identity};
        if (hit.allowance && hit.identity) {
            ++results->limiters;
            results->refusing += hit.allowance->refuses();
            const bool isUnknown = hit.allowance->verdict == Allowance::Verdict::Unknown;
            results->unknown += isUnknown;
            results->limitless += isUnknown && !hit.allowance->limit;
        }
        ++results->totals[size_t(state->kind())];
        std::vector<SearchHit>& ofKind = hits[size_t(state->kind())];
        ofKind.push_back(std::move(hit));
        if (ofKind.size() >= mostWhileSearching) // each holds a state
            keepBest(ofKind);
    }
    for (std::vector<SearchHit>& ofKind : hits) {
        keepBest(ofKind);
        std::move(ofKind.begin(), ofKind.end(), std::back_inserter(results->hits));
    }
    emit found(std::move(results));
}

} // namespace lk
