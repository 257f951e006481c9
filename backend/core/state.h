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

/// One of those who share a limiter: a consumer of a resource, a client of a limiter per client.
struct Consumer
{
    QByteArray name;
    QByteArray key;
    std::optional<qint64> limit;
    qint64 occupancy = 0;
    std::optional<qint64> nextFreeMs;
};

/// What is left of a limiter's limit, and when. Milliseconds; empty: not known.
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
    OptionalInt occupancy;           ///< used of the limit, in requests or permits
    OptionalInt remaining;           ///< never below 0
    OptionalInt nextFreeMs;          ///< until one more passes; 0: now
    OptionalInt retryAfterMs;        ///< what a refused caller is told; 0: nobody waits
    std::vector<qint64> accepted;    ///< times in the window, oldest first; bounded
    BoxedVector<qint64> reserved;    ///< the future window's times, earliest first; bounded
    BoxedVector<Consumer> consumers; ///< fullest first; bounded
    qint64 consumersTotal = 0;
    OptionalInt newestMs; ///< the newest stored mark, in the window or not
    OptionalInt refused;  ///< Gate: calls that it counts and did not let pass
    /// PermitLog: available and taken permits beyond the rate; below 0: missing. 0: as it should
    /// be.
    OptionalInt permitDrift;
    Boxed<QByteArray>
        driftKey; ///< the stored number that it is of; with clients of their own the worst
};

/// One of those who hold a lock: the reader of a shared one, who has a permit of a semaphore.
struct LockHolder
{
    QByteArray name;     ///< as stored, at most 128 bytes; actions name it so
    QByteArray label;    ///< the same for people, where the name is hard to read; or empty
    qint64 holds = 1;    ///< permits, or re-entrant holds
    bool shared = false; ///< reads beside others
    std::optional<qint64> leaseMs; ///< what is left of its lease, 0: ran out; empty: not known
    std::optional<qint64> sinceMs; ///< when it took it, or renewed it last, as far as stored

    bool operator==(const LockHolder&) const = default;
};

/// One of those who wait for a lock, where its library keeps them.
struct LockWaiter
{
    QByteArray name;
    std::optional<qint64> leftMs; ///< until it gives up; 0: it should have

    bool operator==(const LockWaiter&) const = default;
};

/// Who holds a lock or a semaphore, and for how long. Milliseconds; empty: not known.
struct LockState
{
    enum class Phase : quint8 { Free, Held, Expired, NoTtl };
    Phase phase = Phase::Free;
    bool ownerKnown = false;      ///< false: the value tells no owner, or several hold it
    bool shared = false;          ///< held by readers
    QByteArray owner;             ///< as stored, at most 128 bytes
    Boxed<QByteArray> ownerLabel; ///< the same for people, where that is easier to read; or empty
    OptionalInt leaseMs;          ///< what is left of the lease
    qint64 holds = 0;             ///< re-entrant holds; permits of a semaphore in use
    OptionalInt limit = 1;        ///< so many at a time; empty: not stored
    BoxedVector<LockHolder> holders; ///< where it may be several; the first to end first; bounded
    qint64 holdersTotal = 0;
    BoxedVector<LockWaiter> waiting; ///< who is next first; bounded
    OptionalInt waiters;             ///< how many wait; empty: not stored
    Boxed<QByteArray> partOf;        ///< the library or primitive that takes and releases it by
                                     ///< itself; redlockPart: it is one server's vote; empty: it
                                     ///< stands for itself
};

/// LockState::partOf of a key that is one server's vote for a lock that several servers hold
/// together: alone it tells nothing of who holds that lock.
inline constexpr char redlockPart[] = "Redlock";

/// So many holders and waiters are read at most.
inline constexpr int mostLockHolders = 64;

/// When the delayed jobs of a queue are due. Milliseconds of the server's clock since 1970.
struct DueFacts
{
    std::optional<qint64> firstMs; ///< the first to be due; empty: there is none, or it is not told
    /// Jobs that are due for longer than moving them should take, and still delayed. Empty: it
    /// could not be read.
    std::optional<qint64> overdue;
    qint64 readMs = 0;  ///< when that was so; 0: it was not read
    QString cause = {}; ///< translated: why nothing moves them, where the library tells; or empty

