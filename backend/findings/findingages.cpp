// SPDX-License-Identifier: GPL-3.0-or-later
// The start times of findings that began before this program was started.
#include "backend/core/redactedname.h"
#include "backend/findings/findingtracker.h"

namespace lk {

namespace {

// A finding that is not found again within this time counts as a new one later.
constexpr qint64 foundWithinMs = 300'000;

} // namespace

QByteArray findingIdentity(const Finding& finding, Kind kind)
{
    const bool named = !finding.group && !finding.ofServer;
    // A name from the recording does not contain the code.
    const auto asRecorded = [&](const QByteArray& name) {
        return named && !readMasked(name).masked ? redactedKey(kind, name) : name;
    };
    return finding.code + '\0' + asRecorded(finding.name) + '\0' + asRecorded(finding.key);
}

void FindingTracker::refreshAge(Entry& entry)
{
    const LiveFinding& live = *entry.live;
    const qint64 sinceMs = std::min(live.sinceMs, sinceMsOf(live.finding, live.kind));
    if (sinceMs == live.sinceMs)
        return;
    auto changed = std::make_shared<LiveFinding>(live);
    changed->sinceMs = sinceMs;
    replace(entry, std::move(changed));
}

qint64 FindingTracker::sinceMsOf(const Finding& finding, Kind kind)
{
    if (m_earlier.isEmpty())
        return m_atMs;
    m_earlierUntilMs = m_earlierUntilMs > 0 ? m_earlierUntilMs : m_atMs + foundWithinMs;
    if (m_atMs > m_earlierUntilMs)
        m_earlier.clear();
    const qint64 earlierMs = m_earlier.take(findingIdentity(finding, kind));
    return earlierMs > 0 ? std::min(earlierMs, m_atMs) : m_atMs;
}

} // namespace lk
