// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/boardsorter.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/columns/column.h"
#include "backend/text/errortext.h"
#include "backend/text/statewords.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr size_t leastTouched = 1000;

bool isOfOneName(const PrimitivePtr& a, const PrimitivePtr& b)
{
    return a == b || (a->kind == b->kind && a->name() == b->name());
}

} // namespace

BoardSorter::BoardSorter(CheckSettings check)
    : m_check(std::move(check))
{
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &BoardSorter::everySecond);
}

void BoardSorter::start()
{
    m_second.start();
}

void BoardSorter::stop()
{
    m_second.stop();
}

quint8 BoardSorter::setIndex(const RowSet& set)
{
    const auto it = m_setIndex.constFind(set);
    if (it != m_setIndex.cend())
        return *it;
    const auto index = quint8(std::min<size_t>(m_sets.size(), 255));
    m_sets.push_back(set);
    m_setIndex.insert(set, index);
    return index;
}

void BoardSorter::count(const Entry& entry, int sign)
{
    const auto kind = size_t(entry.kind);
    m_totals[kind] += sign;
    m_healthCounts[kind][size_t(entry.health)] += sign;
    auto& sets = m_setCounts[kind];
    if (sets.size() <= entry.set)
        sets.resize(size_t(entry.set) + 1);
    sets[entry.set][size_t(entry.health)] += sign;
}

void BoardSorter::countLabel(const Primitive& primitive, int sign)
{
    if (primitive.label->isEmpty())
        return;
    const QByteArray& label = *primitive.label;
    const qint64 number = m_labels[label] += sign;
    if (number > 1)
        m_sharedLabels.insert(label);
    else
        m_sharedLabels.remove(label);
    if (number == 0)
        m_labels.remove(label);
}

void BoardSorter::countEnds(Entry& entry, const StatePtr& before, const StatePtr& now)
{
    const auto* token = now ? now->as<TokenState>() : nullptr;
    const auto* was = before ? before->as<TokenState>() : nullptr;
    const bool gone = token && token->phase == TokenState::Phase::Gone;
    if (entry.ended && gone) // how it ended may be better known by now
        --m_ends[size_t(was->end)];
    else
        entry.ended = gone && was && was->phase != TokenState::Phase::Gone;
    if (entry.ended)
        ++m_ends[size_t(token->end)];
}

void BoardSorter::apply(const DeltaPtr& delta)
{
    m_atMs = delta->atMs;
    m_summaryStale = true;
    for (const StateChange& change : delta->changes) {
        Entry& entry = m_entries[change.handle];
        const StatePtr before = entry.state.state();
        if (entry.kind == Kind::Token || (change.state && change.state->kind() == Kind::Token))
            countEnds(entry, before, change.state);
        m_running.change(change.handle, before.get(), change.state.get());
        const bool stays = before && change.state && entry.kind == m_query.kind &&
                           staysInPlace(entry, *before, *change.state);
        if (entry.state) {
            count(entry, -1);
            countLabel(*entry.state.primitive(), -1);
            if (!change.state || !isOfOneName(entry.state.primitive(), change.state->primitive))
                m_order.forget(change.handle, entry.kind);
        }
        entry.state = change.keep();
        if (change.state) {
            entry.kind = change.state->kind();
            entry.health = change.state->health;
            entry.set = setIndex(rowSetOf(*change.state));
            count(entry, +1);
            countLabel(*change.state->primitive, +1);
            m_order.note(change.handle, entry.kind, {entry.health, change.state->urgency});
            if (entry.kind == m_query.kind && !stays) {
                m_stale = true;
                touch(change.handle);
            }
        } else {
            dropFitting(entry);
            m_entries.erase(change.handle);
            m_stale = true;
            touch(change.handle);
        }
    }
    if (!m_hadRows)
        arrange();
}

// For a primitive of the board's kind: returns true if the rows to publish would be the same,
// because its order, the counts and the filtered fields are unchanged. Most reads bring nothing
// new, and there may be a million rows.
bool BoardSorter::staysInPlace(const Entry& entry, const State& before, const State& now) const
{
    const bool fitsAlike =
        m_names.isEmpty() || (entry.kind != Kind::Lock && before.primitive == now.primitive);
    return fitsAlike && m_query.grouping == BoardGrouping::None && entry.health == now.health &&
           isOfOneName(before.primitive, now.primitive) && rowSetOf(before) == rowSetOf(now) &&
           m_order.isTied(before, now);
}

void BoardSorter::arrange()
{
    if (m_stale && m_hasQuery && !m_frozen && m_sortPace.isDue())
        m_sortPace.measure([this] { m_allTouched ? sortAll() : sortChanged(); });
}

