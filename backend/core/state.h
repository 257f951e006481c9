// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/boxed.h"
#include "backend/core/compact/boxedvariant.h"
#include "backend/core/compact/boxedvector.h"
#include "backend/core/compact/optionalint.h"
#include "backend/core/jobs.h"
#include "backend/core/jobtimes.h"
#include "backend/core/primitive.h"
#include "backend/core/result.h"
#include "backend/core/timeunit.h"

namespace lk {

// A primitive decoded at one moment. All times are milliseconds of the server's clock since 1970,
// all durations milliseconds. An empty optional is "unknown" and is shown as unknown.

/// How a limiter counts; as snapshot --format json names it.
enum class Algorithm : quint8 {
    SlidingLog,  ///< a mark for each accepted request
    FixedWindow, ///< a counter that ends with its TTL
    Gate,        ///< closed for a time after each call
    PermitLog,   ///< a mark for each acquire, of one or more permits
    TokenBucket,
    Gcra,
    SlidingCounter, ///< the last window's count in part, and this one's
    Concurrency,    ///< a member for each who is in progress
};
QByteArray algorithmId(Algorithm algorithm); ///< as in the JSON: "sliding-log"

/// One consumer of a shared limiter: a consumer of a resource, or a client of a limiter per client.
struct Consumer
{
    QByteArray name;
    QByteArray key;
    std::optional<qint64> limit;
    qint64 occupancy = 0;
    std::optional<qint64> nextFreeMs;
};

/// The state of a limiter: its limit, its use and when it frees up. Milliseconds; empty: unknown.
struct LimiterState
{
    Algorithm algorithm = Algorithm::SlidingLog;
    Source limitSource = Source::Unknown;
    Source windowSource = Source::Unknown;
    bool occupancyIsUpperBound = false;  ///< the window is unknown: stored marks may be too old
    bool acceptedTruncated = false;      ///< accepted holds only the newest
    std::optional<TimeUnit> bareMembers; ///< the marks' members are whole times of that unit
    OptionalInt limit;
    OptionalInt windowMs;
    OptionalInt occupancy;    ///< the used part of the limit, in requests or permits
    OptionalInt remaining;    ///< never below 0
    OptionalInt nextFreeMs;   ///< time until one more request passes; 0: now
    OptionalInt retryAfterMs; ///< the delay reported to a refused caller; 0: no caller has to wait
    std::vector<qint64> accepted;    ///< times in the window, oldest first; bounded
    BoxedVector<qint64> reserved;    ///< the future window's times, earliest first; bounded
    BoxedVector<Consumer> consumers; ///< fullest first; bounded
    qint64 consumersTotal = 0;
    OptionalInt newestMs; ///< the newest stored mark, in the window or not
    OptionalInt refused;  ///< Gate: calls that it counts and did not let pass
    /// PermitLog: how far available plus taken permits exceed the rate. Negative if permits are
    /// missing; 0 if consistent.
    OptionalInt permitDrift;
    Boxed<QByteArray> driftKey; ///< the key of the stored number that drifts; for a limiter per
                                ///< client the worst one
};

/// One holder of a lock: its owner, a reader of a shared lock, or the holder of a semaphore's
/// permit.
struct LockHolder
{
    QByteArray name;     ///< as stored, at most 128 bytes; actions use this name
    QByteArray label;    ///< a readable form of name, where name is hard to read; or empty
    qint64 holds = 1;    ///< permits, or re-entrant holds
    bool shared = false; ///< holds the lock as a reader
    std::optional<qint64> leaseMs; ///< time left of its lease; 0: ended; empty: unknown
    std::optional<qint64> sinceMs; ///< when it acquired or last renewed the lock; empty: not stored

    bool operator==(const LockHolder&) const = default;
};

/// One waiter for a lock, where the library stores waiters.
struct LockWaiter
{
    QByteArray name;
    std::optional<qint64> leftMs; ///< time until it gives up; 0: it should have given up

    bool operator==(const LockWaiter&) const = default;
};

/// The holders of a lock or a semaphore, and their leases. Milliseconds; empty: unknown.
struct LockState
{
    enum class Phase : quint8 { Free, Held, Expired, NoTtl };
    Phase phase = Phase::Free;
    bool ownerKnown = false; ///< false: the value names no owner, or there are several holders
    bool shared = false;     ///< held by readers
    QByteArray owner;        ///< as stored, at most 128 bytes
    Boxed<QByteArray>
        ownerLabel;        ///< a readable form of owner, where owner is hard to read; or empty
    OptionalInt leaseMs;   ///< time left of the lease
    qint64 holds = 0;      ///< re-entrant holds; permits of a semaphore in use
    OptionalInt limit = 1; ///< the most holders at a time; empty: not stored
    BoxedVector<LockHolder> holders; ///< for locks that allow several; earliest end first; bounded
    qint64 holdersTotal = 0;
    BoxedVector<LockWaiter> waiting; ///< next in line first; bounded
    OptionalInt waiters;             ///< how many wait; empty: not stored
    Boxed<QByteArray>
        partOf; ///< the library or primitive that acquires and releases the lock for its own use;
                ///< redlockPart: one server's vote; empty: an independent lock
};

/// LockState::partOf of a key that is one server's vote for a lock held on several servers. A
/// single vote does not show who holds that lock.
inline constexpr char redlockPart[] = "Redlock";

/// The most holders and waiters that are read.
inline constexpr int mostLockHolders = 64;

/// When the delayed jobs of a queue are due. Milliseconds of the server's clock since 1970.
struct DueFacts
{
    std::optional<qint64> firstMs; ///< the earliest due time; empty: no delayed job, or unknown
    /// Number of delayed jobs that have been due for longer than moving them should take. Empty if
    /// it could not be read.
    std::optional<qint64> overdue;
    qint64 readMs = 0;  ///< when this was read; 0: not read
    QString cause = {}; ///< translated: why nothing moves them, if the library reports it; or empty

