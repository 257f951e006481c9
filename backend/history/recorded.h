// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/history/recordedwords.h"

#include <QByteArrayList>

#include <cmath>

namespace lk {

// What the recording holds. Plain values; all times are milliseconds of the server's clock since
// 1970. Nothing here holds a secret: tokens are named with their codes left out, payloads and
// lock values that are no owners are not recorded.

/// One and the same deployment, by whichever of its nodes it is entered.
struct RecordedDeployment
{
    /// What tells it from others: "redis:127.0.0.1:6379/0", "sentinel:mymaster/0@...",
    /// "cluster:...". Without user or password.
    QByteArray key;
    /// Other names of the same, each in the form of a key: the one of each of its nodes. Whoever is
    /// entered by one of them is that deployment.
    QByteArrayList aliases;
    QString title; ///< what people call it
};

/// One primitive of one deployment, for ever: handles are used again, this is not.
struct RecordedId
{
    QByteArray deployment; ///< RecordedDeployment::key
    PrimitiveId primitive;

    bool operator==(const RecordedId&) const = default;
};

/// A primitive as it was at atMs.
struct RecordedState
{
    PrimitivePtr primitive;
    qint64 atMs = 0;
    StatePtr state;        ///< null: it was gone
    qint64 vanishedMs = 0; ///< of one that is gone: since when none of its keys was seen; 0: atMs
};

/// A number at a moment. It holds until the next one of the same metric, or the next gap. NaN as in
/// series.h.
struct RecordedSample
{
    PrimitiveId primitive;
    QByteArray metric; ///< Metric::id
    qint64 tMs = 0;
    double value = 0;
};

/// Several samples of a stretch of time as one: what the coarser tiers hold.
struct RecordedPoint
{
    qint64 tMs = 0;      ///< where the stretch begins; of a single sample, its moment
    double smallest = 0; ///< all four NaN: nothing to measure, or unknown; see isAbsent()
    double largest = 0;
    double mean = 0; ///< by time
    double last = 0;

    bool isGap() const { return std::isnan(last); }
};

/// Numbers of one metric over time, with how fine they are.
struct RecordedSeries
{
    RecordedId id;
    QByteArray metric;
    qint64 stepMs = 0;                 ///< of the coarsest tier among these; 0: as read
    std::vector<RecordedPoint> points; ///< oldest first
};

/// What happened. The numbers are in the file: add at the end, change none. 3, 4, 60 and 61 were
/// others. Holds and gaps are recorded as such.
enum class EventType : quint8 {
    PrimitiveSeen = 1,  ///< detected for the first time in this recording; code Again: not so
    PrimitiveGone = 2,  ///< none of its keys is there any more
    StuckBegan = 5,     ///< value: stuck jobs
    StuckEnded = 6,     ///< value: for how long, ms
    FullBegan = 7,      ///< a limiter is at its limit
    FullEnded = 8,      ///< value: for how long, ms
    JobsMoved = 9,      ///< code: the job state; value: by how many its count changed
    PausedBegan = 10,   ///< code Before: it was when it was read first
    PausedEnded = 11,   ///< value: for how long, ms; code Before: at least; Gone: with it
    TokenEnded = 12,    ///< code: how, an EventCode
    HoldsOmitted = 13,  ///< value: how many short holds are not recorded one by one; code: who had
                        ///< the first; detail: until when, ms
    FindingOpened = 20, ///< code: the finding's; severity; text: its message
    FindingClosed = 21, ///< the same; value: for how long, ms
    Action = 30,     ///< code: action; who: operator; text: reason; ref: receipt; detail: outcome
    AlertFired = 40, ///< code: rule; severity; text: summary; ref: the alert's id
    AlertResolved = 41,
    AlertAcknowledged = 42, ///< who
    AlertSilenced = 43,     ///< who; value: until, 0: ended manually; detail: a name; text: why
    SilenceEnded = 44,      ///< the same, without until; by a person, before it was over
    ServerLost = 50,        ///< text: why
    ServerBack = 51,
    ServerRestarted = 52, ///< text: run id or version
    Failover = 53,        ///< who: the new master, empty: unknown; detail: the old one
    RoleChanged = 54,     ///< code: the new role
    ConfigChanged = 55,   ///< code: what of: "maxmemory-policy", "config-file"; text: new value
    NodeLost = 56,        ///< who: its endpoint
    NodeBack = 57,        ///< who: its endpoint
};

/// The code of ConfigChanged where a person has changed this program's own configuration.
inline constexpr auto configFileChanged = "config-file";

/// Something that happened at one moment, as the recording keeps it. Server milliseconds.
struct RecordedEvent
{
    qint64 id = 0; ///< its place in the file; 0: not stored yet
    qint64 tMs = 0;
    EventType type = EventType::PrimitiveSeen;
    PrimitiveId primitive = {}; ///< empty: of the whole deployment
    QByteArray code = {};
    QString who = {};
    QString text = {};   ///< one sentence for people
    QString detail = {}; ///< JSON or plain, as the type has it
    QByteArray ref = {}; ///< a receipt, an alert
    double value = 0;
    Finding::Severity severity = Finding::Severity::Info;
    Kind kind = Kind::Limiter; ///< of primitive
};

/// One owner's hold of a lock.
struct RecordedHold
{
    PrimitiveId primitive;
    QByteArray owner; ///< empty: the value tells none
    qint64 fromMs = 0;
    qint64 toMs = 0; ///< its end, or when it was last seen
    std::optional<qint64> leaseEndMs;
    bool noTtl = false;
    bool open = false;      ///< held when last seen
    bool fromKnown = false; ///< it was seen to be taken; else it is held since then at least
    bool endKnown = true;   ///< closed: false if it ended unseen, some time after toMs
    qint32 renewals = 0;
    bool shared = false;    ///< others may hold it at the same time
    bool takenOver = false; ///< closed: when its end was read, another owner had it
};

/// A finding as it stood at a moment.
struct RecordedFinding
{
    PrimitiveId primitive; ///< empty: of several, or of the server
    qint64 sinceMs = 0;
    Finding finding; ///< without why and advice, which belong to the code
};

/// Nobody recorded from one moment to the other.
struct RecordedGap
{
    qint64 fromMs = 0;
    qint64 toMs = 0;
    GapReason reason = GapReason::Stopped;
};

/// From when to when there is anything of a deployment, and how much.
struct RecordedSpan
{
    RecordedDeployment deployment;
    qint64 firstMs = 0; ///< 0: nothing
    qint64 lastMs = 0;
    qint64 primitives = 0;
    bool recordedNow = false; ///< somebody records it at the moment
};

/// All that is known of one moment.
struct RecordedMoment
{
    QByteArray deployment;
    qint64 atMs = 0;
    std::vector<RecordedState> states; ///< those that were there; each as of its last change
    std::vector<RecordedFinding> findings;
    std::optional<RecordedGap> blind; ///< nobody recorded then: the states are from before it
    ServerFacts server;               ///< as last recorded before
    ScanCounts scan;                  ///< as last recorded before
};

/// Where the file is, how large it is and may become.
struct RecordingSize
{
    QString path;
    qint64 bytes = 0;
    qint64 capBytes = 0;
    qint64 firstMs = 0;
    qint64 lastMs = 0;
};

inline size_t qHash(const RecordedId& id, size_t seed = 0)
{
    return qHashMulti(seed, id.deployment, id.primitive);
}

} // namespace lk

Q_DECLARE_METATYPE(lk::RecordedEvent)
Q_DECLARE_METATYPE(std::vector<lk::RecordedHold>)
Q_DECLARE_METATYPE(lk::RecordingSize)
