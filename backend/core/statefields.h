// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/field.h"
#include "backend/core/redactedname.h"
#include "backend/core/state.h"

namespace lk {

// The fields of states, once. Packing, recording, comparison and ageing visit them. A member that
// is not listed exists only in a state that was just read.

template<> inline constexpr auto lastOf<Algorithm> = Algorithm::Concurrency;
template<> inline constexpr auto lastOf<ErrorCode> = ErrorCode::SentinelWrongPass;
template<> inline constexpr auto lastOf<Health> = Health::Error;
template<> inline constexpr auto lastOf<JobRole> = JobRole::Paused;
template<> inline constexpr auto lastOf<LockState::Phase> = LockState::Phase::NoTtl;
template<> inline constexpr auto lastOf<PatternState::Rows> = PatternState::Rows::Records;
template<> inline constexpr auto lastOf<RateSource> = RateSource::EndTimes;
template<> inline constexpr auto lastOf<Source> = Source::Stored;
template<> inline constexpr auto lastOf<TimeUnit> = allTimeUnits.back();
template<> inline constexpr auto lastOf<TokenState::End> = TokenState::End::Removed;
template<> inline constexpr auto lastOf<TokenState::Phase> = TokenState::Phase::Gone;

// How many elements are recorded of lists whose states say that they are truncated.
inline constexpr size_t mostRecordedMarks = 32;
inline constexpr size_t mostRecordedJobs = 16;
inline constexpr size_t mostRecordedRows = 64;

template<>
inline constexpr auto fieldsOf<Consumer> = std::tuple(field(&Consumer::name), field(&Consumer::key),
                                                      field(&Consumer::limit),
                                                      field(&Consumer::occupancy),
                                                      field(&Consumer::nextFreeMs, Is::Left));

template<>
inline constexpr auto fieldsOf<LimiterState> = std::tuple(
    field(&LimiterState::algorithm), field(&LimiterState::limitSource),
    field(&LimiterState::windowSource), field(&LimiterState::occupancyIsUpperBound),
    field(&LimiterState::acceptedTruncated, Is::OnlyRecorded).recordedAs([](const LimiterState& s) {
        return s.acceptedTruncated || s.accepted.size() > mostRecordedMarks;
    }),
    field(&LimiterState::bareMembers), field(&LimiterState::limit, Is::Compared),
    field(&LimiterState::windowMs, Is::Compared), field(&LimiterState::occupancy, Is::Compared),
    field(&LimiterState::remaining), field(&LimiterState::nextFreeMs, Is::Left),
    field(&LimiterState::retryAfterMs, Is::Left),
    field(&LimiterState::accepted, Is::OnlyRecorded | Is::Last).atMost(mostRecordedMarks),
    field(&LimiterState::reserved, Is::NeverPacked | Is::Compared | Is::Last)
        .atMost(mostRecordedMarks),
    field(&LimiterState::consumers, Is::NeverPacked).atMost(16),
    field(&LimiterState::consumersTotal), field(&LimiterState::newestMs, Is::Moment | Is::Compared),
    field(&LimiterState::refused, Is::Compared), field(&LimiterState::permitDrift, Is::Compared),
    field(&LimiterState::driftKey, Is::NeverPacked));

template<>
inline constexpr auto fieldsOf<LockHolder> = std::tuple(field(&LockHolder::name, Is::Compared),
                                                        field(&LockHolder::label),
                                                        field(&LockHolder::holds, Is::Compared),
                                                        field(&LockHolder::shared),
                                                        field(&LockHolder::leaseMs, Is::Left),
                                                        field(&LockHolder::sinceMs, Is::Moment));

template<>
inline constexpr auto fieldsOf<LockWaiter> = std::tuple(field(&LockWaiter::name, Is::Compared),
                                                        field(&LockWaiter::leftMs, Is::Left));

constexpr std::optional<qint64> usuallyOne(const LockState&, const FieldContext&)
{
    return 1;
}

// A value that contains no owner may be anything, so it is not recorded.
template<>
inline constexpr auto fieldsOf<LockState> =
    std::tuple(field(&LockState::phase, Is::Compared), field(&LockState::ownerKnown),
               field(&LockState::shared, Is::Compared),
               field(&LockState::owner, Is::Compared).recordedAs([](const LockState& s) {
                   return s.ownerKnown ? s.owner : QByteArray();
               }),
               field(&LockState::ownerLabel).recordedAs([](const LockState& s) {
                   return s.ownerKnown ? s.ownerLabel : Boxed<QByteArray>();
               }),
               field(&LockState::leaseMs, Is::Left | Is::Compared)
                   .usual([](const LockState&, const FieldContext& of) { return of.ttlMs; }),
               field(&LockState::holds, Is::Compared).usual(usuallyOne),
               field(&LockState::limit, Is::Compared).usual(usuallyOne),
               field(&LockState::holders, Is::NeverPacked | Is::Compared).atMost(16),
               field(&LockState::holdersTotal, Is::Compared),
               field(&LockState::waiting, Is::NeverPacked | Is::Compared).atMost(16),
               field(&LockState::waiters, Is::Compared), field(&LockState::partOf));

template<>
inline constexpr auto fieldsOf<JobFacts> = std::tuple(
    field(&JobFacts::id), field(&JobFacts::name), field(&JobFacts::worker),
    field(&JobFacts::enqueuedMs, Is::Moment), field(&JobFacts::startedMs, Is::Moment),
    field(&JobFacts::attempts), field(&JobFacts::mostAttempts), field(&JobFacts::leaseAlive));

// Without its preview, which is the payload, and without its error, which may quote it.
template<>
inline constexpr auto fieldsOf<QueueJob> = std::tuple(field(&QueueJob::size),
                                                      field(&QueueJob::fingerprint, Is::Compared),
                                                      field(&QueueJob::firstSeenMs, Is::Moment),
                                                      field(&QueueJob::key),
                                                      field(&QueueJob::facts));

template<>
inline constexpr auto fieldsOf<JobState> = std::tuple(field(&JobState::name, Is::Compared),
                                                      field(&JobState::role, Is::Compared),
                                                      field(&JobState::count, Is::Compared));

template<>
inline constexpr auto
    fieldsOf<QueueWorker> = std::tuple(field(&QueueWorker::name), field(&QueueWorker::host),
                                       field(&QueueWorker::process), field(&QueueWorker::alive),
                                       field(&QueueWorker::lastSeenMs, Is::Moment),
                                       field(&QueueWorker::jobs));

template<>
inline constexpr auto fieldsOf<FailureGroup> = std::tuple(field(&FailureGroup::error),
                                                          field(&FailureGroup::name),
                                                          field(&FailureGroup::count),
                                                          field(&FailureGroup::lastMs, Is::Moment));

template<>
inline constexpr auto fieldsOf<DueFacts> = std::tuple(field(&DueFacts::firstMs,
                                                            Is::Moment | Is::Compared),
                                                      field(&DueFacts::overdue, Is::Compared),
                                                      field(&DueFacts::readMs, Is::Read));

template<>
inline constexpr auto fieldsOf<DurationSpread> = std::tuple(field(&DurationSpread::p50),
                                                            field(&DurationSpread::p95),
                                                            field(&DurationSpread::p99),
                                                            field(&DurationSpread::jobs));

template<>
inline constexpr auto fieldsOf<QueueState> = std::tuple(
    field(&QueueState::states, Is::Compared), field(&QueueState::ready, Is::Compared),
    field(&QueueState::processing, Is::Compared), field(&QueueState::delayed, Is::Compared),
    field(&QueueState::dead, Is::Compared), field(&QueueState::oldestReadyMs, Is::Age),
    field(&QueueState::oldestProcessingMs, Is::Age), field(&QueueState::stuck),
    field(&QueueState::stuckByLibrary), field(&QueueState::paused, Is::Compared),
    field(&QueueState::pausedSinceMs, Is::Moment), field(&QueueState::due, Is::Compared),
    field(&QueueState::workers).atMost(32), field(&QueueState::workersKnown),
    field(&QueueState::failures).atMost(8), field(&QueueState::failuresRead),
    field(&QueueState::completedTotal), field(&QueueState::failedTotal),
    field(&QueueState::rateSource), field(&QueueState::completedPerSecond),
    field(&QueueState::failedPerSecond), field(&QueueState::inPerSecond),
    field(&QueueState::outPerSecond), field(&QueueState::waited), field(&QueueState::ran),
    field(&QueueState::stuckAfterMs), field(&QueueState::itemBytes),
    field(&QueueState::readyItemBytes),
    field(&QueueState::items, Is::Compared).atMost(mostRecordedJobs),
    field(&QueueState::itemsTruncated).recordedAs([](const QueueState& s) {
        return s.itemsTruncated || s.items.size() > mostRecordedJobs;
    }),
    field(&QueueState::duplicates), field(&QueueState::wakeUps));

template<>
inline constexpr auto fieldsOf<TokenState> = std::tuple(field(&TokenState::phase, Is::Compared),
                                                        field(&TokenState::end),
                                                        field(&TokenState::uses, Is::Compared),
                                                        field(&TokenState::bytes, Is::Compared));

template<>
inline constexpr auto fieldsOf<PatternRow> = std::tuple(field(&PatternRow::label, Is::Compared),
                                                        field(&PatternRow::value, Is::Compared),
                                                        field(&PatternRow::bytes, Is::Compared));

using NamedNumber = std::pair<QByteArray, double>;
template<>
inline constexpr auto fieldsOf<NamedNumber> = std::tuple(field(&NamedNumber::first, Is::Compared),
                                                         field(&NamedNumber::second, Is::Compared));

// Rows are recorded only if they are keys, with the amount set in each. Members and items are
// stored data, which a snapshot does not print either.
template<>
inline constexpr auto fieldsOf<PatternState> = std::tuple(
    field(&PatternState::values, Is::Compared), field(&PatternState::rowsAre),
    field(&PatternState::rows, Is::NeverPacked | Is::Compared | Is::Last)
        .atMost(mostRecordedRows)
        .recordedAs([](const PatternState& s) {
            return s.rowsAre == PatternState::Rows::Counts ? s.rows : std::vector<PatternRow>();
        }),
    field(&PatternState::rowsTruncated).recordedAs([](const PatternState& s) {
        return s.rowsTruncated ||
               s.rows.size() > (s.rowsAre == PatternState::Rows::Counts ? mostRecordedRows : 0);
    }),
    field(&PatternState::itemBytes), field(&PatternState::lock, Is::Compared),
    field(&PatternState::lockLeaseMs, Is::Left),
    field(&PatternState::lockHolder, Is::Compared | Is::NotRecorded),
    field(&PatternState::perMinute));

// Usually firstSeenMs equals sinceMs, and largestTtlMs is near the TTL.
template<>
inline constexpr auto fieldsOf<Observed> = std::tuple(
    field(&Observed::firstSeenMs, Is::Moment),
    field(&Observed::sinceMs, Is::Moment).usual([](const Observed& o, const FieldContext&) {
        return std::optional(o.firstSeenMs);
    }),
    field(&Observed::largestTtlMs, Is::UsualIfPacked)
        .usual([](const Observed&, const FieldContext& of) { return of.ttlMs; }),
    field(&Observed::leastLeftMs), field(&Observed::renewals),
    field(&Observed::fullSinceMs, Is::Moment), field(&Observed::fullSamples));

template<>
inline constexpr auto fieldsOf<Error> = std::tuple(field(&Error::code, Is::Compared),
                                                   field(&Error::detail, Is::Compared));

// The fields of all kinds; for those at the beginning of a stored state see StateHead. A key's name
// is a token's secret, and an error may quote it.
template<>
inline constexpr auto fieldsOf<State> = std::tuple(
    field(&State::present, Is::Compared | Is::NotStored),
    field(&State::ttlMs, Is::Left | Is::Compared | Is::NotStored),
    field(&State::bytesKey, Is::NeverPacked).recordedAs([](const State& s) {
        return s.bytesKey->isEmpty() ? s.bytesKey
                                     : Boxed<QByteArray>(redactedKey(s.kind(), *s.bytesKey));
    }),
    field(&State::problem, Is::NeverPacked | Is::Compared).recordedAs([](const State& s) {
        RareOptional<Error> problem = s.problem;
        if (problem && s.kind() == Kind::Token)
            problem->detail.clear();
        return problem;
    }),
    field(&State::observed));

} // namespace lk
