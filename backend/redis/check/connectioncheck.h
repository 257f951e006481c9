// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/check/nodeentry.h"
#include "backend/redis/permissions/aclcheck.h"

#include <QTimer>

namespace lk {

class Router;
class SentinelWatch;

/// Tries an address out, stage by stage, until one fails: the way to the server (with Sentinels: to
/// one of them, then to the master that it names), the login, permissions, role, and in a cluster
/// every master. Only reads. Runs in the event loop of its thread and never blocks.
class ConnectionCheck final : public QObject
{
    Q_OBJECT

public:
    ConnectionCheck(ServerUrl url, int timeoutMs, QObject* parent = nullptr);
    ~ConnectionCheck() override;

    void start();

    /// In their order; the last one is the one that failed, if any did.
    const std::vector<CheckStage>& stages() const { return m_stages; }
    bool hasFailed() const;
    bool hasWarnings() const;
    /// Returns the error of the failed stage, if any.
    std::optional<Error> error() const;
    /// "Redis 7.0.15, a master, round trip 0.1 ms, 5 keys", as far as it is known.
    QString summary() const;

signals:
    void stageDone(const lk::CheckStage& stage);
    void finished();

private:
    void enterNext();
    void onEntered();
    void onEntryFailed();
    void askSentinels();
    void onMaster(const ServerUrl::Address& address);
    void checkPermissions();
    void checkRole();
    void checkCluster();
    void takeCluster(bool timedOut);
    void endCluster(const BatchResult& typed);
    void add(const CheckStage& stage);
    void fail(CheckStage::Id id, const Error& error);
    void finish();
    double elapsedMs() const { return double(m_since.nsecsElapsed()) / 1e6; }

    ServerUrl m_url;
    int m_timeoutMs;
    std::vector<ServerUrl> m_entries; ///< entries that have not been tried yet
    NodeEntry* m_entry = nullptr;     ///< a child, as are the others
    SentinelWatch* m_sentinels = nullptr;
    AclCheck* m_permissions = nullptr;
    Router* m_router = nullptr;
    std::vector<CheckStage> m_stages;
    CheckStage m_clusterStage; ///< until it is known whether the cluster is down
    double m_roundTripMs = -1;
    qint64 m_keys = -1;
    QElapsedTimer m_since;
    QTimer m_deadline;
    bool m_masterFound = false;
    bool m_finished = false;
};

} // namespace lk
