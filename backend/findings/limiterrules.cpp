// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/rules.h"
#include "backend/text/time/duration.h"

#include <QLocale>

#include <algorithm>
#include <map>

namespace lk {

namespace {

using Severity = Finding::Severity;

constexpr qint64 fewestFullSamples = 3;
constexpr qint64 shortestHorizonMs = 10'000;

QString limiterCount(qint64 n)
{
    return QLocale().toString(n);
}

bool counts(const LimiterState& l)
{
    return l.algorithm == Algorithm::FixedWindow || l.algorithm == Algorithm::Gate;
}

Seen counterWithoutTtl(const State& s, const CheckThresholds&)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !s.present || s.ttlMs || !counts(*limiter))
        return {};
    return RuleMatch{FindingText::tr("The counter has no TTL: it never resets."), {}, {}, {}, {}};
}

// A gate that counts refused calls and keeps its TTL looks the same in one read. The proof is a TTL
// that has grown together with the count.
Seen gateProlonged(const State& s, const CheckThresholds&)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || limiter->algorithm != Algorithm::Gate || s.observed.renewals <= 0)
        return {};
    return RuleMatch{
        FindingText::tr("Rejected calls extended the block %1 times while this was observed; %2 "
                        "rejected so far.")
            .arg(limiterCount(s.observed.renewals), limiterCount(limiter->refused.value_or(0))),
        {},
        {},
        {},
        {}};
}

// How many moments of that unit a window has, where members that are bare times need one each.
std::optional<qint64> momentsOf(const LimiterState& limiter)
{
    if (limiter.bareMembers != TimeUnit::Seconds || !limiter.windowMs)
        return std::nullopt;
    return *limiter.windowMs / 1000 + 1;
}

// The limit needs more of them than there are: it is never reached.
bool neverFills(const LimiterState& limiter)
{
    const auto moments = momentsOf(limiter);
    return moments && limiter.limit && *limiter.limit > *moments;
}

Seen windowUndercounts(const State& s, const CheckThresholds&)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !neverFills(*limiter))
        return {};
    return RuleMatch{
        FindingText::tr(
            "Members are plain timestamps in seconds, so at most %1 fit in the window; the "
            "limit is %2.")
            .arg(limiterCount(*momentsOf(*limiter)), limiterCount(*limiter->limit)),
        {},
        {},
        {},
        {}};
}

Seen horizonTooLong(const State& s, const CheckThresholds& t)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || limiter->reserved.empty() || !limiter->retryAfterMs)
        return {};
    qint64 longest = t.retryHorizonMs;
    if (longest <= 0) {
        if (!limiter->windowMs)
            return {};
        longest = std::max(shortestHorizonMs, *limiter->windowMs * 10);
    }
    if (*limiter->retryAfterMs <= longest)
        return {};
    return RuleMatch{
        FindingText::tr("Rejected clients are told to wait %1; at most %2 is expected.")
            .arg(formatDuration(*limiter->retryAfterMs), formatDuration(longest)),
        s.primitive->key("retry"),
        {},
        {},
        {}};
}

// Times behind the server's clock cannot be told from an idle limiter; times ahead of it can.
Seen clockSkew(const State& s, const CheckThresholds& t)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !limiter->newestMs || *limiter->newestMs - s.asOfMs <= t.clockSkewMs)
        return {};
    return RuleMatch{FindingText::tr("The newest request is %1 ahead of the server's clock.")
                         .arg(formatDuration(*limiter->newestMs - s.asOfMs)),
                     {},
                     {},
                     {},
                     {}};
}

Seen windowIdle(const State& s, const CheckThresholds& t)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || s.ttlMs || !limiter->newestMs || !limiter->windowMs ||
        limiter->algorithm != Algorithm::SlidingLog)
        return {};
    const qint64 idleMs = s.asOfMs - *limiter->newestMs;
    if (idleMs <= std::max(t.idleAfterMs, *limiter->windowMs))
        return {};
    return RuleMatch{
        FindingText::tr("The window's key has no TTL, and its newest request is %1 old.")
            .arg(formatDuration(idleMs)),
        {},
        {},
        {},
        {}};
}

