// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findingtracker.h"

#include "backend/findings/crossstatefindings.h"
#include "backend/findings/findings.h"

#include <QElapsedTimer>

namespace lk {

namespace {

// Reported, or no longer reported, at the second check after: it has lasted for at least a second.
constexpr int secondsToConfirm = 2;
constexpr int acrossEverySeconds = 5;
constexpr qint64 acrossShare = 50; // takes at most so great a part of the time: a fiftieth

constexpr auto isUnconfirmed = [](const auto& entry) { return entry.told != entry.seen; };

bool isSame(const Finding& a, const Finding& b)
{
    return a.code == b.code && a.key == b.key && a.name == b.name;
}

// True if the change can affect rules across states: the primitive is new, gone or replaced, or its
// presence, its problem, a token's phase or a limiter's bare members differ.
bool concernsOthers(const StatePtr& before, const StatePtr& now)
{
    if (!before || !now || before->primitive != now->primitive)
        return true;
    const auto* was = before->as<TokenState>();
    const auto* token = now->as<TokenState>();
    const auto* limiterBefore = before->as<LimiterState>();
    const auto* limiter = now->as<LimiterState>();
    if (limiterBefore && limiter && limiterBefore->bareMembers != limiter->bareMembers)
        return true;
    if (before->problem != now->problem)
        return true;
    return before->present != now->present || (was && token && was->phase != token->phase);
}

template<typename Text> void share(Text& text, QSet<Text>& all)
{
    const auto it = all.constFind(text);
    text = it == all.cend() ? *all.insert(text) : *it;
}

} // namespace

bool FindingTracker::WorstFirst::operator()(const LiveFindingPtr& a, const LiveFindingPtr& b) const
{
    const Finding& x = a->finding;
    const Finding& y = b->finding;
    if (x.silenced != y.silenced)
        return y.silenced;
    if (x.severity != y.severity)
        return x.severity > y.severity;
    // Codes are shared: most are told to be the same by where they are.
    if (x.code.constData() != y.code.constData()) {
        if (const int byCode = QByteArrayView(x.code).compare(y.code))
            return byCode < 0;
    }
    if (const int byName = QByteArrayView(x.name).compare(y.name))
        return byName < 0;
    if (const int byKey = QByteArrayView(x.key).compare(y.key))
        return byKey < 0;
    return a->id < b->id;
}

FindingTracker::FindingTracker(CheckSettings settings)
    : m_settings(std::move(settings))
{
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &FindingTracker::everySecond);
}

void FindingTracker::start()
{
    m_second.start();
}

void FindingTracker::stop()
{
    m_second.stop();
}

void FindingTracker::setServer(const ServerFacts& server)
{
    const auto settings = [](const ServerFacts& facts) {
        QStringList all;
        for (const NodeFacts& node : facts.nodes)
            all << node.endpoint << node.durability.eviction
                << QString::number(node.durability.maxMemory.value_or(0));
        return all;
    };
    m_acrossStale |= server.mode != m_facts.mode || settings(server) != settings(m_facts);
    m_facts = server;
    if (m_past)
        return;                               // what it showed then is recorded
    m_atMs = std::max(m_atMs, server.timeMs); // an empty server sends no deltas
    update(m_server, findingsOfServer(server), noHandle, Kind::Limiter);
    if (m_atMs > 0 && !m_early.empty())
        setRedlock(std::exchange(m_early, {}));
}

void FindingTracker::setRedlock(const std::vector<Finding>& findings)
{
    if (m_past)
        return;
    if (m_atMs == 0) // its start time would not be known
        m_early = findings;
    else
        update(m_redlock, findings, noHandle, Kind::Lock);
}

template<typename Function> void FindingTracker::forEach(Function function)
{
    for (auto& [handle, entries] : m_own)
        std::for_each(entries.begin(), entries.end(), function);
    for (Entry& entry : m_across)
        function(entry);
    std::for_each(m_server.begin(), m_server.end(), function);
    std::for_each(m_redlock.begin(), m_redlock.end(), function);
}

void FindingTracker::goOn(const QHash<QByteArray, qint64>& sinceMs)
{
    m_earlier = sinceMs;
    m_earlierUntilMs = 0;
    forEach([this](Entry& entry) { refreshAge(entry); });
}

void FindingTracker::setSettings(const CheckSettings& settings)
{
    m_settings = settings;
    if (m_past)
        return; // they are of today
    forEach([this](Entry& entry) { refreshSilence(entry); });
    for (const auto& [handle, kept] : m_states)
        judge(handle, kept.state());
    m_acrossStale = true;
}

void FindingTracker::apply(const DeltaPtr& delta)
{
    m_atMs = delta->atMs;
    m_acrossStale |= m_scan.missing != delta->scan.missing;
    m_scan = delta->scan;
    for (const StateChange& change : delta->changes) {
        KeptState& place = m_states[change.handle];
        const StatePtr before = place.state();
        const qint64 checked = m_checked;
        m_checked += (change.state && isReported(*change.state) ? 1 : 0) -
                     (before && isReported(*before) ? 1 : 0);
        m_changed |= checked != m_checked;
        m_acrossStale |= concernsOthers(before, change.state);
        place = change.keep();
        if (!m_past)
            judge(change.handle, change.state);
        if (!change.state)
            m_states.erase(change.handle);
    }
    if (m_past) // all of a moment comes at once, and is to be seen at once
        showPast();
}