    bool operator==(const DueFacts&) const = default;
};

/// How many jobs a queue has in which state, how old the oldest are, and who works on them.
/// Milliseconds; empty: not known.
struct QueueState
{
    std::vector<JobState> states; ///< in the queue's own order; empty: its layout knows of none
    std::optional<qint64> ready;
    std::optional<qint64> processing;
    std::optional<qint64> delayed;
    std::optional<qint64> dead;
    std::optional<qint64> oldestReadyMs;      ///< age of the one that waits longest
    std::optional<qint64> oldestProcessingMs; ///< age by first sight; unknown on a first read
    qint64 stuck = 0;                         ///< items older than stuckAfterMs
    /// The layout has counted stuck itself, by what the library keeps (a lock, a heartbeat); else
    /// first sight and stuckAfterMs tell.
    bool stuckByLibrary = false;
    bool paused = false;
    /// When it was paused, as far as its library or this console knows.
    std::optional<qint64> pausedSinceMs;
    DueFacts due;
    std::vector<QueueWorker> workers;   ///< those who take its jobs, as far as the library tells
    bool workersKnown = false;          ///< workers is all there are: empty means nobody listens
    std::vector<FailureGroup> failures; ///< most frequent first; of failuresRead failed jobs
    qint64 failuresRead = 0;
    /// Jobs that ended well and that failed since the library counts them; only grows.
    std::optional<qint64> completedTotal;
    std::optional<qint64> failedTotal;
    RateSource rateSource = RateSource::None;
    quint64 totalsOf = 0; ///< whose totals these are: of others, they compare with nothing
    /// Jobs a second that ended well and that failed, over the last half minute or so; see
    /// rateSource.
    std::optional<double> completedPerSecond;
    std::optional<double> failedPerSecond;
    JobSamplePtr sample;                  ///< null: no job's times were looked at
    std::optional<DurationSpread> waited; ///< of the sample, by jobs of the last hour
    std::optional<DurationSpread> ran;
    /// Items a second that came in and that left for good, over the last ten seconds. At least
    /// so many: what comes and goes between two looks is not seen.
    std::optional<double> inPerSecond;
    std::optional<double> outPerSecond;
    qint64 stuckAfterMs = 30'000;
    std::optional<qint64> itemBytes;      ///< what an item in processing takes, on average
    std::optional<qint64> readyItemBytes; ///< the same of what waits
    std::vector<QueueJob> items;          ///< in processing, oldest first; bounded
    bool itemsTruncated = false;
    /// Payloads that are in processing more than once or wait as well, of those that were read.
    std::optional<qint64> duplicates;
    std::optional<qint64> wakeUps; ///< in the helper list of an event queue
};

/// How many jobs wait for a worker, those of a paused queue included; empty: unknown.
std::optional<qint64> waitingJobs(const QueueState& queue);
/// Time since the first of the overdue jobs was due; empty: none is overdue.
std::optional<qint64> overdueMs(const QueueState& queue, qint64 nowMs);

/// Whether a one-time token can still be used. Milliseconds; empty: not known.
struct TokenState
{
    enum class Phase : quint8 { Live, Used, NeverIssued, Gone };
    Phase phase = Phase::Live;
    /// How it ended, as far as that was seen.
    enum class End : quint8 {
        Gone,     ///< vanished before its time, and nobody saw why: used, or deleted by others
        Consumed, ///< seen used, or consumed by this console
        Expired,  ///< its TTL had run out
        Revoked,  ///< by this console
        Removed,  ///< by token.cleanup: it was never issued
    };
    End end = End::Gone; ///< with Phase::Gone
    OptionalInt uses;
    OptionalInt bytes; ///< size of the payload; the payload itself is never kept
};

/// One line of a pattern's picture; see PatternState::rows.
struct PatternRow
{
    QByteArray label;            ///< as stored, at most 128 bytes of it
    std::optional<double> value; ///< empty: unknown, or rows of that sort have none
    qint64 bytes = 0;            ///< of the whole item, member, record or bitmap
};

