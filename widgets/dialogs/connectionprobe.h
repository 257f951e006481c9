// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/connection.h"
#include "backend/redis/server/serverinfo.h"

#include <QObject>

#include <optional>

namespace lk {

class Router;

/// What a first look at a server found.
struct ProbeReport
{
    std::optional<Error> error;       ///< no connection; the rest is empty then
    std::optional<Error> infoRefused; ///< the user may not ask INFO
    ServerInfo info;
    double roundTripMs = -1; ///< of one PING
    qint64 keys = -1;        ///< in the database; -1: not told
};

/// The report as a sentence or two for a person.
QString probeText(const ProbeReport& report);

/// Tries an address out: finds the master where it is one of Sentinels, logs in, asks INFO, DBSIZE
/// and PING, closes. The first failure ends it. Works by the event loop of its (GUI) thread and
/// blocks nothing.
class ConnectionProbe final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void start(const ServerUrl& url); ///< gives up a try that is under way
    void cancel();                    ///< nothing is told any more
    bool isRunning() const { return m_router != nullptr; }

signals:
    void finished(const lk::ProbeReport& report);

private:
    void onStatus(const ConnectionStatus& status);
    void onInfo(const BatchResult& replies);
    void finish();

    Router* m_router = nullptr; ///< a child; null while there is no try
    ProbeReport m_report;
};

} // namespace lk
