// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/monitor/discovery.h"

#include <QObject>
#include <QSet>

namespace lk {

/// Finds primitives: walks the keyspace on a connection of its own, again and again but at ease,
/// and looks at names that the feed brought. The first walk is brisk; later ones pass over the
/// names that are known. Lives in the I/O thread.
class Sweep final : public QObject
{
    Q_OBJECT

public:
    Sweep(const ServerUrl& url, Discovery& discovery, const Clock& clock,
          QObject* parent = nullptr);

    void open() { m_connection.open(); }
    void close();
    void setPassword(const QString& user, const QString& password);
    void retryNow() { m_connection.retryNow(); }
    void setClock(const ServerClock& clock) { m_scan.setClock(clock); }
    void setPaused(bool paused);

    /// Walks anew from the start; also names that nobody claimed are looked at again.
    void restart();
    /// A name that belongs to no primitive changed: is it one now?
    void look(const QByteArray& name);
    /// Once a second: sends what look() collected, begins the next walk when it is time.
    void everySecond();

    bool isRunning() const { return m_scan.isRunning(); }
    /// Of the walk under way; of the last whole one between walks.
    const ScanCounts& counts() const { return m_shown; }
    const std::optional<Error>& problem() const { return m_problem; }
    TrafficCounts traffic() const { return m_connection.traffic(); }

signals:
    void discovered(const lk::Discovery::Found& found);
    void walkFinished();

private:
    void startWalk();
    void onSlice(const ScanSlice& slice);
    void count(const ScanSlice& slice);
    void onFinished();
    int pauseAfter(qint64 tookMs) const;
    bool isKnown(const QByteArray& name) const;

    Discovery& m_discovery;
    const Clock& m_clock;
    Connection m_connection;
    KeyspaceScan m_scan;
    QSet<quint64> m_unclaimed; ///< hashes of names that nobody claims
    std::vector<QByteArray> m_toLook;
    ScanCounts m_walk;
    ScanCounts m_shown;
    std::optional<Error> m_problem;
    qint64 m_startedMs = 0;
    qint64 m_nextMs = 0;
    int m_walks = 0;
    bool m_paused = false;
};

} // namespace lk
