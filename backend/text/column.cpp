// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/column.h"

#include "backend/core/keyname.h"
#include "backend/core/patternfigures.h"
#include "backend/core/redactedname.h"
#include "backend/text/duration.h"
#include "backend/text/figures.h"
#include "backend/text/statewords.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Column)
};

using Number = std::optional<double>;

QString unknown()
{
    return QStringLiteral("\u2013");
}

QString countText(std::optional<qint64> n)
{
    return n ? QLocale().toString(*n) : unknown();
}

QString durationText(std::optional<qint64> ms)
{
    return ms ? formatDuration(*ms) : unknown();
}

Number number(std::optional<qint64> n)
{
    return n ? Number(double(*n)) : std::nullopt;
}

template<typename Body, auto Member> std::optional<qint64> field(const State& s)
{
    const Body* body = s.as<Body>();
    if (!body || s.problem)
        return std::nullopt;
    return body->*Member;
}

// The columns that every kind has.

QString nameText(const State& s)
{
    return shownName(*s.primitive);
}

QString layoutText(const State& s)
{
    return QString::fromLatin1(s.primitive->id.layout);
}

QString wordText(const State& s)
{
    return stateWord(s);
}

Number severity(const State& s)
{
    return double(s.health) * 1e12 + s.urgency;
}

QString ttlText(const State& s)
{
    return s.present ? (s.ttlMs ? formatDuration(*s.ttlMs) : Text::tr("none", "no TTL"))
                     : unknown();
}

Number ttlNumber(const State& s)
{
    // The moment: rows are read at different ones.
    return s.ttlMs ? Number(double(s.asOfMs + *s.ttlMs)) : std::nullopt;
}

std::optional<qint64> ttlEnd(const State& s)
{
    return s.ttlMs ? std::optional(s.asOfMs + *s.ttlMs) : std::nullopt;
}

Number timeLeft(const State& s)
{
    return number(s.ttlMs);
}

// Limiters

QString fillText(const State& s)
{
    const auto* l = s.as<LimiterState>();
    if (!l || s.problem || !l->occupancy)
        return unknown();
    const QString used = (l->occupancyIsUpperBound ? QStringLiteral("\u2264\u2009") : QString()) +
                         QLocale().toString(*l->occupancy);
    return used + QLatin1Char('/') +
           (l->limit ? QLocale().toString(*l->limit) : QStringLiteral("?"));
}

Number fillNumber(const State& s)
{
    const auto* l = s.as<LimiterState>();
    if (!l || !l->occupancy)
        return std::nullopt;
    return l->limit && *l->limit > 0 ? double(*l->occupancy) / double(*l->limit)
                                     : -1.0 / (1.0 + double(*l->occupancy));
}

template<auto Member> QString limiterDuration(const State& s)
{
    const auto ms = field<LimiterState, Member>(s);
    return ms && *ms == 0 ? Text::tr("now") : durationText(ms);
}

QString retryText(const State& s)
{
    const auto ms = field<LimiterState, &LimiterState::retryAfterMs>(s);
    return ms && *ms > 0 ? formatDuration(*ms) : unknown();
}

template<typename Body, auto Member> Number fieldNumber(const State& s)
{
    return number(field<Body, Member>(s));
}

template<typename Body, auto Member> QString fieldCount(const State& s)
{
    return countText(field<Body, Member>(s));
}

template<typename Body, auto Member> QString fieldDuration(const State& s)
{
    return durationText(field<Body, Member>(s));
}

// When so much has passed from now on; what is over already has no moment.
template<typename Body, auto Member> std::optional<qint64> endOf(const State& s)
{
    const auto ms = field<Body, Member>(s);
    return ms && *ms > 0 ? std::optional(s.asOfMs + *ms) : std::nullopt;
}

template<typename Body, auto Member> std::optional<qint64> beginOf(const State& s)
{
    const auto ms = field<Body, Member>(s);
    return ms ? std::optional(s.asOfMs - *ms) : std::nullopt;
}

// Locks

QString ownerText(const State& s)
{
    const auto* l = s.as<LockState>();
    if (l && l->holdersTotal > 1)
        return l->shared ? Text::tr("%Ln readers", nullptr, int(l->holdersTotal))
                         : Text::tr("%Ln holders", nullptr, int(l->holdersTotal));
    if (!l || !l->ownerKnown)
        return unknown();
    return displayPreview(l->ownerLabel.isEmpty() ? l->owner : l->ownerLabel, 64);
}

QString leaseText(const State& s)
{
    const auto* l = s.as<LockState>();
    if (!l || s.problem)
        return unknown();
    if (l->phase == LockState::Phase::NoTtl)
        return Text::tr("never", "lease");
    return durationText(l->leaseMs);
}

std::optional<qint64> heldFor(const State& s)
{
    const auto* l = s.as<LockState>();
    if (!l || l->phase == LockState::Phase::Free || s.observed.sinceMs == 0)
        return std::nullopt;
    return s.asOfMs - s.observed.sinceMs;
}