void FindingTracker::judge(Handle handle, const StatePtr& state)
{
    std::vector<Finding> found;
    if (state && isReported(*state))
        found = findingsOf(*state, m_settings.thresholds);
    const auto known = m_own.find(handle);
    if (found.empty() && known == m_own.end())
        return; // as nearly always
    Entries& entries = known != m_own.end() ? known->second : m_own[handle];
    update(entries, std::move(found), handle, state ? state->kind() : Kind::Limiter);
    if (entries.empty())
        m_own.erase(handle);
    else if (std::any_of(entries.begin(), entries.end(), isUnconfirmed))
        m_unconfirmed.insert(handle);
}

void FindingTracker::update(Entries& entries, std::vector<Finding> found, Handle handle, Kind kind)
{
    for (Entry& entry : entries) {
        const auto it = std::find_if(found.begin(), found.end(), [&](const Finding& f) {
            return isSame(f, entry.live->finding);
        });
        refresh(entry, it == found.end() ? nullptr : &*it);
        if (it != found.end())
            found.erase(it);
    }
    for (Finding& finding : found)
        entries.push_back({makeLive(std::move(finding), handle, kind)});
    std::erase_if(entries, [](const Entry& e) { return !e.seen && !e.told; });
}

// now: null if the finding is not seen any more.
void FindingTracker::refresh(Entry& entry, const Finding* now)
{
    if (std::exchange(entry.seen, now != nullptr) != entry.seen)
        entry.seconds = 0;
    const Finding& before = entry.live->finding;
    if (!now || (now->message == before.message && now->severity == before.severity))
        return;
    auto changed = std::make_shared<LiveFinding>(*entry.live);
    changed->finding.message = now->message;
    changed->finding.severity = now->severity;
    replace(entry, std::move(changed));
}

void FindingTracker::replace(Entry& entry, LiveFindingPtr by)
{
    const bool told = entry.told;
    if (told)
        unlist(entry);
    entry.live = std::move(by);
    if (told)
        list(entry);
}

void FindingTracker::refreshSilence(Entry& entry)
{
    const bool silenced = m_settings.isSilenced(entry.live->finding);
    if (silenced == entry.live->finding.silenced)
        return;
    auto changed = std::make_shared<LiveFinding>(*entry.live);
    changed->finding.silenced = silenced;
    replace(entry, std::move(changed));
}

std::shared_ptr<LiveFinding> FindingTracker::makeLive(Finding finding, Handle handle, Kind kind)
{
    finding.silenced = m_settings.isSilenced(finding);
    share(finding.why, m_texts);
    share(finding.advice, m_texts);
    share(finding.code, m_words);
    share(finding.action, m_words);
    auto live = std::make_shared<LiveFinding>();
    live->id = ++m_lastId;
    live->handle = handle;
    live->kind = kind;
    live->sinceMs = sinceMsOf(finding, kind);
    live->finding = std::move(finding);
    return live;
}

std::shared_ptr<LiveFinding> FindingTracker::makeGroup(const Finding& finding,
                                                       std::optional<Kind> kind)
{
    auto live = makeLive(finding, noHandle, kind.value_or(Kind::Pattern));
    live->boardless = !kind;
    return live;
}

void FindingTracker::list(Entry& entry)
{
    entry.told = true;
    m_listed.insert(entry.live);
    count(*entry.live, +1);
}

void FindingTracker::unlist(Entry& entry)
{
    entry.told = false;
    m_listed.erase(entry.live);
    count(*entry.live, -1);
}

void FindingTracker::count(const LiveFinding& live, int sign)
{
    m_changed = true;
    if (live.finding.silenced) {
        m_silenced += sign;
        return;
    }
    const auto severity = size_t(live.finding.severity);
    m_bySeverity[severity] += sign;
    if ((m_byCode[live.finding.code] += sign) == 0)
        m_byCode.erase(live.finding.code);
    if (live.handle == noHandle)
        return; // of several, or of the server
    std::array<quint16, 3>& counts = m_counts[live.handle];
    counts[severity] = quint16(counts[severity] + sign);
    const auto worst =
        std::find_if(counts.rbegin(), counts.rend(), [](quint16 n) { return n > 0; });
    if (worst != counts.rend()) {
        m_marks[live.handle] = quint8(counts.rend() - worst);
    } else {
        m_marks.remove(live.handle);
        m_counts.remove(live.handle);
    }
}

// Returns true if the entry stays; false if it is neither seen nor told.
bool FindingTracker::confirm(Entry& entry)
{
    if (isUnconfirmed(entry) && ++entry.seconds >= secondsToConfirm) {
        entry.seconds = 0;
        if (entry.seen)
            list(entry);
        else
            unlist(entry);
    }
    return entry.seen || entry.told;
}