/// What a key that is none of the others holds, as rows for its detail. Milliseconds.
struct PatternState
{
    /// What the rows are; decides how they are drawn.
    enum class Rows : quint8 {
        None,
        Rotation, ///< members of a circular list, the one who is due first; no value
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
    std::optional<qint64> itemBytes;      ///< what an item of a list takes, on average
    std::optional<LockState::Phase> lock; ///< of the lock beside it, where one is known
    std::optional<qint64> lockLeaseMs;    ///< what is left of its lease
    quint64 lockHolder = 0;               ///< tells who holds it from others; 0: nobody
    /// Turns of a rotation or counts of a counter a minute, over the last minute. At least so
    /// many: a whole round or a reset between two looks is not seen.
    std::optional<double> perMinute;
};

/// A line of the detail pane that only this layout has.
struct Fact
{
    QString label;
    QString value;
    Source source = Source::Stored;
};

/// What this console saw over time; a single read leaves it empty.
struct Observed
{
    qint64 firstSeenMs = 0;  ///< the primitive itself
    qint64 sinceMs = 0;      ///< the present owner or phase
    qint64 largestTtlMs = 0; ///< of the present lease, since it was taken or renewed
    qint64 leastLeftMs = 0;  ///< of the leases that were renewed, before that; 0: unknown
    qint64 fullSinceMs = 0;  ///< a limiter: full at every read since; 0: it is not
    qint32 renewals = 0;     ///< of the present lease; of a gate: by refused calls;
                             ///< of a lock beside a cache: leases that ended unstored
    qint32 fullSamples = 0;  ///< a limiter: how many looks fullSinceMs is by
};

/// Of what is read less often than the rest of a state, because it weighs: the jobs of a queue, the
/// items of a list.
struct PayloadFacts
{
    std::optional<qint64> asOfMs; ///< when they were as the state has them; empty: not read yet
    std::optional<qint64> bytes;  ///< what reading them brings, about; empty: not weighed yet
    bool changed = false;         ///< known to have changed since
    quint64 print = 0; ///< of their lists' lengths, weights and ends, when they were read
    qint64 dueMs = 0;  ///< then one gets stuck unless it has left, which nobody tells; 0: none does

    bool operator==(const PayloadFacts&) const = default;
};

/// All that was read of a primitive at one moment. Immutable once published: shared by threads
/// as StatePtr. Times are the server's, in milliseconds.
struct State
{
    PrimitivePtr primitive;
    qint64 asOfMs = 0;
    double urgency = 0;          ///< orders primitives of equal health; larger is worse
    OptionalInt ttlMs;           ///< of the main key; empty: it does not expire
    OptionalInt bytes;           ///< what the largest of its keys takes, as far as it was asked
    Boxed<QByteArray> bytesKey;  ///< which one that is; empty: the main key
    RareOptional<Error> problem; ///< why the rest is empty: wrong type, denied, undecodable
    [[no_unique_address]] BoxedVariant<LimiterState, LockState, QueueState, TokenState,
                                       PatternState>
        body;
    Health health = Health::Idle;
    bool present = true; ///< false: none of its keys exists at the moment
    BoxedVector<Fact> facts;
    Boxed<PayloadFacts> payloads;
    Observed observed;
    /// When the state changes by itself although nobody writes (a lease ends, the window
    /// empties); 0: it does not. The poller looks again then.
    qint64 revisitAtMs = 0;

    Kind kind() const { return primitive->kind; }
    template<typename T> const T* as() const { return body.find<T>(); }
};

// A million of them are kept: what few have lies apart.
static_assert(sizeof(void*) != 8 || sizeof(State) <= 152);
static_assert(sizeof(void*) != 8 || sizeof(LimiterState) <= 136);
static_assert(sizeof(void*) != 8 || sizeof(LockState) <= 104);

using StatePtr = std::shared_ptr<const State>;

/// No more than a warning, unless it is proven what the primitive is: what is merely likely is no
/// error, in a table as little as in a finding.
Health atMost(Health health, const Primitive& primitive);

/// A state that says only why there is none.
State problemState(PrimitivePtr primitive, qint64 asOfMs, Error problem);

/// What the state is, for machines, where the contract has a word ("held", "live"); empty
/// otherwise.
QByteArray stateId(const State& state);

} // namespace lk