std::optional<qint64> heldSince(const State& s)
{
    return heldFor(s) ? std::optional(s.observed.sinceMs) : std::nullopt;
}

QString heldForText(const State& s)
{
    const auto ms = heldFor(s);
    // The first sight is a lower bound: the lock may have been held before this console was
    // watching.
    return ms ? QStringLiteral("\u2265\u2009") + formatDuration(*ms) : unknown();
}

// Rows are read at different moments: what began earlier has been held for longer, whenever it
// was read, and what ends at the earlier moment ends first.
Number heldForNumber(const State& s)
{
    return heldFor(s) ? Number(-double(s.observed.sinceMs)) : std::nullopt;
}

Number leaseEnd(const State& s)
{
    const auto* l = s.as<LockState>();
    return l && l->leaseMs && !s.problem ? Number(double(s.asOfMs + *l->leaseMs)) : std::nullopt;
}

QString renewalsText(const State& s)
{
    return QLocale().toString(s.observed.renewals);
}

// Only who holds it has a lease: one that has run out is nobody's.
Number leaseNumber(const State& s)
{
    const auto* l = s.as<LockState>();
    return l && l->phase == LockState::Phase::Held && !s.problem ? number(l->leaseMs)
                                                                 : std::nullopt;
}

Number renewalsNumber(const State& s)
{
    return double(s.observed.renewals);
}

// Queues

std::optional<qint64> stuckCount(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && q->processing && !s.problem ? std::optional(q->stuck) : std::nullopt;
}

QString stuckText(const State& s)
{
    return countText(stuckCount(s));
}

Number stuckNumber(const State& s)
{
    return number(stuckCount(s));
}

// Patterns

QString holdsText(const State& s)
{
    const auto* p = s.as<PatternState>();
    return p && !s.problem ? mainText(*p) : unknown();
}

Number holdsNumber(const State& s)
{
    const auto* p = s.as<PatternState>();
    return p && !s.problem ? mainNumber(*p) : std::nullopt;
}

Number perMinuteNumber(const State& s)
{
    const auto* p = s.as<PatternState>();
    return p && !s.problem ? p->perMinute : std::nullopt;
}

const Column limiterColumns[] = {
    {"name", ColumnStyle::Name, QT_TRANSLATE_NOOP("lk::Column", "Name"), nameText, nullptr},
    {"state", ColumnStyle::State, QT_TRANSLATE_NOOP("lk::Column", "State"), wordText, severity},
    {"used", ColumnStyle::Fill, QT_TRANSLATE_NOOP("lk::Column", "Used / limit"), fillText,
     fillNumber},
    {"free", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Next free"),
     limiterDuration<&LimiterState::nextFreeMs>,
     fieldNumber<LimiterState, &LimiterState::nextFreeMs>,
     endOf<LimiterState, &LimiterState::nextFreeMs>},
    {"retry", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Retry after"), retryText,
     fieldNumber<LimiterState, &LimiterState::retryAfterMs>,
     endOf<LimiterState, &LimiterState::retryAfterMs>},
    {"layout", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr},
    {"window", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Window"),
     fieldDuration<LimiterState, &LimiterState::windowMs>,
     fieldNumber<LimiterState, &LimiterState::windowMs>},
};

const Column lockColumns[] = {
    {"name", ColumnStyle::Name, QT_TRANSLATE_NOOP("lk::Column", "Name"), nameText, nullptr},
    {"state", ColumnStyle::State, QT_TRANSLATE_NOOP("lk::Column", "State"), wordText, severity},
    {"owner", ColumnStyle::Mono, QT_TRANSLATE_NOOP("lk::Column", "Owner"), ownerText, nullptr},
    {"lease", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "TTL"), leaseText, leaseEnd,
     endOf<LockState, &LockState::leaseMs>, true},
    {"held", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Held for"), heldForText,
     heldForNumber, heldSince},
    {"renewals", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Renewals"), renewalsText,
     renewalsNumber},
    {"layout", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr},
};

const Column queueColumns[] = {
    {"name", ColumnStyle::Name, QT_TRANSLATE_NOOP("lk::Column", "Name"), nameText, nullptr},
    {"state", ColumnStyle::State, QT_TRANSLATE_NOOP("lk::Column", "State"), wordText, severity},
    {"ready", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Waiting"),
     fieldCount<QueueState, &QueueState::ready>, fieldNumber<QueueState, &QueueState::ready>},
    {"processing", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "In progress"),
     fieldCount<QueueState, &QueueState::processing>,
     fieldNumber<QueueState, &QueueState::processing>},
    {"oldest", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Longest"),
     fieldDuration<QueueState, &QueueState::oldestProcessingMs>,
     fieldNumber<QueueState, &QueueState::oldestProcessingMs>,
     beginOf<QueueState, &QueueState::oldestProcessingMs>},
    {"stuck", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Stuck"), stuckText, stuckNumber},
    {"delayed", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Delayed"),
     fieldCount<QueueState, &QueueState::delayed>, fieldNumber<QueueState, &QueueState::delayed>},
    {"dead", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Dead-lettered"),
     fieldCount<QueueState, &QueueState::dead>, fieldNumber<QueueState, &QueueState::dead>},
    {"layout", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr},
};

