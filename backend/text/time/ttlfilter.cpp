// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/time/ttlfilter.h"

#include "backend/text/time/duration.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <utility>

namespace lk {

namespace {

// The duration in the form that parseDuration() reads, in the largest exact unit.
QString exactDuration(qint64 ms)
{
    static constexpr std::array<std::pair<const char*, qint64>, 4> units{
        {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}}};
    for (const auto& [suffix, unitMs] : units) {
        if (ms % unitMs == 0)
            return QString::number(ms / unitMs) + QLatin1String(suffix);
    }
    return QString::number(ms) + QLatin1String("ms");
}

} // namespace

Ending endingOf(const State& state)
{
    const auto after = [&](const std::optional<qint64>& leftMs) {
        return leftMs ? Ending{state.asOfMs + *leftMs, false} : Ending{std::nullopt, true};
    };
    if (const auto* lock = state.as<LockState>()) {
        if (lock->phase == LockState::Phase::NoTtl)
            return {std::nullopt, true};
        return lock->phase == LockState::Phase::Held && lock->leaseMs ? after(lock->leaseMs)
                                                                      : Ending{};
    }
    const auto* token = state.as<TokenState>();
    const bool there = token ? token->phase == TokenState::Phase::Live : state.present;
    return there ? after(state.ttlMs) : Ending{};
}

TtlFilter TtlFilter::takenFrom(QString& typed)
{
    static const QRegularExpression term(
        QStringLiteral("(?<!\\S)ttl(?:=(none)|([<>]=?)(\\d+(?:ms|s|m|h|d)))(?!\\S)"),
        QRegularExpression::CaseInsensitiveOption);
    TtlFilter filter;
    QString rest = typed;
    for (auto it = term.globalMatch(typed); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        if (!match.captured(1).isEmpty()) {
            filter.m_never = true;
        } else {
            const Result<qint64> limit = parseDuration(match.captured(3).toLower());
            if (!limit)
                continue; // an invalid term is part of a name
            const QString sign = match.captured(2);
            const qint64 bound =
                *limit + (sign == QLatin1String(">") || sign == QLatin1String("<="));
            if (sign.startsWith(QLatin1Char('>')))
                filter.m_fromMs = std::max(filter.m_fromMs.value_or(bound), bound);
            else
                filter.m_beforeMs = std::min(filter.m_beforeMs.value_or(bound), bound);
        }
        rest.replace(match.capturedStart(), match.capturedLength(),
                     QString(match.capturedLength(), QLatin1Char(' ')));
    }
    if (!filter.isEmpty())
        typed = rest.trimmed();
    return filter;
}

QString TtlFilter::terms(qint64 fromMs, std::optional<qint64> toMs)
{
    QStringList terms;
    if (fromMs > 0)
        terms << QStringLiteral("ttl>=") + exactDuration(fromMs);
    if (toMs)
        terms << QStringLiteral("ttl<") + exactDuration(*toMs);
    return terms.join(QLatin1Char(' '));
}

QString TtlFilter::never()
{
    return QStringLiteral("ttl=none");
}

bool TtlFilter::fits(const State& state, qint64 serverNowMs) const
{
    if (isEmpty())
        return true;
    const Ending ending = endingOf(state);
    if (m_never)
        return ending.never && !m_fromMs && !m_beforeMs;
    if (!ending.atMs)
        return false;
    const qint64 leftMs = std::max<qint64>(0, *ending.atMs - serverNowMs);
    return leftMs >= m_fromMs.value_or(0) && (!m_beforeMs || leftMs < *m_beforeMs);
}

} // namespace lk