    bool operator==(const DueFacts&) const = default;
};

/// How many jobs a queue has in which state, how old the oldest are, and who works on them.
/// Milliseconds; empty: not known.
struct QueueState
{
    std::vector<JobState> states; ///< in the queue's own order; empty: its layout defines none
    std::optional<qint64> ready;
    std::optional<qint64> processing;
    std::optional<qint64> delayed;
    std::optional<qint64> dead;
    std::optional<qint64> oldestReadyMs;      ///< age of the job that has waited longest
    std::optional<qint64> oldestProcessingMs; ///< age since first seen; unknown on a first read
    qint64 stuck = 0;                         ///< jobs older than stuckAfterMs
    /// If true, the layout computes stuck from what the library stores (a lock, a heartbeat). Else
    /// it is computed from when a job was first seen and stuckAfterMs.
    bool stuckByLibrary = false;
    bool paused = false;
    /// When it was paused, as far as its library or this console knows.
    std::optional<qint64> pausedSinceMs;
    DueFacts due;
    std::vector<QueueWorker>
        workers; ///< the workers that take its jobs, as far as the library reports them
    bool workersKnown = false;          ///< workers is complete: if it is empty, no worker listens
    std::vector<FailureGroup> failures; ///< most frequent first; from failuresRead failed jobs
    qint64 failuresRead = 0;
    /// Jobs completed and failed since the library began to count; only grow.
    std::optional<qint64> completedTotal;
    std::optional<qint64> failedTotal;
    RateSource rateSource = RateSource::None;
    quint64 totalsOf = 0; ///< identifies the source of the totals; totals of different sources must
                          ///< not be compared
    /// Jobs completed and failed per second, over about the last half minute; see rateSource.
    std::optional<double> completedPerSecond;
    std::optional<double> failedPerSecond;
    JobSamplePtr sample;                  ///< null: no job times were read
    std::optional<DurationSpread> waited; ///< from the sample's jobs of the last hour
    std::optional<DurationSpread> ran;
    /// Jobs per second that entered and that left for good, over the last ten seconds. A lower
    /// bound: a job that comes and goes between two reads is not counted.
    std::optional<double> inPerSecond;
    std::optional<double> outPerSecond;
    qint64 stuckAfterMs = 30'000;
    std::optional<qint64> itemBytes;      ///< average size of a job in processing
    std::optional<qint64> readyItemBytes; ///< average size of a waiting job
    std::vector<QueueJob> items;          ///< in processing, oldest first; bounded
    bool itemsTruncated = false;
    /// Payloads, among those read, that are in processing more than once, or in processing and
    /// waiting.
    std::optional<qint64> duplicates;
    std::optional<qint64> wakeUps; ///< in the helper list of an event queue
};

/// How many jobs wait for a worker, those of a paused queue included; empty: unknown.
std::optional<qint64> waitingJobs(const QueueState& queue);
/// Time since the first overdue job became due; empty if none is overdue.
std::optional<qint64> overdueMs(const QueueState& queue, qint64 nowMs);

/// Whether a one-time token can still be used. Milliseconds; empty: not known.
struct TokenState
{
    enum class Phase : quint8 { Live, Used, NeverIssued, Gone };
    Phase phase = Phase::Live;
    /// How the token ended, as far as it was observed.
    enum class End : quint8 {
        Gone,     ///< disappeared before its TTL ended: used, or deleted by another client
        Consumed, ///< seen used, or consumed by this console
        Expired,  ///< its TTL ended
        Revoked,  ///< by this console
        Removed,  ///< removed by token.cleanup: it was never issued
    };
    End end = End::Gone; ///< with Phase::Gone
    OptionalInt uses;
    OptionalInt bytes; ///< size of the payload; the payload itself is never kept
};

/// One line of a pattern's picture; see PatternState::rows.
struct PatternRow
{
    QByteArray label;            ///< as stored, at most 128 bytes
    std::optional<double> value; ///< empty: unknown, or rows of that sort have none
    qint64 bytes = 0;            ///< size of the whole item, member, record or bitmap
};

/// The contents of a key that is none of the other kinds, with rows for its detail pane.
/// Milliseconds.
struct PatternState
{
    /// The meaning of the rows; decides how they are drawn.
    enum class Rows : quint8 {
        None,
        Rotation, ///< members of a circular list, the next one first; no value
        Trail,    ///< pages of a session, the newest first; no value
        Results,  ///< a cached list, its first item first; no value
        Counts,   ///< the keys of a series of bitmaps, the oldest first; value: bits set
        Weights,  ///< members, the smallest score first; value: the chance to be drawn, 0 to 1
        Records,  ///< the first records of an array, zeros at their ends cut off; no value
    };
    /// Named numbers, few; NaN is "unknown", null in the JSON.
    std::vector<std::pair<QByteArray, double>> values;
    Rows rowsAre = Rows::None;
    std::vector<PatternRow> rows; ///< at most 64; those of lists and arrays for a detail pane only
    bool rowsTruncated = false;   ///< there are more than rows holds
    std::optional<qint64> itemBytes;      ///< average size of a list's item
    std::optional<LockState::Phase> lock; ///< phase of the lock beside a cache, if one is known
    std::optional<qint64> lockLeaseMs;    ///< time left of that lock's lease
    quint64 lockHolder = 0;               ///< identifies that lock's holder; 0: no holder
    /// Turns of a rotation or growth of a counter per minute, over the last minute. A lower bound:
    /// a whole round or a reset between two reads is not counted.
    std::optional<double> perMinute;
};

/// A line in the detail pane that is specific to the layout.
struct Fact
{
    QString label;
    QString value;
    Source source = Source::Stored;
};

/// Facts that this console observed over time. Empty after a single read.
struct Observed
{
    qint64 firstSeenMs = 0;  ///< when the primitive was first seen
    qint64 sinceMs = 0;      ///< since when it has the present owner or phase
    qint64 largestTtlMs = 0; ///< largest TTL of the present lease since it was acquired or renewed
    qint64 leastLeftMs = 0;  ///< least time left on a lease when it was renewed; 0: unknown
    qint64 fullSinceMs = 0;  ///< limiter: full at every read since then; 0: not full
    qint32 renewals = 0;     ///< renewals of the present lease; gate: extensions by refused calls;
                             ///< cache with a lock: leases that ended without a stored value
    qint32 fullSamples = 0;  ///< limiter: number of reads behind fullSinceMs
};

/// Facts about payloads: the jobs of a queue, the items of a list. They are large, so they are read
/// less often than the rest of a state.
struct PayloadFacts
{
    std::optional<qint64> asOfMs; ///< when they were read; empty: not read yet
    std::optional<qint64> bytes;  ///< approximate size of reading them; empty: not measured yet
    bool changed = false;         ///< true if they are known to have changed since
    quint64 fingerprint = 0;      ///< of their lists' lengths, sizes and ends when they were read
    qint64 dueMs = 0; ///< when the next job gets stuck unless it has left unnoticed; 0: none does

