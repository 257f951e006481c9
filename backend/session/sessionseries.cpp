// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionseries.h"

#include "backend/libraries/api/layout.h"
#include "backend/polling/schedule/roundrobinrefresh.h"
#include "backend/session/session.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"

#include <algorithm>

namespace lk {

namespace {

// Up to this many primitives, the numbers of every one are kept over time.
constexpr qint64 recordAllUpTo = 500;
constexpr qint64 leastStaleMs = 2000;
constexpr qint64 costSilenceMs = 5000;   // cost and totals arrive every second
constexpr qint64 infoSilenceMs = 15'000; // INFO arrives every five seconds

} // namespace

SessionSeries::SessionSeries(Session& session)
    : m_session(session)
{
    const SessionStates& states = session.states();
    connect(&states, &SessionStates::changed, this, [this](const DeltaPtr& d) { record(*d); });
    connect(&states, &SessionStates::forgotten, this, [this](Handle handle) {
        m_holds.forget(handle);
        m_store.forget(handle);
    });
    connect(&session.polling(), &SessionPolling::pausedChanged, this, [this](bool paused) {
        if (paused)
            gapAll();
    });
    connect(&session, &Session::statusChanged, this, [this](const ConnectionStatus& status) {
        const bool ready = status.phase == ConnectionStatus::Phase::Ready;
        if (std::exchange(m_wasReady, ready) && !ready)
            gapAll();
    });
    connect(&session, &Session::infoChanged, this, &SessionSeries::recordInfo);
    connect(&session, &Session::reported, this, &SessionSeries::recordTotals);
}

void SessionSeries::gapAll()
{
    m_store.gapAll(m_session.serverNowMs());
    m_holds.gapAll();
}

qint64 SessionSeries::staleAfterMs() const
{
    const int intervalMs = m_session.polling().intervalMs();
    return std::max(leastStaleMs,
                    4 * qint64(std::max(intervalMs, m_session.report().pollingIntervalMs)));
}

// Returns how long a primitive may go unread while its numbers still count as known. If a feed
// reports every change, until its next turn; otherwise only as long as a primitive on screen.
qint64 SessionSeries::silenceMs() const
{
    const MonitorReport& report = m_session.report();
    const FeedStatus::Mode mode = report.feed.mode;
    const bool fed = mode == FeedStatus::Mode::Tracking || mode == FeedStatus::Mode::Notifications;
    if (!fed || m_session.states().count() > recordAllUpTo)
        return staleAfterMs();
    return std::max(staleAfterMs(), RoundRobinRefresh::roundMs(report.primitives, true) * 3 / 2);
}

void SessionSeries::record(const Delta& delta)
{
    if (!m_session.isLive()) // replies under way when reading ended would stand alone in the gap
        return;
    const bool all = m_session.states().count() <= recordAllUpTo;
    const qint64 silence = silenceMs();
    for (const StateChange& change : delta.changes) {
        const Handle handle = change.handle;
        if (!change.state || !(all || m_session.polling().hasAttention(handle)))
            continue;
        const State& state = *change.state;
        m_holds.append(handle, state, silence);
        const auto metrics = metricsOf(*state.primitive);
        for (size_t i = 0; i < metrics.size(); ++i) {
            if (const std::optional<double> value = metrics[i].value(state))
                m_store.append(handle, int(i), state.asOfMs, *value, silence);
            else if (metrics[i].emptyIsNone && !state.problem)
                m_store.absent(handle, int(i), state.asOfMs, silence);
            else
                m_store.gap(handle, int(i), state.asOfMs);
        }
    }
}

void SessionSeries::recordInfo(const ServerInfo& info)
{
    const auto append = [&](ServerTotal metric, const char* name, double unit) {
        const auto value = info.number(name);
        if (value && m_session.isLive())
            m_store.append(serverTotals, metric, m_session.serverNowMs(), double(*value) / unit,
                           infoSilenceMs);
    };
    append(ServerCommands, "instantaneous_ops_per_sec", 1);
    append(ServerMegabytes, "used_memory", 1e6);
}

// Records totals once a second, as a summary arrives only after a change.
void SessionSeries::recordTotals()
{
    if (m_session.isPast())
        return;
    const qint64 nowMs = m_session.serverNowMs();
    m_store.append(serverTotals, OwnCommands, nowMs, m_session.report().cost.commandsPerSecond,
                   costSilenceMs);
    const SummaryPtr& summary = m_session.board().summary();
    if (!m_session.isLive() || !summary || !summary->scanned)
        return;
    const auto total = [&](TokenTotal metric, qint64 value) {
        m_store.append(tokenTotals, metric, nowMs, double(value), costSilenceMs);
    };
    total(TokensLive, summary->tokensLive);
    total(TokensUsed, summary->tokensUsed);
    total(TokensNeverIssued, summary->tokensNeverIssued);
    using End = TokenState::End;
    for (const auto& [metric, end] :
         {std::pair(TokensExpired, End::Expired), std::pair(TokensConsumed, End::Consumed),
          std::pair(TokensRevoked, End::Revoked), std::pair(TokensGone, End::Gone)})
        total(metric, summary->tokenEnds[size_t(end)]);
}

} // namespace lk
