// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/patterntexts.h"

#include "backend/core/derived/patternfigures.h"
#include "backend/text/numbers/datasize.h"
#include "backend/text/numbers/figures.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

using Rows = PatternState::Rows;

struct PatternTextsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::PatternTexts)
};

QString unknown()
{
    return QStringLiteral("\u2013");
}

QString numberText(std::optional<double> number)
{
    return number ? figureText(*number) : unknown();
}

QString percentText(double share)
{
    return PatternTextsText::tr("%1 %").arg(QLocale().toString(share * 100, 'f', 1));
}

QString sizeText(std::optional<double> bytes)
{
    return bytes ? dataSizeText(qint64(*bytes)) : unknown();
}

Figure mainFigure(const State& state, const PatternState& pattern)
{
    const QString unit = mainUnit(pattern);
    const bool alarm = state.health >= Health::Warning && pattern.rowsAre == Rows::None;
    return {numberText(mainNumber(pattern)),
            unit.isEmpty() ? PatternTextsText::tr("counted") : unit,
            alarm ? healthRole(state.health) : ColorRole::Text};
}

Figure expiry(const State& state)
{
    const bool never = state.present && !state.ttlMs;
    const QString left = state.ttlMs ? formatDuration(*state.ttlMs) : unknown();
    return {never ? PatternTextsText::tr("never") : left, PatternTextsText::tr("expires in"),
            never ? ColorRole::Warning : ColorRole::Text};
}

// A lower bound, so rounded down.
QString paceText(std::optional<double> perMinute)
{
    if (!perMinute)
        return unknown();
    const double shown =
        *perMinute < 10 ? std::floor(*perMinute * 10) / 10 : std::floor(*perMinute);
    return QStringLiteral("\u2265\u2009") + numberText(shown);
}

// The time from one member's turn to its next. An upper bound, so rounded up.
QString roundText(const PatternState& pattern)
{
    const auto members = mainNumber(pattern);
    if (!members || *members <= 0 || pattern.perMinute.value_or(0) <= 0)
        return unknown();
    const double seconds = std::ceil(*members / *pattern.perMinute * 60);
    return QStringLiteral("\u2264\u2009") + formatDuration(qint64(seconds) * 1000);
}

Figure rebuildLock(const PatternState& pattern)
{
    const QString caption = PatternTextsText::tr("rebuild lock");
    if (!pattern.lock)
        return {unknown(), caption};
    switch (*pattern.lock) {
    case LockState::Phase::Held:
        return {PatternTextsText::tr("held"), caption};
    case LockState::Phase::NoTtl:
        return {PatternTextsText::tr("no TTL"), caption, ColorRole::Danger};
    case LockState::Phase::Expired:
        return {PatternTextsText::tr("expired"), caption, ColorRole::Warning};
    case LockState::Phase::Free:
        break;
    }
    return {PatternTextsText::tr("free"), caption};
}

QString rangeText(const IdRange& range)
{
    const QString most = numberText(range.atMost);
    return range.atLeast == range.atMost
               ? most
               : QStringLiteral("%1\u2013%2").arg(numberText(range.atLeast), most);
}

std::vector<Figure> countFigures(const State& state, const PatternState& pattern)
{
    std::vector<Figure> figures{mainFigure(state, pattern)};
    figures.front().caption = PatternTextsText::tr("users in the newest key");
    if (const auto range = idsOfLast(pattern, lastPeriods); range && range->keys > 1)
        figures.push_back(
            {rangeText(*range),
             PatternTextsText::tr("different users in the last %1").arg(range->keys)});
    figures.push_back({numberText(valueOf(pattern, "keys")), PatternTextsText::tr("keys")});
    return figures;
}

std::vector<Figure> recordFigures(const State& state, const PatternState& pattern)
{
    std::vector<Figure> figures{mainFigure(state, pattern)};
    const auto used = std::count_if(pattern.rows.begin(), pattern.rows.end(),
                                    [](const PatternRow& row) { return !row.label.isEmpty(); });
    if (!pattern.rows.empty())
        figures.push_back(
            {QLocale().toString(qlonglong(used)),
             pattern.rowsTruncated
                 ? PatternTextsText::tr("in use of the first %1").arg(pattern.rows.size())
                 : PatternTextsText::tr("in use")});
    figures.push_back({sizeText(valueOf(pattern, "bytes")), PatternTextsText::tr("size")});
    return figures;
}

