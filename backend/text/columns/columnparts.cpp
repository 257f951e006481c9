// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/text/columns/columnparts.h"

#include "backend/core/redactedname.h"
#include "backend/text/statewords.h"

namespace lk::columnparts {

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
    return s.present ? (s.ttlMs ? formatDuration(*s.ttlMs) : ColumnText::tr("none", "no TTL"))
                     : unknown();
}

Number ttlNumber(const State& s)
{
    // Sorts by the moment of expiry, because rows are read at different times.
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

} // namespace lk::columnparts