void BoardSorter::setNow(qint64 serverNowMs)
{
    m_atMs = std::max(m_atMs, serverNowMs);
    // TTLs run down, so a TTL filter is stale every second.
    m_stale |= !m_ttl.isEmpty();
    m_allTouched |= !m_ttl.isEmpty();
}

void BoardSorter::setCheck(const CheckSettings& check)
{
    m_check = check;
    m_summaryStale = true;
}

void BoardSorter::setScanned()
{
    m_summaryStale |= !std::exchange(m_scanned, true);
}

void BoardSorter::setQuery(const BoardQuery& query)
{
    m_query = query;
    m_hasQuery = true;
    QString names = query.filter;
    m_ttl = TtlFilter::takenFrom(names);
    m_names = NameFilter(names);
    m_lastLayout.clear();
    m_lastLayoutFits = m_names.fits(m_lastLayout);
    m_sortPace.measure([this] { sortAll(); });
}

void BoardSorter::setFrozen(bool frozen)
{
    m_frozen = frozen;
}

void BoardSorter::everySecond()
{
    arrange();
    // Done in advance, so that a click waits for the sorting alone.
    if (m_namesPace.isDue())
        m_namesPace.measure([this] {
            for (const Kind kind : allKinds)
                m_order.orderNames(kind, *this);
        });
    if (m_summaryStale && m_summaryPace.isDue()) {
        m_summaryStale = false;
        m_summaryPace.measure([this] { emit summarized(summary()); });
    }
}

bool BoardSorter::fits(const Entry& entry)
{
    if (entry.kind != m_query.kind ||
        (!m_ttl.isEmpty() && !m_ttl.fits(*entry.state.state(), m_atMs)))
        return false;
    if (m_names.isEmpty() || fitsText(*entry.state.primitive()))
        return true;
    if (entry.kind != Kind::Lock)
        return false;
    const StatePtr state = entry.state.state();
    const auto* lock = state->as<LockState>();
    return lock && m_names.fits(lock->owner);
}

// Checks each text once, as a key mostly has the primitive's own name.
bool BoardSorter::fitsText(const Primitive& p)
{
    if (isFoundBy(nameKind(p), p.id.name, m_names) ||
        (!p.label->isEmpty() && isFoundBy(nameKind(p), *p.label, m_names)))
        return true;
    if (p.id.layout != m_lastLayout) {
        m_lastLayout = p.id.layout;
        m_lastLayoutFits = m_names.fits(m_lastLayout);
    }
    return m_lastLayoutFits || std::any_of(p.keys.begin(), p.keys.end(), [&](const KeyRole& k) {
               return k.key != p.id.name && isFoundBy(nameKind(p), k.key, m_names);
           });
}

std::vector<SetCount> BoardSorter::setsOf(Kind kind) const
{
    std::vector<SetCount> sets;
    const auto& counts = m_setCounts[size_t(kind)];
    for (size_t s = 0; s < counts.size(); ++s) {
        SetCount one{m_sets[s]};
        for (size_t health = 0; health < counts[s].size(); ++health) {
            one.count += counts[s][health];
            if (counts[s][health] > 0)
                one.worst = Health(health);
        }
        if (one.count > 0)
            sets.push_back(one);
    }
    std::stable_sort(sets.begin(), sets.end(), [](const SetCount& a, const SetCount& b) {
        return a.worst != b.worst ? a.worst > b.worst : a.count > b.count;
    });
    return sets;
}

void BoardSorter::touch(Handle handle)
{
    if (m_allTouched)
        return;
    if (m_touched.size() > size_t(m_totals[size_t(m_query.kind)]) + leastTouched) {
        m_allTouched = true; // while frozen: too many to list
        return;
    }
    if (m_touchedPlaces.size() <= handle.index)
        m_touchedPlaces.resize(size_t(handle.index) + 1);
    m_touchedPlaces[handle.index] = true;
    m_touched.push_back(handle);
}

void BoardSorter::dropFitting(Entry& entry)
{
    if (!std::exchange(entry.fits, false))
        return;
    --m_fitting;
    --m_fittingSets[entry.fitsBy];
}

// Counts it, and returns whether it has a row.
bool BoardSorter::takesIn(Entry& entry)
{
    dropFitting(entry);
    if (!fits(entry))
        return false;
    entry.fits = true;
    entry.fitsBy = entry.set;
    ++m_fitting;
    ++m_fittingSets[entry.set];
    return m_query.set.isAll() || entry.set == m_wanted;
}