QString captionOf(const QByteArray& id)
{
    if (id == "bytes")
        return PatternTextsText::tr("size");
    if (id == "total")
        return PatternTextsText::tr("all weights");
    if (id == "keys")
        return PatternTextsText::tr("keys");
    return QString::fromLatin1(id).replace(QLatin1Char('_'), QLatin1Char(' '));
}

// For other patterns: the numbers by their names.
std::vector<Figure> namedFigures(const State& state, const PatternState& pattern)
{
    std::vector<Figure> figures{mainFigure(state, pattern)};
    for (size_t i = 1; i < std::min<size_t>(pattern.values.size(), 4); ++i) {
        const auto& [id, value] = pattern.values[i];
        const auto known = valueOf(pattern, id);
        figures.push_back({id == "bytes" ? sizeText(known) : numberText(known), captionOf(id)});
    }
    return figures;
}

} // namespace

std::vector<Figure> patternFigures(const State& state, const PatternState& pattern)
{
    const Figure main = mainFigure(state, pattern);
    switch (pattern.rowsAre) {
    case Rows::Rotation:
        return {main,
                {paceText(pattern.perMinute), PatternTextsText::tr("rotations per minute")},
                {roundText(pattern), PatternTextsText::tr("per full rotation")}};
    case Rows::Trail: {
        const auto idle = valueOf(pattern, "idle_ms");
        return {main,
                expiry(state),
                {idle ? formatDuration(qint64(*idle)) : unknown(),
                 PatternTextsText::tr("since the last page")}};
    }
    case Rows::Results:
        return {main, expiry(state), rebuildLock(pattern)};
    case Rows::Counts:
        return countFigures(state, pattern);
    case Rows::Weights: {
        double largest = 0;
        for (const PatternRow& row : pattern.rows)
            largest = std::max(largest, row.value.value_or(0));
        const bool known = largest > 0 && !pattern.rowsTruncated;
        return {main,
                {known ? percentText(largest) : unknown(), PatternTextsText::tr("most likely")},
                {numberText(valueOf(pattern, "total")), PatternTextsText::tr("all weights")}};
    }
    case Rows::Records:
        return recordFigures(state, pattern);
    case Rows::None:
        break;
    }
    if (isCounter(pattern))
        return {main, {paceText(pattern.perMinute), PatternTextsText::tr("per minute")}};
    return namedFigures(state, pattern);
}

QString rowsTitle(const PatternState& pattern)
{
    const int shown = int(pattern.rows.size());
    const QString all = pattern.rowsAre == Rows::Counts ? numberText(valueOf(pattern, "keys"))
                                                        : numberText(mainNumber(pattern));
    const bool part = pattern.rowsTruncated && shown > 0;
    const auto titled = [&](const QString& whole, const QString& some) {
        return part ? some.arg(QLocale().toString(shown), all) : whole;
    };
    switch (pattern.rowsAre) {
    case Rows::Rotation:
        return titled(PatternTextsText::tr("Rotation order"),
                      PatternTextsText::tr("Rotation order, %1 of %2"));
    case Rows::Trail:
        return titled(PatternTextsText::tr("Pages, the newest first"),
                      PatternTextsText::tr("Pages, the newest %1 of %2"));
    case Rows::Results:
        return titled(PatternTextsText::tr("Cached items"),
                      PatternTextsText::tr("Cached items, the first %1 of %2"));
    case Rows::Counts:
        return titled(PatternTextsText::tr("Active users, the newest key first"),
                      PatternTextsText::tr("Active users, the newest %1 of %2 keys"));
    case Rows::Weights:
        return titled(PatternTextsText::tr("Chance of each member"),
                      PatternTextsText::tr("Chance of each member, %1 of %2"));
    case Rows::Records:
        return titled(PatternTextsText::tr("Records"),
                      PatternTextsText::tr("Records, the first %1 of %2"));
    case Rows::None:
        break;
    }
    return {};
}

QString noRowsText(const State& state, const PatternState& pattern, bool past)
{
    if (!pattern.rows.empty() || !state.present || mainNumber(pattern).value_or(0) <= 0)
        return {};
    if (past)
        return pattern.rowsAre == Rows::None
                   ? QString()
                   : PatternTextsText::tr("What is stored in it is not recorded, only its size.");
    if (pattern.rowsAre == Rows::None && valueOf(pattern, "bytes"))
        return PatternTextsText::tr(
            "Redis does not store the record size: declare it as \"record\" in the configuration "
            "file to see the records.");
    if (pattern.rowsAre != Rows::None && pattern.itemBytes)
        return PatternTextsText::tr("An item is %1: too large to read regularly.")
            .arg(sizeText(double(*pattern.itemBytes)));
    return {};
}

} // namespace lk