const Column tokenColumns[] = {
    {"name", ColumnStyle::Name, QT_TRANSLATE_NOOP("lk::Column", "Name"), nameText, nullptr},
    {"state", ColumnStyle::State, QT_TRANSLATE_NOOP("lk::Column", "State"), wordText, severity},
    {"ttl", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), ttlText,
     ttlNumber, ttlEnd, true},
    {"uses", ColumnStyle::Count, QT_TRANSLATE_NOOP("lk::Column", "Uses"),
     fieldCount<TokenState, &TokenState::uses>, fieldNumber<TokenState, &TokenState::uses>},
    {"layout", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr},
};

const Column patternColumns[] = {
    {"name", ColumnStyle::Name, QT_TRANSLATE_NOOP("lk::Column", "Name"), nameText, nullptr},
    {"state", ColumnStyle::State, QT_TRANSLATE_NOOP("lk::Column", "State"), wordText, severity},
    {"holds", ColumnStyle::Figure, QT_TRANSLATE_NOOP("lk::Column", "Holds"), holdsText,
     holdsNumber},
    {"ttl", ColumnStyle::Duration, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), ttlText,
     ttlNumber, ttlEnd, true},
    {"layout", ColumnStyle::Layout, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr},
};

const Metric limiterMetrics[] = {
    {"occupancy", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Used"),
     fieldNumber<LimiterState, &LimiterState::occupancy>},
    {"limit", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Limit"),
     fieldNumber<LimiterState, &LimiterState::limit>},
    {"retry", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Retry after"),
     fieldNumber<LimiterState, &LimiterState::retryAfterMs>},
    {"free", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Next free"),
     fieldNumber<LimiterState, &LimiterState::nextFreeMs>},
};

const Metric lockMetrics[] = {
    {"lease", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "TTL"), leaseNumber,
     true},
};

template<auto Member> Number flowNumber(const State& s)
{
    const auto* q = s.as<QueueState>();
    return q && !s.problem ? q->*Member : std::nullopt;
}

const Metric queueMetrics[] = {
    {"ready", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Waiting"),
     fieldNumber<QueueState, &QueueState::ready>},
    {"processing", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "In progress"),
     fieldNumber<QueueState, &QueueState::processing>},
    {"delayed", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Delayed"),
     fieldNumber<QueueState, &QueueState::delayed>},
    {"dead", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Dead-lettered"),
     fieldNumber<QueueState, &QueueState::dead>},
    {"oldest", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Oldest in progress"),
     fieldNumber<QueueState, &QueueState::oldestProcessingMs>},
    {"in", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "In per second"),
     flowNumber<&QueueState::inPerSecond>},
    {"out", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Out per second"),
     flowNumber<&QueueState::outPerSecond>},
};

const Metric tokenMetrics[] = {
    {"ttl", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), timeLeft,
     true},
};

const Metric patternMetrics[] = {
    {"holds", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Holds"), holdsNumber},
    {"ttl", Metric::Unit::Milliseconds, QT_TRANSLATE_NOOP("lk::Column", "Expires in"), timeLeft,
     true},
    {"pace", Metric::Unit::Count, QT_TRANSLATE_NOOP("lk::Column", "Per minute, at least"),
     perMinuteNumber},
};

} // namespace

QString title(const Column& column)
{
    return Text::tr(column.source);
}

QString title(const Metric& metric)
{
    return Text::tr(metric.source);
}

std::span<const Column> columns(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return limiterColumns;
    case Kind::Lock:
        return lockColumns;
    case Kind::Queue:
        return queueColumns;
    case Kind::Token:
        return tokenColumns;
    case Kind::Pattern:
        break;
    }
    return patternColumns;
}

std::span<const Metric> metrics(Kind kind)
{
    switch (kind) {
    case Kind::Limiter:
        return limiterMetrics;
    case Kind::Lock:
        return lockMetrics;
    case Kind::Queue:
        return queueMetrics;
    case Kind::Token:
        return tokenMetrics;
    case Kind::Pattern:
        break;
    }
    return patternMetrics;
}

int expiryColumn(Kind kind)
{
    const auto all = columns(kind);
    const auto it = std::find_if(all.begin(), all.end(), [](const Column& c) { return c.expiry; });
    return it == all.end() ? -1 : int(it - all.begin());
}

int metricIndex(Kind kind, QByteArrayView id)
{
    const auto all = metrics(kind);
    const auto it = std::find_if(all.begin(), all.end(),
                                 [id](const Metric& metric) { return id == metric.id; });
    Q_ASSERT(it != all.end());
    return int(it - all.begin());
}

} // namespace lk
