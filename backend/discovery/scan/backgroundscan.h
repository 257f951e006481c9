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

/// Finds primitives: scans the keyspace on a connection of its own, again and again but at ease,
/// and looks at names that the feed brought. The first scan is brisk, within its budget; later ones
/// pass over the names that are known, and over those that were denied. Lives in the I/O thread.
class BackgroundScan final : public QObject
{
    Q_OBJECT

public:
    /// commandsPerSecond bounds what each node is sent, from the first command on, instead of what
    /// its pace says, until setPace(); 0: no bound.
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
    /// Beyond it the scan is stopped, and no name is looked at that is not known.
    void setMemoryLimit(MemoryLimit limit) { m_memory = limit; }

    /// Scans anew from the start; also names that nobody claimed and that were denied are read
    /// again.
    void restart();
    /// Ends the scan where it is; no other begins until restart().
    void stopPass();
    bool isStopped() const { return m_stopped; }
    /// No scan has come to its end yet.
    bool isFirst() const { return m_passes == 0; }
    /// A name that belongs to no primitive changed: is it one now?
    void probe(const QByteArray& name);
    /// Once a second: sends what probe() collected, begins the next scan when it is time.
    void everySecond();

    bool isRunning() const { return m_scan.isRunning(); }
    /// Of the scan under way; of the last whole one between scans.
    const ScanCounts& counts() const { return m_shown; }
    /// Names that the last scan found at that node.
    qint64 scannedAt(const QString& endpoint) const { return m_scan.scannedAt(endpoint); }
    const std::optional<Error>& problem() const { return m_problem; }
    /// Why its connection is not there, although it is wanted; nothing while it is.
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
    std::optional<qint64> m_commandsPerSecond; ///< instead of the pace's
    ScanPace m_pace = ScanPace::Normal;
    MemoryLimit m_memory = MemoryLimit::ofMachine();
    DeploymentScan m_scan;
    QSet<quint64> m_notRecognized; ///< hashes of names that nobody claims
    QHash<quint64, quint16>
        m_unread; ///< hashes of names that could not be read: an index of m_reasons
    std::vector<Missing> m_reasons; ///< with the keys of the scan under way
    std::vector<QByteArray> m_toProbe;
    ScanCounts m_pass;
    qint64 m_members = 0; ///< keys of the scan under way that are mere parts of a primitive
    ScanCounts m_shown;
    std::optional<Error> m_problem;
    std::optional<Error> m_unreadFor; ///< the first thing that kept a key from being read
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