Seen overLimit(const State& s, const CheckThresholds&)
{
    const auto* limiter = s.as<LimiterState>();
    // Counters count refused calls, too: being over the limit is how they work.
    if (!limiter || counts(*limiter))
        return {};
    if (limiter->limit && limiter->occupancy && !limiter->occupancyIsUpperBound &&
        *limiter->occupancy > *limiter->limit)
        return RuleMatch{FindingText::tr("%1 of %2 are used.")
                             .arg(limiterCount(*limiter->occupancy), limiterCount(*limiter->limit)),
                         {},
                         {},
                         {},
                         {}};
    for (const Consumer& c : limiter->consumers) { // fullest first
        // Without a window every stored mark counts, also what has left it.
        if (limiter->windowMs && c.limit && c.occupancy > *c.limit)
            return RuleMatch{FindingText::tr("One consumer used %1 of %2.")
                                 .arg(limiterCount(c.occupancy), limiterCount(*c.limit)),
                             c.key,
                             {},
                             {},
                             {}};
    }
    return {};
}

// Available and taken permits always add up to the rate: each acquire moves permits from one to the
// other. A surplus comes from release(n) of Redisson 3.52 and later, which raises only the first.
Seen permitsDiffer(const State& s, const CheckThresholds&)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !limiter->permitDrift || *limiter->permitDrift == 0 || !limiter->limit)
        return {};
    const qint64 drift = *limiter->permitDrift;
    const bool dead = -drift >= *limiter->limit;
    if (drift > 0)
        return RuleMatch{
            FindingText::tr("Available and used permits add up to %1 more than the rate of %2.")
                .arg(limiterCount(drift), limiterCount(*limiter->limit)),
            *limiter->driftKey,
            {},
            Severity::Info,
            {}};
    return RuleMatch{
        dead ? FindingText::tr("None of the %1 permits is available and none is used: no "
                               "acquire can ever succeed.")
                   .arg(limiterCount(*limiter->limit))
             : FindingText::tr("Of %1 permits, %2 are neither available nor used.")
                   .arg(limiterCount(*limiter->limit), limiterCount(-drift)),
        *limiter->driftKey,
        {},
        dead ? Severity::Error : Severity::Warning,
        {}};
}

Seen saturated(const State& s, const CheckThresholds&)
{
    const auto* limiter = s.as<LimiterState>();
    if (!limiter || !limiter->windowMs || counts(*limiter) || s.observed.fullSinceMs <= 0 ||
        s.observed.fullSamples < fewestFullSamples ||
        s.asOfMs - s.observed.fullSinceMs <= *limiter->windowMs)
        return {};
    return RuleMatch{
        FindingText::tr("At the limit in all %1 samples for %2, longer than the window of %3.")
            .arg(limiterCount(s.observed.fullSamples),
                 formatDuration(s.asOfMs - s.observed.fullSinceMs),
                 formatDuration(*limiter->windowMs)),
        {},
        {},
        {},
        {}};
}

