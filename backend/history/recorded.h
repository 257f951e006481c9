// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/derived/hold.h"
#include "backend/core/snapshot.h"
#include "backend/history/recordedwords.h"

#include <QByteArrayList>

#include <cmath>

namespace lk {

// The contents of the recording. Plain values; all times are milliseconds of the server's clock
// since 1970. They contain no secrets: tokens are named without their codes, and payloads and lock
// values that are not owners are not recorded.

/// A deployment. It is the same whichever of its nodes the user connects to.
struct RecordedDeployment
{
    /// Identifies the deployment: "redis:127.0.0.1:6379/0", "sentinel:mymaster/0@...",
    /// "cluster:...". Contains no user or password.
    QByteArray key;
    /// The deployment's other names, in the form of a key: one for each of its nodes. A connection
    /// by one of them is a connection to this deployment.
    QByteArrayList aliases;
    QString title; ///< the name shown to the user
};

/// Identifies one primitive of one deployment permanently. Unlike a handle, it is never reused.
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
    StatePtr state;        ///< null if it was gone
    qint64 vanishedMs = 0; ///< if gone: since when none of its keys was seen; 0 means atMs
};

/// A number at a moment. It is valid until the next one of the same metric or the next gap. NaN as
/// in series.h.
struct RecordedSample
{
    PrimitiveId primitive;
    QByteArray metric; ///< Metric::id
    qint64 tMs = 0;
    double value = 0;
};

/// Several samples of a span of time in one point. The coarser tiers consist of these.
struct RecordedPoint
{
    qint64 tMs = 0;      ///< the begin of the span; the moment of a single sample
    double smallest = 0; ///< all four NaN: nothing to measure, or unknown; see isAbsent()
    double largest = 0;
    double mean = 0; ///< weighted by time
    double last = 0;

    bool isGap() const { return std::isnan(last); }
};

/// The numbers of one metric over time, and their resolution.
struct RecordedSeries
{
    RecordedId id;
    QByteArray metric;
    qint64 stepMs = 0;                 ///< the step of the coarsest tier among these; 0: as read
    std::vector<RecordedPoint> points; ///< oldest first
};

/// The type of an event. The numbers are stored in the file: add at the end, change none. 3, 4, 60
/// and 61 had other meanings. Holds and gaps are not events; they are recorded as such.
enum class EventType : quint8 {
    PrimitiveSeen = 1,  ///< first detected in this recording; code Again: detected again
    PrimitiveGone = 2,  ///< none of its keys exists any more
    StuckBegan = 5,     ///< value: stuck jobs
    StuckEnded = 6,     ///< value: duration, ms
    FullBegan = 7,      ///< a limiter is at its limit
    FullEnded = 8,      ///< value: duration, ms
    JobsMoved = 9,      ///< code: the job state; value: the change of its count
    PausedBegan = 10,   ///< code Before: was paused already when first read
    PausedEnded = 11,   ///< value: duration, ms; code Before: at least that; Gone: queue is gone
    TokenEnded = 12,    ///< code: how, an EventCode
    HoldsOmitted = 13,  ///< value: how many short holds are not recorded one by one; code: owner of
                        ///< the first; detail: until when, ms
    FindingOpened = 20, ///< code: the finding's code; severity; text: its message
    FindingClosed = 21, ///< the same; value: duration, ms
    Action = 30,     ///< code: action; who: operator; text: reason; ref: receipt; detail: outcome
    AlertFired = 40, ///< code: rule; severity; text: summary; ref: the alert's id
    AlertResolved = 41,
    AlertAcknowledged = 42, ///< who
    AlertSilenced = 43,     ///< who; value: until, 0: ended manually; detail: a name; text: reason
    SilenceEnded = 44,      ///< the same, without until; ended by the user before its time
    ServerLost = 50,        ///< text: reason
    ServerBack = 51,
    ServerRestarted = 52, ///< text: run id or version
    Failover = 53,        ///< who: the new master, empty if unknown; detail: the old one
    RoleChanged = 54,     ///< code: the new role
    ConfigChanged = 55,   ///< code: the setting: "maxmemory-policy", "config-file"; text: new value
    NodeLost = 56,        ///< who: its endpoint
    NodeBack = 57,        ///< who: its endpoint
};

/// The code of ConfigChanged if the user changed this program's own configuration.
inline constexpr auto configFileChanged = "config-file";

/// An event at one moment, as the recording keeps it. Server milliseconds.
struct RecordedEvent
{
    qint64 id = 0; ///< its place in the file; 0 if not stored yet
    qint64 tMs = 0;
    EventType type = EventType::PrimitiveSeen;
    PrimitiveId primitive = {}; ///< empty if the event concerns the whole deployment
    QByteArray code = {};
    QString who = {};
    QString text = {};   ///< one sentence for the user
    QString detail = {}; ///< JSON or plain text, depending on the type
    QByteArray ref = {}; ///< a receipt, an alert
    double value = 0;
    Finding::Severity severity = Finding::Severity::Info;
    Kind kind = Kind::Limiter; ///< the kind of primitive
};

/// A hold, and the lock.
struct RecordedHold : Hold
{
    PrimitiveId primitive;
    bool shared = false;    ///< others may hold it at the same time
    bool takenOver = false; ///< if closed: another owner held the lock when the end was read
};

/// A finding as it stood at a moment.
struct RecordedFinding
{
    PrimitiveId primitive; ///< empty if it concerns several, or the server
    qint64 sinceMs = 0;
    Finding finding; ///< without why and advice, which belong to the code
};

/// A span of time in which no program recorded.
struct RecordedGap
{
    qint64 fromMs = 0;
    qint64 toMs = 0;
    GapReason reason = GapReason::Stopped;
};

/// The span of time recorded of a deployment, and its number of primitives.
struct RecordedSpan
{
    RecordedDeployment deployment;
    qint64 firstMs = 0; ///< 0 if nothing is recorded
    qint64 lastMs = 0;
    qint64 primitives = 0;
    bool recordedNow = false; ///< a program is recording it
};

/// Everything that is known of one moment.
struct RecordedMoment
{
    QByteArray deployment;
    qint64 atMs = 0;
    std::vector<RecordedState> states; ///< of existing primitives; each as of its last change
    std::vector<RecordedFinding> findings;
    std::optional<RecordedGap> blind; ///< set if in a gap; states are from before it
    ServerFacts server;               ///< as last recorded before
    ScanCounts scan;                  ///< as last recorded before
};

/// The path of the file, its size and its size limit.
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
