// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/history/momentmemory.h"
#include "backend/history/recordedages.h"

#include <QSet>

#include <functional>

namespace lk {

class RecordFile;

/// Queries the recording and blocks on the disk. For command-line programs, tests and RecordReader;
/// used in one thread. Only reads. Skips broken parts of the file.
class RecordQueries
{
public:
    explicit RecordQueries(QString path);
    ~RecordQueries();

    /// Errors: FileError, for example if there is no recording.
    Result<void> open();
    /// Is set if the file is damaged: results since it was opened may be incomplete.
    std::optional<Error> damage() const;
    /// Returns true if the path still names the opened file. A recording program replaces a broken
    /// file.
    bool isInPlace() const;

    std::vector<RecordedSpan> deployments();
    /// Finds a deployment by one of its names, its key or an alias. Returns its key; empty if it is
    /// not recorded.
    QByteArray find(const QByteArrayList& names);
    RecordedSpan span(const QByteArray& deployment);
    /// Returns server time minus local time, as of the last record.
    qint64 offsetMs(const QByteArray& deployment);
    /// Returns the primitives with that exact name, label or key, the latest seen first. If
    /// deployment is empty, searches all deployments.
    std::vector<std::pair<RecordedId, PrimitivePtr>> named(const QByteArray& deployment,
                                                           const QByteArray& name);
    PrimitivePtr primitive(const RecordedId& id);

    /// Returns all states and open findings as of tMs. memory: a cache for successive calls; may be
    /// null.
    RecordedMoment momentAt(const QByteArray& deployment, qint64 tMs,
                            MomentMemory* memory = nullptr);
    /// Returns the state of one primitive; null if it did not exist or nothing is known.
    StatePtr stateAt(const RecordedId& id, qint64 tMs);
    /// Returns the number that a state has for the metric, if any.
    using NumberOf = std::function<std::optional<double>(const State&, const QByteArray& metric)>;
    /// Returns a metric over time, from the finest tiers that still contain it. A value is held
    /// until the next; gaps of the recording are NaN. Returns at most maxPoints, keeping the
    /// extremes. numberOf: reads the value at fromMs from a state if it had not changed for long;
    /// may be null. drift: the change per millisecond between recorded values: -1 counts down to 0,
    /// 1 grows.
    RecordedSeries series(const RecordedId& id, const QByteArray& metric, qint64 fromMs,
                          qint64 toMs, int maxPoints, const NumberOf& numberOf = {}, int drift = 0);
    /// Returns the metrics that have recorded numbers.
    QByteArrayList metrics(const RecordedId& id, qint64 fromMs, qint64 toMs);
    /// Returns the holds that overlap the time range, oldest first.
    std::vector<RecordedHold> holds(const RecordedId& id, qint64 fromMs, qint64 toMs,
                                    int limit = 10'000);
    /// Returns the holds that were open when each lock was last seen, for a console that resumes
    /// watching.
    std::vector<RecordedHold> openHolds(const QByteArray& deployment);
    /// Returns the holds of shared locks that were open when the previous recording ended.
    std::vector<RecordedHold> leftHolds(const QByteArray& deployment);
    /// Returns the holds that ended last and whose end was seen, oldest first. Used to learn the
    /// usual durations.
    std::vector<RecordedHold> lastHolds(const QByteArray& deployment, int limit);
    /// Selects events. Times are server milliseconds; both ends are included.
    struct EventQuery
    {
        QByteArray deployment = {};
        std::optional<PrimitiveId> primitive = {}; ///< empty: all, and the deployment itself
        qint64 fromMs = 0;
        qint64 toMs = std::numeric_limits<qint64>::max();
        QSet<EventType> types = {}; ///< empty: all
        int limit = 1000;
        bool latest = false; ///< if there are more, returns the last ones instead of the first
    };
    /// Returns the events, oldest first. For a single primitive, includes when it was first and
    /// last seen.
    std::vector<RecordedEvent> events(const EventQuery& query);
    /// Returns the ages of the primitives that existed at the last record, at most that many.
    RecordedAges ages(const QByteArray& deployment, int most);
    /// Returns the conditions that began after sinceMs and have not ended, oldest first: stuck
    /// jobs, full limiters, paused queues.
    std::vector<RecordedEvent> unended(const QByteArray& deployment, qint64 sinceMs);
    std::optional<RecordedEvent> nextEvent(const QByteArray& deployment, qint64 afterMs,
                                           const QSet<EventType>& types);
    std::optional<RecordedEvent> previousEvent(const QByteArray& deployment, qint64 beforeMs,
                                               const QSet<EventType>& types);
    /// Returns the gaps of the recording, including the time before the first record and after the
    /// last.
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
    void addFirstSeen(const EventQuery& query, std::vector<RecordedEvent>& events);

    std::unique_ptr<RecordFile> m_file;
};

} // namespace lk
