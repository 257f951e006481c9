// SPDX-License-Identifier: GPL-3.0-or-later
// The findings of a moment of the past, as a FindingTracker shows them: those that were recorded.
// Judging the states again would miss data that is not recorded, and use today's thresholds.
#include "backend/findings/findings.h"
#include "backend/findings/findingtracker.h"

#include <algorithm>

namespace lk {

namespace {

// True if it concerns neither a primitive nor a group nor the server, but the scan.
bool isOfScan(const PastFinding& open)
{
    return open.handle == noHandle && !open.finding.group && !open.finding.ofServer;
}

bool isAsShown(const LiveFinding& shown, const PastFinding& now)
{
    const Finding& a = shown.finding;
    const Finding& b = now.finding;
    return shown.handle == now.handle && shown.sinceMs == now.sinceMs && a.message == b.message &&
           a.severity == b.severity && a.silenced == b.silenced && a.action == b.action;
}

} // namespace

void FindingTracker::setPast(const PastFindings& findings)
{
    if (!m_past) { // what was judged before it was known that this is the past
        update(m_server, {}, noHandle, Kind::Limiter);
        update(m_redlock, {}, noHandle, Kind::Lock);
    }
    m_past = findings;
    m_atMs = findings.atMs;
}

// With the states of that moment, which tell what could not be read of it.
void FindingTracker::showPast()
{
    if (std::any_of(m_past->open.begin(), m_past->open.end(), isOfScan)) {
        std::vector<StatePtr> problems;
        for (const auto& [handle, kept] : m_states) {
            // A state with a problem is never packed.
            if (const StatePtr state = kept.isPacked() ? nullptr : kept.state();
                state && state->problem)
                problems.push_back(state);
        }
        m_missing = missingOf(problems, m_scan.missing);
    }
    for (Entry& entry : m_ofPast)
        entry.seen = false;
    for (const PastFinding& open : m_past->open) {
        const Finding& finding = open.finding;
        // Several layouts may have something of that name.
        const QByteArray place =
            open.handle == noHandle ? QByteArray() : QByteArray::number(open.handle.index);
        showPast(m_ofPast[finding.code + '\0' + finding.name + '\0' + finding.key + '\0' + place],
                 open);
    }
    for (auto it = m_ofPast.begin(); it != m_ofPast.end();) {
        if (it->seen) {
            ++it;
            continue;
        }
        unlist(*it);
        it = m_ofPast.erase(it);
    }
    everySecond(); // emits reported()
}

void FindingTracker::showPast(Entry& entry, const PastFinding& now)
{
    entry.seen = true;
    if (entry.live && isAsShown(*entry.live, now))
        return; // nothing is to be drawn anew
    Finding finding = now.finding;
    explainFinding(finding);
    const bool unread = finding.about == Finding::About::Unread && now.handle == noHandle;
    auto live =
        unread ? makeGroup(finding, kindOf(finding)) : makeLive(finding, now.handle, finding.kind);
    live->sinceMs = now.sinceMs;
    live->finding.silenced = now.finding.silenced; // as it was then
    if (entry.live) {
        live->id = entry.live->id;
        return replace(entry, std::move(live));
    }
    entry.live = std::move(live);
    list(entry);
}

} // namespace lk
