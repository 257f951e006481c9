// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"
#include "backend/core/primitive.h"
#include "backend/redis/link.h"
#include "backend/redis/server/clientlist.h"

#include <memory>

namespace lk {

/// The clients that are blocked until an item arrives in some list of the database. The server does
/// not report which list; the console reports only what it can conclude.
struct WaitingWorkers
{
    /// Whether the clients were listed, or why they were not.
    enum class Known : quint8 {
        Listed,
        Denied,  ///< the user may not list clients, or another error occurred; see error
        TooMany, ///< there are so many connections that the list would cost the server too much
    };
    Known known = Known::Listed;
    qint64 total = 0;
    std::vector<ClientEntry> clients; ///< the longest waiting first; at most mostShown
    /// The only known queue that is empty: a client that waits on a known list waits on this one.
    /// Has no name if there are several or none.
    PrimitiveId inferred;
    qint64 connections = 0; ///< TooMany
    Error error;            ///< Denied

    static constexpr size_t mostShown = 50;
    static constexpr qint64 mostConnections = 5000;
};
using WaitingWorkersPtr = std::shared_ptr<const WaitingWorkers>;
using WaitingWorkersHandler = std::function<void(WaitingWorkersPtr)>;

/// Lists the waiting clients once. connections: the server's number of connections, as far as
/// known. If there are too many, calls the handler at once without asking. Otherwise calls it as
/// Connection::send() promises, but not if the connection was lost.
void readWaitingWorkers(Link& link, qint64 connections, QObject* context,
                        WaitingWorkersHandler handler);

/// Returns the clients that wait for lists of that database. Pure.
WaitingWorkers waitingAmong(const std::vector<ClientEntry>& clients, int database);

} // namespace lk

Q_DECLARE_METATYPE(lk::WaitingWorkersPtr)
