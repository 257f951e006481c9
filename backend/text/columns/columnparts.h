// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QLocale>

// Helpers for the columns and metrics of several kinds. Texts have the context lk::Column.
namespace lk::columnparts {

/// The translation context of column texts.
struct ColumnText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Column)
};

using Number = std::optional<double>;

QString unknown(); ///< the text for an unknown number
QString countText(std::optional<qint64> n);
QString durationText(std::optional<qint64> ms);
Number number(std::optional<qint64> n);

template<typename Body, auto Member> std::optional<qint64> field(const State& s)
{
    const Body* body = s.as<Body>();
    if (!body || s.problem)
        return std::nullopt;
    return body->*Member;
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

// The moment at which a remaining time ends; empty if it has ended.
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

// The columns that every kind has.
QString nameText(const State& s);
QString layoutText(const State& s);
QString wordText(const State& s);
Number severity(const State& s); ///< worst first
QString ttlText(const State& s);
Number ttlNumber(const State& s);
std::optional<qint64> ttlEnd(const State& s);
Number timeLeft(const State& s);

inline constexpr Column nameColumn{"name", ColumnStyle::Name,
                                   QT_TRANSLATE_NOOP("lk::Column", "Name"), nameText, nullptr};
inline constexpr Column stateColumn{"state", ColumnStyle::State,
                                    QT_TRANSLATE_NOOP("lk::Column", "State"), wordText, severity};
inline constexpr Column layoutColumn{
    "layout", ColumnStyle::Text, QT_TRANSLATE_NOOP("lk::Column", "Layout"), layoutText, nullptr};

} // namespace lk::columnparts
