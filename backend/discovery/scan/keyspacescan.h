// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/clock.h"
#include "backend/discovery/classifier.h"
#include "backend/discovery/scan/pace/scanpacer.h"
#include "backend/discovery/scan/pace/slicelength.h"
#include "backend/discovery/scan/probe/expectedtypes.h"
#include "backend/discovery/scan/probe/loneprobes.h"
#include "backend/discovery/scan/probe/scanslice.h"
#include "backend/discovery/scan/scanend.h"
#include "backend/redis/link.h"

#include <QObject>

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace lk {

/// Scans the keyspace once with SCAN and probes each key within bounds. Never sends KEYS and never
/// reads a whole value. Several slices may be in flight, so that server and console work in
/// parallel. Lives in the connection's thread.
class KeyspaceScan final : public QObject
{
    Q_OBJECT

public:
    /// How much a scan reads at a time, and which names. Functions are called in the scan's thread.
    struct Options
    {
        int count = 500;        ///< SCAN's COUNT: names requested per call
        int slicesUnderWay = 1; ///< more is faster and loads the server more
        QByteArray match;       ///< a glob that SCAN filters by; empty: every name
        /// Decides whether a name is probed. May be empty: all names are.
        enum class Knowledge : quint8 { New, Known, Member, Denied };
        std::function<Knowledge(const QByteArray&)> knowledge;
        /// Whether this scan has already returned the name from another node; such a name is
        /// skipped and not counted. May be empty.
        std::function<bool(const QByteArray&)> seen;
        /// Whether another node's clock is used for all states. May be empty: no.
        std::function<bool()> ofOther;
        /// The bounds of the next slice. busy: other clients load the node heavily. May be empty
        /// (no bounds).
        std::function<ScanBounds(bool busy)> bounds;
        int countOthersMs = 10; ///< duration of the count; see countOthers()
    };

    KeyspaceScan(Link& connection, const Classifier& classifier, const Clock& local,
                 Options options, QObject* parent = nullptr);

    void setClock(const ServerClock& clock) { m_clock = clock; }
    void start();
    /// Probes only these names, without SCAN. Emits finished() as after a scan.
    void start(std::vector<QByteArray> names);
    /// Stops the scan; no signal follows.
    void stop();
    /// While held, the scan requests no further slice. Slices in flight complete.
    void setHeld(bool held);
    /// Probes these names like those of a slice, whether or not a scan is running.
    void probe(std::vector<QByteArray> names);
    bool isRunning() const { return m_running; }
    /// Valid after finished(): true if SCAN was aborted because it would not have ended.
    bool isEndless() const { return m_endless; }

signals:
    void sliceReady(const std::shared_ptr<lk::ScanSlice>& slice);
    /// The server has completed a reply: the scan advances, however slowly.
    void advanced();
    /// The scan is over: SCAN has ended or was aborted, and every slice was delivered.
    void finished();
    /// The connection was lost; start() starts over.
    void failed(const lk::Error& error);

private:
    struct Slice;
    using SlicePtr = std::shared_ptr<Slice>;

    void scanNext();
    void onScanned(const BatchResult& result);
    void askSome(const SlicePtr& slice);
    void askTypes(const SlicePtr& slice);
    void sendTypes(const SlicePtr& slice);
    void onTypes(const SlicePtr& slice, const std::vector<Reply>& replies);
    void askProbes(const SlicePtr& slice);
    void sendProbes(const SlicePtr& slice);
    void judge(const SlicePtr& slice, std::vector<Reply> replies);
    void judgeNext();
    void onJudged(const SlicePtr& slice);
    void answered();
    void askForTypesAfterAll(const SlicePtr& slice);
    void probeAlone(const SlicePtr& slice);
    void deliver(const SlicePtr& slice);
    void deliverAlone(const SlicePtr& slice, Probe probe);
    void fail(const Error& error);
    void continueOrFinish();
    void begin();
    void drop();
    int slicesAllowed() const;
    bool countsOthers();
    void paced(qint64 commands, std::function<void()> step);
    void sendTimed(const SlicePtr& slice, const std::vector<Command>& batch, BatchHandler handler);

    Link& m_connection;
    const Classifier& m_classifier;
    const Clock& m_local;
    Options m_options;
    ServerClock m_clock;
    ScanPacer m_pacer;
    bool m_busy = false;
    bool m_mayCount = true;
    bool m_isCounting = false;         ///< the load from other clients is being counted
    std::optional<qint64> m_countedMs; ///< local time of the last count
    QByteArray m_cursor;
    std::vector<QByteArray> m_unasked; ///< names from SCAN that the next slices probe
    int m_underWay = 0;
    int m_awaited = 0;                            ///< number of batches without a reply
    std::deque<std::function<void()>> m_unjudged; ///< steps that judge answered slices
    LoneProbes m_alone;                           ///< while active, nothing else is sent
    ExpectedTypes m_types;
    ScanEnd m_end;
    SliceLength m_length;
    int m_scanRetries = 0;
    int m_count =
        0; ///< names requested by the next call; fewer than in the options if names are long
    int m_scanCalls = 0;
    quint64 m_run = 0; ///< replies of an earlier run are dropped
    bool m_running = false;
    bool m_held = false;
    bool m_cursorDone = false;
    bool m_scanAsked = false;
    bool m_endless = false;
};

} // namespace lk