    bool operator==(const PayloadFacts&) const = default;
};

/// A primitive as it was read at one moment. Immutable once published; threads share it as
/// StatePtr. Times are the server's, in milliseconds.
struct State
{
    PrimitivePtr primitive;
    qint64 asOfMs = 0;
    double urgency = 0;          ///< orders primitives of equal health; larger is worse
    OptionalInt ttlMs;           ///< TTL of the main key; empty: it does not expire
    OptionalInt bytes;           ///< size of the largest of its keys; empty: not measured
    Boxed<QByteArray> bytesKey;  ///< the largest key; empty: the main key
    RareOptional<Error> problem; ///< why the rest is empty: wrong type, denied, undecodable
    [[no_unique_address]] BoxedVariant<LimiterState, LockState, QueueState, TokenState,
                                       PatternState>
        body;
    Health health = Health::Idle;
    bool present = true; ///< false: none of its keys exists at the moment
    BoxedVector<Fact> facts;
    Boxed<PayloadFacts> payloads;
    Observed observed;
    /// When the state changes without a write (a lease ends, the window empties); 0: it does not.
    /// The poller reads the state again at that time.
    qint64 revisitAtMs = 0;

    Kind kind() const { return primitive->kind; }
    template<typename T> const T* as() const { return body.find<T>(); }
};

// A million states are kept, so fields that few of them have are stored separately.
static_assert(sizeof(void*) != 8 || sizeof(State) <= 152);
static_assert(sizeof(void*) != 8 || sizeof(LimiterState) <= 136);
static_assert(sizeof(void*) != 8 || sizeof(LockState) <= 104);

using StatePtr = std::shared_ptr<const State>;

/// Caps the health at Warning unless the primitive's layout is certain or declared. A merely likely
/// primitive is never an error.
Health atMost(Health health, const Primitive& primitive);

/// A state that contains only a problem.
State problemState(PrimitivePtr primitive, qint64 asOfMs, Error problem);

/// The machine-readable id of the state ("held", "live"); empty if the contract defines none.
QByteArray stateId(const State& state);

} // namespace lk
