// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/discovery/scan/deploymentscan.h"
#include "backend/discovery/scan/discovery.h"
#include "backend/discovery/scan/memorylimit.h"
#include "backend/discovery/scan/pace/scanpace.h"
#include "backend/discovery/scan/pace/tokenbucket.h"

#include <QHash>
#include <QObject>
#include <QSet>

namespace lk {

/// Finds primitives. Scans the keyspace repeatedly and slowly on its own connection, and probes
/// names that the feed reports. The first scan is fast, within its budget. Later ones skip names
/// that are known or were denied. Lives in the I/O thread.
class BackgroundScan final : public QObject
{
    Q_OBJECT

public:
    /// commandsPerSecond limits the commands to each node, from the first one on. It replaces the
    /// limit of the pace until setPace(); 0: no limit.
    BackgroundScan(const ServerUrl& url, Discovery& discovery, const Clock& clock,
                   std::optional<qint64> commandsPerSecond = {}, QObject* parent = nullptr);

    void open() { m_router.open(); }
    void close();
    void setPassword(const QString& user, const QString& password);
    void setSentinelPassword(const QString& user, const QString& password);
    void retryNow() { m_router.retryNow(); }
    void setClock(const ServerClock& clock) { m_scan.setClock(clock); }
    void setPaused(bool paused);
    /// Takes effect with the next slice.
    void setPace(ScanPace pace);
    /// Above the limit the scan is stopped and no unknown name is probed.
    void setMemoryLimit(MemoryLimit limit) { m_memory = limit; }

    /// Starts a new scan. It reads names again that no layout claimed or that were denied.
    void restart();
    /// Stops the scan; no other begins until restart().
    void stopPass();
    bool isStopped() const { return m_stopped; }
    /// True if no scan has completed yet.
    bool isFirst() const { return m_passes == 0; }
    /// Probes a changed name that belongs to no primitive.
    void probe(const QByteArray& name);
    /// Call it once a second. Sends the names that probe() collected, and begins the next scan when
    /// due.
    void everySecond();

    bool isRunning() const { return m_scan.isRunning(); }
    /// The counts of the running scan; between scans those of the last complete one.
    const ScanCounts& counts() const { return m_shown; }
    /// Number of names that the last scan found at that node.
    qint64 scannedAt(const QString& endpoint) const { return m_scan.scannedAt(endpoint); }
    const std::optional<Error>& problem() const { return m_problem; }
    /// Why the connection is lost; empty while it is up or not wanted.
    const std::optional<Error>& lostBy() const { return m_lostBy; }
    TrafficCounts traffic() const { return m_router.traffic(); }

signals:
    void discovered(const lk::Discovery::Found& found);
    void passFinished();

private:
    void startPass();
    void stopPass(const Missing& why);
    void onSlice(ScanSlice& slice);
    void count(const ScanSlice& slice);
    void onFinished();
    ScanBounds boundsOfSlice(bool busy) const;
    bool isKnown(const QByteArray& name) const;
    KeyspaceScan::Options scanOptions();
    KeyspaceScan::Options::Knowledge knowledgeOf(const QByteArray& name);
    void remember(const UnreadKey& key, bool counted);
    void forgetMoved();

    Discovery& m_discovery;
    const Clock& m_clock;
    Router m_router;
    std::optional<qint64> m_commandsPerSecond; ///< overrides the pace
    ScanPace m_pace = ScanPace::Normal;
    MemoryLimit m_memory = MemoryLimit::ofMachine();
    DeploymentScan m_scan;
    QSet<quint64> m_notRecognized; ///< hashes of names that no layout claims
    QHash<quint64, quint16>
        m_unread; ///< hashes of names that could not be read: an index of m_reasons
    std::vector<Missing> m_reasons; ///< with the keys of the running scan
    std::vector<QByteArray> m_toProbe;
    ScanCounts m_pass;
    qint64 m_members = 0; ///< keys of the running scan that are merely parts of a primitive
    ScanCounts m_shown;
    std::optional<Error> m_problem;
    std::optional<Error> m_unreadFor; ///< the first error that kept a key from being read
    std::optional<Error> m_lostBy;
    qint64 m_startedMs = 0;
    qint64 m_nextMs = 0;
    qint64 m_rememberedFromMs = 0; ///< when the first of m_remembered began
    int m_remembered = 0;          ///< scans since names not recognized were last forgotten
    int m_passes = 0;
    int m_failures = 0; ///< in a row
    bool m_paused = false;
    bool m_stopped = false;
};

} // namespace lk
