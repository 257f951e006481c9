// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that a session keeps over time: those that were read, of the primitives read.
#include "backend/libraries/api/layout.h"
#include "backend/polling/schedule/roundrobinrefresh.h"
#include "backend/session/session.h"

#include <algorithm>

namespace lk {

namespace {

// Up to this many primitives, the numbers of every one are kept over time.
constexpr qint64 recordAllUpTo = 500;
constexpr qint64 leastStaleMs = 2000;
constexpr qint64 totalsSilenceMs = 5000; // they arrive every second

} // namespace

void Session::gapAll()
{
    m_series.gapAll(serverNowMs());
    m_holds.gapAll();
}

qint64 Session::staleAfterMs() const
{
    return std::max(leastStaleMs,
                    4 * qint64(std::max(m_pollingIntervalMs, m_report.pollingIntervalMs)));
}

// Returns how long a primitive may go unread while its numbers still count as known. If a feed
// reports every change, until its next turn; otherwise only as long as a primitive on screen.
qint64 Session::silenceMs() const
{
    const FeedStatus::Mode mode = m_report.feed.mode;
    const bool fed = mode == FeedStatus::Mode::Tracking || mode == FeedStatus::Mode::Notifications;
    if (!fed || m_present > recordAllUpTo)
        return staleAfterMs();
    return std::max(staleAfterMs(), RoundRobinRefresh::roundMs(m_report.primitives, true) * 3 / 2);
}

void Session::forget(Handle handle)
{
    if (handle == noHandle)
        return;
    m_present -= m_states.contains(handle) ? 1 : 0;
    m_states.erase(handle);
    m_holds.forget(handle);
    m_series.forget(handle);
    std::erase(m_visible, handle);
    if (m_selected == handle) {
        m_selected = noHandle;
        m_waiting.reset();
    }
    if (m_jobsWanted.first == handle)
        wantJobs(noHandle, {});
    if (m_revealed.remove(handle))
        emit codesChanged();
    const bool planned = m_planned.remove(handle);
    if (m_pinned.contains(handle))
        setPinned(handle, false);
    else if (planned)
        sendPinned();
}

void Session::record(Handle handle, const State& state)
{
    const bool attended = handle == m_selected || m_pinned.contains(handle) ||
                          m_planned.contains(handle) ||
                          std::find(m_visible.begin(), m_visible.end(), handle) != m_visible.end();
    // Replies under way when reading ended would stand alone in the gap.
    if (!isLive() || (m_present > recordAllUpTo && !attended))
        return;
    const qint64 silence = silenceMs();
    m_holds.append(handle, state, silence);
    const auto all = metricsOf(*state.primitive);
    for (size_t i = 0; i < all.size(); ++i) {
        if (const std::optional<double> value = all[i].value(state))
            m_series.append(handle, int(i), state.asOfMs, *value, silence);
        else if (all[i].emptyIsNone && !state.problem)
            m_series.absent(handle, int(i), state.asOfMs, silence);
        else
            m_series.gap(handle, int(i), state.asOfMs);
    }
}

// Records totals once a second, as a summary arrives only after a change.
void Session::recordTotals()
{
    if (!isLive() || !m_summary || !m_summary->scanned)
        return;
    const auto total = [&](TokenTotal metric, qint64 value) {
        m_series.append(tokenTotals, metric, serverNowMs(), double(value), totalsSilenceMs);
    };
    total(TokensLive, m_summary->tokensLive);
    total(TokensUsed, m_summary->tokensUsed);
    total(TokensNeverIssued, m_summary->tokensNeverIssued);
    using End = TokenState::End;
    for (const auto& [metric, end] :
         {std::pair(TokensExpired, End::Expired), std::pair(TokensConsumed, End::Consumed),
          std::pair(TokensRevoked, End::Revoked), std::pair(TokensGone, End::Gone)})
        total(metric, m_summary->tokenEnds[size_t(end)]);
}

} // namespace lk
