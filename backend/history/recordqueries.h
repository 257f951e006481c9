// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/history/momentmemory.h"
#include "backend/history/recordedages.h"

#include <QSet>

#include <functional>

namespace lk {

class RecordFile;

/// Asks the recording, and waits for the disk: for programs, tests and RecordReader, in one thread.
/// Only reads. What is broken in the file is left out.
class RecordQueries
{
public:
    explicit RecordQueries(QString path);
    ~RecordQueries();

    /// Errors: FileError, as where there is no recording.
    Result<void> open();
    /// The file is damaged: what was answered since it was opened may not be all.
    std::optional<Error> damage() const;
    /// Still the file of that name: a broken one is replaced by whoever records.
    bool isInPlace() const;

    std::vector<RecordedSpan> deployments();
    /// By one of its names: RecordedDeployment's key or an alias. Empty: it is not recorded.
    QByteArray find(const QByteArrayList& names);
    RecordedSpan span(const QByteArray& deployment);
    /// Its server's time minus this machine's, when it was recorded last.
    qint64 offsetMs(const QByteArray& deployment);
    /// Those named so: exactly, by label, or by one of their keys; the ones seen last first.
    /// Empty deployment: of all.
    std::vector<std::pair<RecordedId, PrimitivePtr>> named(const QByteArray& deployment,
                                                           const QByteArray& name);
    PrimitivePtr primitive(const RecordedId& id);

    /// All states and open findings as of then. memory: of who asks for several; may be null.
    RecordedMoment momentAt(const QByteArray& deployment, qint64 tMs,
                            MomentMemory* memory = nullptr);
    /// Of one primitive; null where it was not there or nothing is known.
    StatePtr stateAt(const RecordedId& id, qint64 tMs);
    /// The number of that name that a state shows; none: it shows none.
    using NumberOf = std::function<std::optional<double>(const State&, const QByteArray& metric)>;
    /// From the finest tiers that still have it; values are held until the next, and gaps of the
    /// recording are NaN. At most maxPoints, with their extremes. numberOf: what it was when
    /// that time began where it had not changed for long; may be null. drift: by how
    /// much it changes in a millisecond while nothing is recorded: -1 runs down to 0, 1 grows.
    RecordedSeries series(const RecordedId& id, const QByteArray& metric, qint64 fromMs,
                          qint64 toMs, int maxPoints, const NumberOf& numberOf = {}, int drift = 0);
    /// Metrics that it has numbers of.
    QByteArrayList metrics(const RecordedId& id, qint64 fromMs, qint64 toMs);
    /// Those that touch the time, the oldest first.
    std::vector<RecordedHold> holds(const RecordedId& id, qint64 fromMs, qint64 toMs,
                                    int limit = 10'000);
    /// The hold that was open when each lock was last seen: for who begins to watch again.
    std::vector<RecordedHold> openHolds(const QByteArray& deployment);
    /// Of locks that several may hold: those who did when the recording before this one ended.
    std::vector<RecordedHold> leftHolds(const QByteArray& deployment);
    /// Those that ended last, as far as their end was seen, the oldest first: for what is usual.
    std::vector<RecordedHold> lastHolds(const QByteArray& deployment, int limit);
    /// Which events are asked for; times in milliseconds of server time, both ends included.
    struct EventQuery
    {
        QByteArray deployment = {};
        std::optional<PrimitiveId> primitive = {}; ///< empty: of all and of the deployment itself
        qint64 fromMs = 0;
        qint64 toMs = std::numeric_limits<qint64>::max();
        QSet<EventType> types = {}; ///< empty: all
        int limit = 1000;
        bool latest = false; ///< if there are more: the last ones instead of the first
    };
    /// Oldest first. Of one primitive also when it was seen first, and last.
    std::vector<RecordedEvent> events(const EventQuery& query);
    /// Of those that were there when it was recorded last, of no more than that many.
    RecordedAges ages(const QByteArray& deployment, int most);
    /// What began since then and has no end, the oldest first: jobs that are stuck, limiters that
    /// are full, queues that are paused.
    std::vector<RecordedEvent> unended(const QByteArray& deployment, qint64 sinceMs);
    std::optional<RecordedEvent> nextEvent(const QByteArray& deployment, qint64 afterMs,
                                           const QSet<EventType>& types);
    std::optional<RecordedEvent> previousEvent(const QByteArray& deployment, qint64 beforeMs,
                                               const QSet<EventType>& types);
    /// When nobody recorded; from before the first record on, and after the last.
    std::vector<RecordedGap> gaps(const QByteArray& deployment, qint64 fromMs, qint64 toMs);

private:
    struct Stretch
    {
        qint64 fromMs = 0;
        qint64 toMs = 0;
        QByteArray ended;
    };

    qint64 deploymentNumber(const QByteArray& key);
    qint64 primitiveNumber(const RecordedId& id);
    std::vector<Stretch> stretches(qint64 deployment, qint64 fromMs, qint64 toMs);
    std::optional<Stretch> stretchAt(qint64 deployment, qint64 tMs);
    void readServer(qint64 deployment, RecordedMoment& moment);
    void addFindings(qint64 deployment, RecordedMoment& moment);
    void addPacked(const EventQuery& query, std::vector<RecordedEvent>& events);
    void addSights(const EventQuery& query, std::vector<RecordedEvent>& events);

    std::unique_ptr<RecordFile> m_file;
};

} // namespace lk