void FindingTracker::everySecond()
{
    --m_acrossIn;
    if (m_acrossStale && m_acrossIn <= 0 && !m_past)
        checkAcross();
    for (auto it = m_unconfirmed.begin(); it != m_unconfirmed.end();) {
        const auto own = m_own.find(*it);
        bool confirmed = own == m_own.end();
        if (!confirmed) {
            std::erase_if(own->second, [this](Entry& e) { return !confirm(e); });
            confirmed = std::none_of(own->second.begin(), own->second.end(), isUnconfirmed);
            if (own->second.empty())
                m_own.erase(own);
        }
        it = confirmed ? m_unconfirmed.erase(it) : std::next(it);
    }
    for (Entries* entries : {&m_server, &m_redlock})
        std::erase_if(*entries, [this](Entry& e) { return !confirm(e); });
    if (std::exchange(m_acrossUnconfirmed, false)) {
        for (auto it = m_across.begin(); it != m_across.end();) {
            const bool stays = confirm(*it);
            m_acrossUnconfirmed |= isUnconfirmed(*it);
            it = stays ? std::next(it) : m_across.erase(it);
        }
    }
    if (std::exchange(m_changed, false))
        emit reported(report());
}

void FindingTracker::checkAcross()
{
    QElapsedTimer cost;
    cost.start();
    m_acrossStale = false;
    CrossStateFindings across(m_facts, m_settings.thresholds);
    std::vector<StatePtr> problems;
    for (const auto& [handle, kept] : m_states) {
        const StatePtr state = kept.state();
        if (!isReported(*state))
            continue;
        across.take(*state);
        if (state->problem)
            problems.push_back(state);
    }
    ScanCounts scan = m_scan;
    m_missing = scan.missing = missingOf(problems, m_scan.missing);
    QHash<QByteArray, Finding> found;
    for (Finding& finding : across.end(m_facts, scan))
        found.insert(finding.code + '\0' + finding.name + '\0' + finding.key, std::move(finding));
    for (auto it = m_across.begin(); it != m_across.end();) {
        const auto now = found.constFind(it.key());
        const bool seen = now != found.cend();
        refresh(*it, seen ? &*now : nullptr);
        if (seen)
            found.erase(now);
        m_acrossUnconfirmed |= isUnconfirmed(*it);
        it = it->seen || it->told ? std::next(it) : m_across.erase(it);
    }
    if (!found.isEmpty())
        addAcross(found);
    m_acrossIn = std::max(acrossEverySeconds, int(cost.elapsed() * acrossShare / 1000));
}

// Returns the kind of a group. For a part that could not be read, it is the kind of most of its
// primitives, if that is known.
std::optional<Kind> FindingTracker::kindOf(const Finding& finding) const
{
    if (finding.about != Finding::About::Unread)
        return Kind::Token;
    for (const Missing& missing : m_missing) {
        const auto most = std::max_element(missing.primitives.begin(), missing.primitives.end());
        if (missingKey(missing) == finding.key && *most > 0)
            return Kind(most - missing.primitives.begin());
    }
    return std::nullopt;
}

// A rule over several states names the primitive and the key; which one that is has to be found.
void FindingTracker::addAcross(const QHash<QByteArray, Finding>& found)
{
    QHash<QByteArray, QByteArrayList> wanted; // by key
    QHash<QByteArray, Kind> kinds;            // of groups, by what the key is of that they name
    for (auto it = found.begin(); it != found.end(); ++it)
        wanted[it->key].append(it.key());
    for (const auto& [handle, state] : m_states) {
        const PrimitivePtr& primitive = state.primitive();
        for (const KeyRole& role : primitive->keys) {
            for (const QByteArray& id : wanted.value(role.key)) {
                const Finding& finding = *found.constFind(id);
                kinds.insert(id, primitive->kind);
                if (!m_across.contains(id) && finding.name == primitive->name())
                    m_across.insert(id, {makeLive(finding, handle, primitive->kind)});
            }
        }
    }
    for (auto it = found.begin(); it != found.end(); ++it) {
        if (!m_across.contains(it.key())) // of a group
            m_across.insert(
                it.key(), {makeGroup(*it, kinds.contains(it.key()) ? std::optional(kinds[it.key()])
                                                                   : kindOf(*it))});
    }
    m_acrossUnconfirmed = true;
}

LiveFindingsPtr FindingTracker::report() const
{
    auto report = std::make_shared<LiveFindings>();
    report->atMs = m_atMs;
    report->bySeverity = m_bySeverity;
    report->byCode = m_byCode;
    report->silenced = m_silenced;
    report->checked = m_checked;
    report->marks = m_marks;
    report->rows.reserve(std::min(m_listed.size(), LiveFindings::mostRows));
    for (const LiveFindingPtr& live : m_listed) {
        if (report->rows.size() == LiveFindings::mostRows)
            break;
        if (live->handle != noHandle)
            report->places.emplace_back(live->handle, quint32(report->rows.size()));
        report->rows.push_back(live);
    }
    std::sort(report->places.begin(), report->places.end());
    return report;
}

} // namespace lk
