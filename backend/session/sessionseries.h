// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/history/holdlog.h"
#include "backend/history/seriesstore.h"
#include "backend/redis/link.h"

#include <QObject>

namespace lk {

class Session;

/// The numbers that a session keeps over time: those that were read, of the primitives read. GUI
/// thread.
class SessionSeries final : public QObject
{
    Q_OBJECT

public:
    explicit SessionSeries(Session& session);

    /// Numbers over time, one for each read. Kept for every primitive while there are few, else for
    /// those that have attention.
    SeriesStore& store() { return m_store; }
    const HoldLog& holds() const { return m_holds; }
    /// How long a number that has attention stays valid without being read.
    qint64 staleAfterMs() const;

    /// The series over all tokens: pass these for a handle to store().find().
    static constexpr Handle tokenTotals{noHandle.index - 1};
    /// The series: how many are live, used, never issued, and how many have ended in each way.
    enum TokenTotal {
        TokensLive,
        TokensUsed,
        TokensNeverIssued,
        TokensExpired,
        TokensConsumed,
        TokensRevoked,
        TokensGone
    };
    /// The series of the server itself and of this console's load on it.
    static constexpr Handle serverTotals{noHandle.index - 2};
    enum ServerTotal { ServerCommands, ServerMegabytes, OwnCommands };

private:
    void record(const Delta& delta);
    void recordInfo(const ServerInfo& info);
    void recordTotals();
    void gapAll();
    qint64 silenceMs() const;

    Session& m_session;
    SeriesStore m_store;
    HoldLog m_holds;
    bool m_wasReady = false; ///< connected
};

} // namespace lk
