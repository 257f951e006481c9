// SPDX-License-Identifier: GPL-3.0-or-later
// A primitive's life as a text file or a table.
#include "backend/session/past/timeline.h"
#include "backend/text/csv.h"

#include <QDateTime>

namespace lk {

QString lifeTimeText(const TimelineEntry& line, bool withDate)
{
    const QDateTime from = QDateTime::fromMSecsSinceEpoch(line.fromMs);
    const QDateTime to = QDateTime::fromMSecsSinceEpoch(line.toMs);
    const QString day = QStringLiteral("yyyy-MM-dd ");
    const QString clock = QStringLiteral("HH:mm:ss");
    QString text = from.toString(withDate ? day + clock : clock);
    if (line.toMs - line.fromMs < 1000)
        return text;
    text += QStringLiteral(" \u2013 ");
    return line.lasting
               ? text
               : text + to.toString(withDate && from.date() != to.date() ? day + clock : clock);
}

QString lifeText(const QString& heading, const Timeline& life)
{
    QStringList lines{heading};
    for (const TimelineEntry& line : life)
        lines << lifeTimeText(line, true) + QStringLiteral("  ") + line.text;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

namespace {

QString sortId(TimeMark::Sort sort)
{
    switch (sort) {
    case TimeMark::Sort::Gap:
        return QStringLiteral("gap");
    case TimeMark::Sort::Server:
        return QStringLiteral("server");
    case TimeMark::Sort::Finding:
        return QStringLiteral("finding");
    case TimeMark::Sort::Alert:
        return QStringLiteral("alert");
    case TimeMark::Sort::Action:
        return QStringLiteral("action");
    case TimeMark::Sort::Change:
        break;
    }
    return QStringLiteral("change");
}

} // namespace

QString csvTime(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(Qt::ISODateWithMs);
}

QString lifeCsvHead()
{
    return QStringLiteral("from_utc,to_utc,type,who,what");
}

QString lifeCsvRow(const TimelineEntry& line)
{
    return QStringList{csvTime(line.fromMs), line.lasting ? QString() : csvTime(line.toMs),
                       sortId(line.sort), quotedCsvCell(line.who), quotedCsvCell(line.text)}
        .join(QLatin1Char(','));
}

QString lifeCsv(const Timeline& life)
{
    QString out = lifeCsvHead() + QLatin1Char('\n');
    for (const TimelineEntry& line : life)
        out += lifeCsvRow(line) + QLatin1Char('\n');
    return out;
}

} // namespace lk
