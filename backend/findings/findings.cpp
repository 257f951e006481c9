// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/findings.h"

#include "backend/core/duration.h"
#include "backend/core/error.h"
#include "backend/core/keyname.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Finding)
};

using Severity = Finding::Severity;

constexpr qint64 longTokenMs = 30LL * 24 * 3600 * 1000;

// One rule: the message if the state shows the hazard, else an empty one.
struct Rule
{
    const char* code;
    Severity severity;
    QString (*message)(const State&);
};

QString lockWithoutTtl(const State& s)
{
    const auto* pattern = s.as<PatternState>();
    if (pattern && pattern->lock == LockState::Phase::Immortal)
        return Text::tr("The lock beside it has no TTL: if its owner is gone, nobody makes the "
                        "list anew until somebody removes the lock.");
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != LockState::Phase::Immortal)
        return {};
    return Text::tr("The lock has no TTL: if its owner is gone, nobody gets it until somebody "
                    "removes it.");
}

QString lockExpired(const State& s)
{
    const auto* lock = s.as<LockState>();
    if (!lock || lock->phase != LockState::Phase::Expired)
        return {};
    return Text::tr(
        "The lock's time has run out and its key is still there: its owner ended without "
        "releasing it.");
}

QString tokenWithoutTtl(const State& s)
{
    const auto* token = s.as<TokenState>();
    if (!token || !s.present || s.ttlMs || token->phase == TokenState::Phase::Ghost)
        return {};
    return Text::tr("The token has no TTL: it stays valid until it is used.");
}

QString ghostToken(const State& s)
{
    const auto* token = s.as<TokenState>();
    if (!token || token->phase != TokenState::Phase::Ghost)
        return {};
    return Text::tr(
        "Only the use count is left: the token was used after it had expired, which made "
        "the key anew without a TTL.");
}

QString tokenUsedTwice(const State& s)
{
    const auto* token = s.as<TokenState>();
    if (!token || token->uses.value_or(0) < 2)
        return {};
    return Text::tr("The token was presented %1 times: a client retries, or somebody else has it.")
        .arg(QLocale().toString(*token->uses));
}

QString tokenTtlTooLong(const State& s)
{
    if (!s.as<TokenState>() || !s.ttlMs)
        return {};
    const Declaration* d = s.primitive->declaration.get();
    const bool declared = d && d->maxTtlMs;
    const qint64 longest = declared ? *d->maxTtlMs : longTokenMs;
    if (*s.ttlMs <= longest)
        return {};
    const QString text = declared
                             ? Text::tr("The token expires in %1; declared are at most %2.")
                             : Text::tr("The token expires in %1, later than %2 from now: were "
                                        "milliseconds given where seconds are meant?");
    return text.arg(formatDuration(*s.ttlMs), formatDuration(longest));
}

QString counterWithoutTtl(const State& s)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !s.present || s.ttlMs)
        return {};
    if (limiter->algorithm != Algorithm::FixedWindow && limiter->algorithm != Algorithm::Gate)
        return {};
    return Text::tr(
        "The counter has no TTL: it never starts anew, so once it is full it refuses for "
        "ever.");
}

QString limiterOverLimit(const State& s)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !limiter->limit || !limiter->occupancy || limiter->occupancyIsUpperBound ||
        *limiter->occupancy <= *limiter->limit)
        return {};
    // These count refused calls, too: being over the limit is how they work.
    if (limiter->algorithm == Algorithm::FixedWindow || limiter->algorithm == Algorithm::Gate)
        return {};
    return Text::tr("%1 of %2 are used: the limit was lowered, or two programs use the key with "
                    "different limits.")
        .arg(QLocale().toString(*limiter->occupancy), QLocale().toString(*limiter->limit));
}

QString queueStuck(const State& s)
{
    const auto* queue = s.as<QueueState>();
    if (!queue || queue->stuck <= 0)
        return {};
    return Text::tr("In processing for longer than %2: %1. Whoever took them may be gone.")
        .arg(QLocale().toString(queue->stuck), formatDuration(queue->stuckAfterMs));
}

QString wrongType(const State& s)
{
    return s.problem && s.problem->code == ErrorCode::WrongType ? errorText(*s.problem) : QString();
}

constexpr Rule rules[] = {
    {"lock-without-ttl", Severity::Error, lockWithoutTtl},
    {"lock-expired", Severity::Warning, lockExpired},
    {"token-without-ttl", Severity::Warning, tokenWithoutTtl},
    {"ghost-token", Severity::Error, ghostToken},
    {"token-used-twice", Severity::Warning, tokenUsedTwice},
    {"token-ttl-too-long", Severity::Warning, tokenTtlTooLong},
    {"counter-without-ttl", Severity::Error, counterWithoutTtl},
    {"limiter-over-limit", Severity::Warning, limiterOverLimit},
    {"queue-stuck", Severity::Error, queueStuck},
    {"wrong-type", Severity::Error, wrongType},
};

} // namespace

std::vector<Finding> findingsOf(const State& state)
{
    std::vector<Finding> found;
    const Primitive& primitive = *state.primitive;
    const QByteArray key = primitive.keys.empty() ? primitive.id.name : primitive.keys.front().key;
    for (const Rule& rule : rules) {
        // An unreadable state has defaults where it should have facts.
        if (state.problem && rule.message != wrongType)
            continue;
        QString message = rule.message(state);
        if (!message.isEmpty())
            found.push_back({rule.code, rule.severity, primitive.id.name, key, std::move(message)});
    }
    return found;
}

std::optional<Severity> worst(const std::vector<Finding>& findings)
{
    const auto it =
        std::max_element(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
            return a.severity < b.severity;
        });
    return it == findings.end() ? std::nullopt : std::optional(it->severity);
}

} // namespace lk
