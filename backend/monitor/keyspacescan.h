// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/layouts/classifier.h"
#include "backend/redis/connection.h"

#include <QObject>

#include <deque>
#include <functional>
#include <memory>

namespace lk {

/// What one slice of SCAN brought.
struct ScanSlice
{
    std::vector<Probe> probes; ///< of the keys of a wanted type
    qint64 names = 0;          ///< that SCAN returned
    qint64 unwanted = 0;       ///< of a type that no layout looks at
    qint64 known = 0;          ///< left out because the owner knows them
    qint64 vanished = 0;       ///< gone between SCAN and TYPE
    qint64 skipped = 0;        ///< denied, moved or otherwise not to be looked at
    qint64 commands = 0;
    bool outside = false;      ///< asked for by look(): no part of the walk
    qint64 tookMs = 0;         ///< from SCAN's answer to the probes' answer
    std::optional<Error> firstError;
};

/// Walks the keyspace once with SCAN and looks at each key within bounds. Never KEYS, never a
/// whole value. Several slices may be under way so that server and console work side by side.
class KeyspaceScan final : public QObject
{
    Q_OBJECT

public:
    struct Options
    {
        int count = 500;          ///< SCAN's COUNT: names asked for in one call
        int slicesUnderWay = 1;   ///< more is faster and burdens the server more
        QByteArray match;         ///< a glob that SCAN filters by; empty: every name
        /// True for a name that needs no look; may be empty.
        std::function<bool(const QByteArray&)> isKnown;
        /// Milliseconds to pause after a slice, from how long it took; may be empty (no pause).
        std::function<int(qint64 tookMs)> pause;
    };

    KeyspaceScan(Connection& connection, const Classifier& classifier, const Clock& local,
                 Options options, QObject* parent = nullptr);

    void setClock(const ServerClock& clock) { m_clock = clock; }
    void start();
    /// While held no further slice of the walk is asked for; what is under way ends.
    void setHeld(bool held);
    /// Looks at these names as if a slice had brought them, whether a walk is under way or not.
    void look(std::vector<QByteArray> names);
    bool isRunning() const { return m_running; }

signals:
    void sliceReady(const std::shared_ptr<lk::ScanSlice>& slice);
    /// The walk is over: SCAN came back to 0 and every slice was delivered.
    void finished();
    /// The connection was lost; start() begins again.
    void failed(const lk::Error& error);

private:
    struct Slice;
    using SlicePtr = std::shared_ptr<Slice>;

    void scanNext();
    void onScanned(const BatchResult& result);
    void askTypes(const SlicePtr& slice);
    void onTypes(const SlicePtr& slice, const std::vector<Reply>& replies);
    void askProbes(const SlicePtr& slice);
    void onProbes(const SlicePtr& slice, std::vector<Reply> replies);
    void later(std::function<void()> step);
    void beCareful();
    void carefully();
    void probeAlone(const SlicePtr& slice, size_t index);
    void deliver(const SlicePtr& slice);
    void fail(const Error& error);
    void continueOrFinish();
    void addProbeCommands(std::vector<Command>& commands, const Probe& probe) const;

    Connection& m_connection;
    const Classifier& m_classifier;
    const Clock& m_local;
    Options m_options;
    ServerClock m_clock;
    QByteArray m_cursor;
    int m_underWay = 0;
    std::deque<SlicePtr> m_suspects;            ///< one of whose probes passed the cap on replies
    std::deque<std::function<void()>> m_later; ///< to be asked when the suspects are through
    int m_scanRetries = 0;
    bool m_careful = false; ///< the suspects' keys are asked for one by one, and nothing else is
    quint64 m_run = 0; ///< answers of an earlier run are dropped
    bool m_running = false;
    bool m_held = false;
    bool m_cursorDone = false;
    bool m_scanAsked = false;
};

} // namespace lk
