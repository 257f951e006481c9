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

/// Scans the keyspace once with SCAN and looks at each key within bounds. Never KEYS, never a whole
/// value. Several slices may be under way so that server and console work side by side. Lives in
/// the connection's thread.
class KeyspaceScan final : public QObject
{
    Q_OBJECT

public:
    /// How much is asked for at a time, and of which names. Functions are called in the scan's
    /// thread.
    struct Options
    {
        int count = 500;        ///< SCAN's COUNT: names asked for in one call
        int slicesUnderWay = 1; ///< more is faster and burdens the server more
        QByteArray match;       ///< a glob that SCAN filters by; empty: every name
        /// Whether a name is asked for; may be empty: all are.
        enum class Knowledge : quint8 { New, Known, Member, Denied };
        std::function<Knowledge(const QByteArray&)> knowledge;
        /// Whether this scan has brought that name before, by another node: it is left out, and not
        /// counted. May be empty.
        std::function<bool(const QByteArray&)> seen;
        /// Whether another node answers for all, by whose clock all is told. May be empty: no.
        std::function<bool()> ofOther;
        /// Of the next slice; busy: the node answers others a lot. May be empty (no bounds).
        std::function<ScanBounds(bool busy)> bounds;
        int countOthersMs = 10; ///< for how long they are counted; see countOthers()
    };

    KeyspaceScan(Link& connection, const Classifier& classifier, const Clock& local,
                 Options options, QObject* parent = nullptr);

    void setClock(const ServerClock& clock) { m_clock = clock; }
    void start();
    /// Looks at these names alone, without SCAN; finished() comes as after a scan.
    void start(std::vector<QByteArray> names);
    /// Ends the scan where it is; no signal follows.
    void stop();
    /// While held no further slice of the scan is asked for; what is under way ends.
    void setHeld(bool held);
    /// Looks at these names as if a slice had brought them, whether a scan is under way or not.
    void probe(std::vector<QByteArray> names);
    bool isRunning() const { return m_running; }
    /// After finished(): SCAN was given up, as it would not have ended.
    bool isEndless() const { return m_endless; }

signals:
    void sliceReady(const std::shared_ptr<lk::ScanSlice>& slice);
    /// The server answered something whole: it goes on, however slowly.
    void advanced();
    /// The scan is over: SCAN came to its end, or was given up, and every slice was delivered.
    void finished();
    /// The connection was lost; start() begins again.
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
    bool m_isCounting = false;         ///< how much the node answers others
    std::optional<qint64> m_countedMs; ///< local time of the last count
    QByteArray m_cursor;
    std::vector<QByteArray> m_unasked; ///< names that SCAN brought and the next slices ask about
    int m_underWay = 0;
    int m_awaited = 0;                            ///< batches that the server has not answered yet
    std::deque<std::function<void()>> m_unjudged; ///< answered slices: work out what they say
    LoneProbes m_alone;                           ///< while it is active nothing else is sent
    ExpectedTypes m_types;
    ScanEnd m_end;
    SliceLength m_length;
    int m_scanRetries = 0;
    int m_count =
        0; ///< names asked for in the next call; fewer than the options' where they are long
    int m_scanCalls = 0;
    quint64 m_run = 0; ///< answers of an earlier run are dropped
    bool m_running = false;
    bool m_held = false;
    bool m_cursorDone = false;
    bool m_scanAsked = false;
    bool m_endless = false;
};

} // namespace lk
