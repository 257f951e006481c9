// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/primitive.h"
#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

#include <memory>

namespace lk {

/// Who is blocked until an item comes into some list of the database. The server does not say
/// into which; the console says what it can conclude, and no more.
struct WaitingWorkers
{
    /// Whether the clients were listed, or why not.
    enum class Known : quint8 {
        Listed,
        Denied,  ///< this user may not ask; or another error, in error
        TooMany, ///< connections: asking would cost the server too much
    };
    Known known = Known::Listed;
    qint64 total = 0;
    std::vector<ClientEntry> clients; ///< who has waited longest first; at most mostShown
    /// The one known queue that is empty: whoever waits on a list that the console knows waits on
    /// that. No name: there are several, or none.
    PrimitiveId inferred;
    qint64 connections = 0; ///< TooMany
    Error error;            ///< Denied

    static constexpr size_t mostShown = 50;
    static constexpr qint64 mostConnections = 5000;
};
using WaitingWorkersPtr = std::shared_ptr<const WaitingWorkers>;
using WaitingWorkersHandler = std::function<void(WaitingWorkersPtr)>;

/// Asks once. connections: as many as the server has, as far as that is known; with too many it is
/// not asked and the handler comes at once, else as Connection::send() promises, but not when the
/// connection was lost.
void readWaitingWorkers(Link& link, qint64 connections, QObject* context,
                        WaitingWorkersHandler handler);

/// Those among the clients that wait for lists of that database. Pure.
WaitingWorkers waitingAmong(const std::vector<ClientEntry>& clients, int database);

} // namespace lk

Q_DECLARE_METATYPE(lk::WaitingWorkersPtr)