void BoardSorter::sortAll()
{
    m_wanted = m_setIndex.value(m_query.set, 255);
    std::vector<Handle> rows;
    rows.reserve(size_t(m_totals[size_t(m_query.kind)]));
    for (quint32 place = 0; place < m_entries.places(); ++place) {
        const Handle handle = m_entries.at(place);
        if (handle != noHandle && takesIn(*m_entries.find(handle)))
            rows.push_back(handle);
    }
    m_order.reset({m_query.kind, m_query.column, m_query.descending}, rows, *this);
    m_allTouched = false;
    publish();
}

void BoardSorter::sortChanged()
{
    std::sort(m_touched.begin(), m_touched.end());
    m_touched.erase(std::unique(m_touched.begin(), m_touched.end()), m_touched.end());
    m_wanted = m_setIndex.value(m_query.set, 255);
    std::vector<Handle> come;
    for (const Handle handle : m_touched) {
        Entry* entry = m_entries.find(handle);
        if (entry && takesIn(*entry))
            come.push_back(handle);
    }
    m_order.change(m_touchedPlaces, come, *this);
    publish();
}

void BoardSorter::publish()
{
    m_stale = false;
    m_touched.clear();
    m_touchedPlaces.clear();
    BoardRows answer;
    answer.query = m_query;
    answer.all = std::make_shared<const std::vector<Handle>>(m_order.rows());
    m_hadRows |= !answer.all->empty();
    answer.total = m_totals[size_t(m_query.kind)];
    answer.fitting = m_fitting;
    if (m_query.kind == Kind::Queue)
        answer.sharedLabels = m_sharedLabels;
    answer.sets = setsOf(m_query.kind);
    for (SetCount& one : answer.sets)
        one.count = m_fittingSets[m_setIndex.value(one.set, 255)];
    m_groups.arrange(answer, *this);
    emit sorted(answer);
}

QString BoardSorter::reasonFor(const State& state) const
{
    if (state.problem)
        return errorText(*state.problem);
    for (const Finding& finding : findingsOf(state, m_check.thresholds)) {
        if (!m_check.isSilenced(finding))
            return finding.message;
    }
    const auto* limiter = state.as<LimiterState>();
    if (limiter && limiter->remaining == 0 && limiter->nextFreeMs)
        return tr("Full: the next request passes in %1.").arg(formatDuration(*limiter->nextFreeMs));
    const auto* queue = state.as<QueueState>();
    if (queue && queue->dead.value_or(0) > 0)
        return tr("Dead-lettered: %1.").arg(QLocale().toString(*queue->dead));
    return stateWord(state);
}

SummaryPtr BoardSorter::summary()
{
    auto result = std::make_shared<Summary>();
    result->atMs = m_atMs;
    result->scanned = m_scanned;
    for (size_t k = 0; k < allKinds.size(); ++k) {
        KindSummary& kind = result->kinds[k];
        kind.total = m_totals[k];
        kind.byHealth = m_healthCounts[k];
        kind.bySet = setsOf(Kind(k));
        result->attentionTotal +=
            kind.byHealth[size_t(Health::Warning)] + kind.byHealth[size_t(Health::Error)];
    }
    if (m_running.isShort()) {
        m_running.startOver();
        for (const auto& [handle, entry] : m_entries)
            m_running.lead(handle, *entry.state.state());
    }
    m_running.countIn(*result);
    result->tokenEnds = m_ends;
    m_running.age(m_atMs);
    const RunningSummary::Leaders leaders = m_running.leaders();
    result->attention = itemsOf(leaders.attention);
    for (SummaryItem& item : result->attention)
        item.reason = reasonFor(*item.state);
    result->fullest = itemsOf(leaders.fullest);
    result->busiest = itemsOf(leaders.busiest);
    for (SummaryItem& item : result->busiest)
        item.perSecond = m_running.ratePerSecond(item.handle, *item.state);
    for (const SetCount& one : result->of(Kind::Limiter).bySet) {
        if (one.set.state == StateId::LimitUnknown)
            result->unknownLimits += one.count;
    }
    result->deepest = itemsOf(leaders.deepest);
    result->sharedLabels = m_sharedLabels;
    return result;
}

std::vector<SummaryItem> BoardSorter::itemsOf(const std::vector<Handle>& handles) const
{
    std::vector<SummaryItem> items;
    for (const Handle handle : handles)
        items.push_back({handle, kept(handle).state(), {}});
    for (SummaryItem& item : items)
        item.isLabelShared = m_sharedLabels.contains(*item.state->primitive->label);
    return items;
}

} // namespace lk