constexpr StateRule limiterRuleTable[] = {
    {{"counter-without-ttl", Severity::Error, "limiter.repair",
      QT_TRANSLATE_NOOP("lk::Finding", "Once it is full, it rejects everything permanently."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Restore its TTL; set it in the script that counts, not with a second "
                        "command that may never be sent.")},
     counterWithoutTtl},
    {{"gate-prolonged", Severity::Warning, "limiter.open",
      QT_TRANSLATE_NOOP("lk::Finding", "A client that keeps retrying keeps the gate closed."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Set the TTL only when a call passes; until then, open the gate by hand."),
      true},
     gateProlonged},
    {{"window-undercounts", Severity::Warning, "",
      QT_TRANSLATE_NOOP(
          "lk::Finding",
          "Requests at the same time become one member, so more than the limit pass."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Make members unique: append a sequence number or random text to the "
                        "timestamp.")},
     windowUndercounts},
    {{"retry-horizon-too-long", Severity::Warning, "limiter.cap",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Each rejection makes the next client wait longer, and clients still wait "
                        "long after the load is gone."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Cap the horizon now, and in the script: reserve nothing beyond the cap.")},
     horizonTooLong},
    {{"clock-skew", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Clients write their own time: one with a fast clock pushes other "
                        "clients' requests out of the window, and its own stay too long."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Use the server's TIME in the script, and fix that client's clock.")},
     clockSkew},
    {{"window-without-ttl", Severity::Info, "key.ttl",
      QT_TRANSLATE_NOOP("lk::Finding", "Every client leaves a key behind that nothing removes."),
      QT_TRANSLATE_NOOP("lk::Finding", "Set its TTL to the window, with PEXPIRE in the script.")},
     windowIdle},
    {{"limiter-over-limit", Severity::Warning, "",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "The limit was lowered, or two programs use different limits."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Compare the limits in the programs and the configuration file; the "
                        "excess leaves with the window.")},
     overLimit},
    {{"permits-differ", Severity::Warning, "limiter.repair",
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Permits return only when they leave the log: missing ones never come "
                        "back, and surplus ones pass at once."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Repair the value; always delete a limiter's keys together.")},
     permitsDiffer},
    {{"limiter-saturated", Severity::Info, "",
      QT_TRANSLATE_NOOP("lk::Finding", "Demand is persistently above the limit."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Check which clients call; raise the limit if what it protects can take "
                        "more."),
      true},
     saturated},
};

// Limiters whose names begin alike, and whose marks are bare times of one unit.
struct Alike
{
    qint64 limiters = 0;
    QByteArray name; ///< the last one by name
    QByteArray key;
};

// A member that is its time and nothing else has room for one request in each such moment. It is
// how a program writes them, so one finding for all of its limiters: there may be one for each
// user.
class BareMembers final : public CrossStateJudge
{
public:
    BareMembers(const ServerFacts&, const CheckThresholds&) {}

    void take(const State& state) override
    {
        const auto* limiter = state.as<LimiterState>();
        if (!limiter || state.problem || !limiter->bareMembers || neverFills(*limiter))
            return;
        const TimeUnit unit = *limiter->bareMembers;
        if (unit != TimeUnit::Seconds && unit != TimeUnit::Milliseconds)
            return;
        const Primitive& primitive = *state.primitive;
        const QByteArray& name = primitive.id.name;
        const QByteArrayView begin = QByteArrayView(name).first(name.indexOf(':') + 1);
        if (m_last == m_groups.end() || m_last->first.first != begin ||
            m_last->first.second != unit)
            m_last = m_groups.try_emplace({begin.toByteArray(), unit}).first;
        Alike& alike = m_last->second;
        ++alike.limiters;
        if (alike.name <= name) {
            alike.name = name;
            alike.key = primitive.keys.empty() ? name : primitive.keys.front().key;
        }
    }

    std::vector<RuleMatch> matches(const ScanCounts&) override
    {
        std::vector<RuleMatch> found;
        for (const auto& [begin, alike] : m_groups) {
            QString message =
                begin.second == TimeUnit::Seconds
                    ? FindingText::tr("Members are plain timestamps in seconds: requests in the "
                                      "same second count as one.")
                    : FindingText::tr("Members are plain timestamps in milliseconds: requests in "
                                      "the same millisecond count as one.");
            if (alike.limiters > 1)
                message +=
                    QLatin1Char(' ') +
                    FindingText::tr("This also affects %1.").arg(limiterCount(alike.limiters));
            found.push_back({message,
                             alike.key,
                             alike.limiters > 1 ? begin.first + '*' : alike.name,
                             {},
                             {},
                             Kind::Limiter,
                             alike.limiters > 1});
        }
        return found;
    }

private:
    using Groups = std::map<std::pair<QByteArray, TimeUnit>, Alike>; // by what names begin with
    Groups m_groups;
    Groups::iterator m_last = m_groups.end(); ///< nearly always the next one's, too
};

constexpr SnapshotRule limiterSnapshotRuleTable[] = {
    {{"window-undercounts", Severity::Info, "",
      QT_TRANSLATE_NOOP(
          "lk::Finding",
          "Requests at the same time become one member, so more than the limit pass."),
      QT_TRANSLATE_NOOP("lk::Finding",
                        "Make members unique: append a sequence number or random text to the "
                        "timestamp.")},
     beginAcross<BareMembers>},
};

} // namespace

std::span<const StateRule> limiterRules()
{
    return limiterRuleTable;
}

std::span<const SnapshotRule> limiterSnapshotRules()
{
    return limiterSnapshotRuleTable;
}

} // namespace lk
