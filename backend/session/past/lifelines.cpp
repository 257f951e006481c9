// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/lifelines.h"

#include "backend/core/names/keyname.h"
#include "backend/text/duration.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::LifeLine)
};

constexpr qint64 togetherMs = 60'000; // jobs that moved within that are told as one
constexpr qint64 sameEndMs = 5000;    // an end is told a little after it was
constexpr int longestOwner = 80;

QString ownerText(const QByteArray& owner)
{
    return owner.isEmpty() ? Text::tr("an owner that is not stored")
                           : displayPreview(owner, longestOwner);
}

QString withReason(const QString& text, const QString& reason)
{
    return reason.isEmpty() ? text : Text::tr("%1: %2").arg(text, reason);
}

QString endText(const RecordedEvent& event)
{
    const QString who = event.who.isEmpty() ? Text::tr("an owner that is not stored") : event.who;
    const QString age = formatDuration(qint64(event.value));
    if (event.code == "released")
        return Text::tr("released by %1 after %2").arg(who, age);
    if (event.code == "expired")
        return Text::tr("the lease of %1 ran out after %2").arg(who, age);
    if (event.code == "taken")
        return Text::tr("taken from %1 after %2").arg(who, age);
    return Text::tr("the hold of %1 ended unseen, after at least %2").arg(who, age);
}

QString tokenEndText(const QByteArray& code)
{
    if (code == "expired")
        return Text::tr("expired");
    if (code == "consumed")
        return Text::tr("used");
    if (code == "revoked")
        return Text::tr("revoked");
    if (code == "removed")
        return Text::tr("removed: it was never issued");
    return Text::tr("gone before its TTL ended: used, or deleted by another client");
}

// "+12 waiting"
QString movedText(const QByteArray& state, double by)
{
    const QString count = QLocale().toString(qint64(std::llround(std::abs(by))));
    return by >= 0 ? Text::tr("%1 more jobs %2").arg(count, displayName(state))
                   : Text::tr("%1 fewer jobs %2").arg(count, displayName(state));
}

QString findingText(const RecordedEvent& event)
{
    return event.text.isEmpty() ? displayName(event.code) : event.text;
}

QString serverText(const RecordedEvent& event)
{
    switch (event.type) {
    case EventType::ServerLost:
        return withReason(Text::tr("connection lost"), event.text);
    case EventType::ServerBack:
        return Text::tr("reconnected");
    case EventType::ServerRestarted:
        return withReason(Text::tr("the server restarted"), event.text);
    case EventType::Failover:
        return event.detail.isEmpty()
                   ? Text::tr("failover: the master is %1").arg(event.who)
                   : Text::tr("failover: the master is %1, it was %2").arg(event.who, event.detail);
    case EventType::RoleChanged:
        return Text::tr("the server is now a %1").arg(displayName(event.code));
    case EventType::ConfigChanged:
        return Text::tr("configuration changed: %1")
            .arg(displayName(event.code) +
                 (event.text.isEmpty() ? QString() : QStringLiteral(" = ") + event.text));
    case EventType::NodeLost:
        return Text::tr("node %1 does not answer").arg(event.who);
    case EventType::NodeBack:
        return Text::tr("node %1 answers again").arg(event.who);
    case EventType::RecordingBegan:
        return Text::tr("recording began");
    default:
        return Text::tr("recording ended");
    }
}

QString alertText(const RecordedEvent& event)
{
    const QString what = event.text.isEmpty() ? displayName(event.code) : event.text;
    switch (event.type) {
    case EventType::AlertFired:
        return Text::tr("alert: %1").arg(what);
    case EventType::AlertResolved:
        return Text::tr("alert resolved: %1").arg(what);
    case EventType::AlertAcknowledged:
        return Text::tr("alert acknowledged by %1: %2").arg(event.who, what);
    default:
        return Text::tr("alert silenced by %1 until %2: %3")
            .arg(event.who, momentText(qint64(event.value)), what);
    }
}

QString actionText(const RecordedEvent& event)
{
    QString text = Text::tr("%1 by %2").arg(displayName(event.code), event.who);
    if (!event.detail.isEmpty())
        text += QStringLiteral(" (%1)").arg(event.detail);
    return withReason(text, event.text);
}

} // namespace

QString eventText(const RecordedEvent& event)
{
    const QString age = formatDuration(qint64(event.value));
    switch (event.type) {
    case EventType::PrimitiveSeen:
        return event.code == "again" ? Text::tr("detected again")
                                     : Text::tr("detected for the first time");
    case EventType::PrimitiveGone:
        return Text::tr("gone: none of its keys exists any more");
    case EventType::HoldBegan:
        return Text::tr("taken by %1")
            .arg(event.who.isEmpty() ? Text::tr("an owner that is not stored") : event.who);
    case EventType::HoldEnded:
        return endText(event);
    case EventType::StuckBegan:
        return Text::tr("%Ln job(s) stuck", nullptr, int(event.value));
    case EventType::StuckEnded:
        return Text::tr("no stuck jobs any more, after %1").arg(age);
    case EventType::FullBegan:
        return Text::tr("at its limit");
    case EventType::FullEnded:
        return Text::tr("below its limit again, after %1").arg(age);
    case EventType::JobsMoved:
        return movedText(event.code, event.value);
    case EventType::PausedBegan:
        return Text::tr("paused");
    case EventType::PausedEnded:
        return Text::tr("resumed");
    case EventType::TokenEnded:
        return tokenEndText(event.code);
    case EventType::FindingOpened:
        return Text::tr("finding: %1").arg(findingText(event));
    case EventType::FindingClosed:
        return Text::tr("resolved after %1: %2").arg(age, findingText(event));
    case EventType::Action:
        return actionText(event);
    case EventType::AlertFired:
    case EventType::AlertResolved:
    case EventType::AlertAcknowledged:
    case EventType::AlertSilenced:
        return alertText(event);
    default:
        return serverText(event);
    }
}

TimeMark markOf(const RecordedEvent& event)
{
    TimeMark mark{event.tMs, event.tMs,       TimeMark::Sort::Change,
                  false,     event.primitive, eventText(event)};
    switch (event.type) {
    case EventType::Action:
        mark.sort = TimeMark::Sort::Action;
        break;
    case EventType::FindingClosed:
        mark.resolves = true;
        [[fallthrough]];
    case EventType::FindingOpened:
    case EventType::StuckBegan:
        mark.sort = TimeMark::Sort::Finding;
        break;
    case EventType::AlertResolved:
        mark.resolves = true;
        [[fallthrough]];
    case EventType::AlertFired:
    case EventType::AlertAcknowledged:
    case EventType::AlertSilenced:
        mark.sort = TimeMark::Sort::Alert;
        break;
    case EventType::ServerBack:
    case EventType::NodeBack:
        mark.resolves = true;
        [[fallthrough]];
    case EventType::ServerLost:
    case EventType::ServerRestarted:
    case EventType::Failover:
    case EventType::RoleChanged:
    case EventType::ConfigChanged:
    case EventType::NodeLost:
        mark.sort = TimeMark::Sort::Server;
        break;
    default:
        break;
    }
    return mark;
}

namespace {

// How a hold ended, where that was seen: its own event tells.
QString endOf(const RecordedHold& hold, const std::vector<RecordedEvent>& events)
{
    const auto end = std::ranges::find_if(events, [&](const RecordedEvent& event) {
        return event.type == EventType::HoldEnded && std::abs(event.tMs - hold.toMs) <= sameEndMs &&
               event.who == displayName(hold.owner);
    });
    const QByteArray code = end == events.end() ? QByteArray() : end->code;
    if (!hold.endKnown || code == "unseen")
        return Text::tr("its end was not seen");
    if (code == "expired")
        return Text::tr("its lease ran out");
    if (code == "taken")
        return Text::tr("taken over by the next owner");
    if (code.isEmpty() && hold.leaseEndMs && *hold.leaseEndMs <= hold.toMs)
        return Text::tr("its lease ran out");
    return Text::tr("released");
}

LifeLine lineOf(const RecordedHold& hold, const std::vector<RecordedEvent>& events)
{
    LifeLine line{hold.fromMs, hold.toMs, hold.open, TimeMark::Sort::Change, {}, {}};
    line.who = hold.owner.isEmpty() ? QString() : displayPreview(hold.owner, longestOwner);
    const QString age = formatDuration(hold.toMs - hold.fromMs);
    QStringList parts{hold.fromKnown
                          ? Text::tr("held by %1 for %2").arg(ownerText(hold.owner), age)
                          : Text::tr("held by %1 for at least %2").arg(ownerText(hold.owner), age)};
    if (hold.renewals > 0)
        parts << Text::tr("renewed %Ln time(s)", nullptr, hold.renewals);
    if (hold.noTtl)
        parts << Text::tr("without a TTL");
    if (hold.open)
        parts << Text::tr("still held when last seen");
    else if (const QString end = endOf(hold, events); !end.isEmpty())
        parts << end;
    line.text = parts.join(QStringLiteral(", "));
    return line;
}

bool isPartOfHold(const RecordedEvent& event)
{
    return event.type == EventType::HoldBegan || event.type == EventType::HoldEnded;
}

} // namespace

LifeLines lifeOf(const std::vector<RecordedHold>& holds, const std::vector<RecordedEvent>& events,
                 const std::vector<RecordedGap>& gaps)
{
    LifeLines lines;
    for (const RecordedHold& hold : holds)
        lines.push_back(lineOf(hold, events));
    for (const RecordedGap& gap : gaps)
        lines.push_back({gap.fromMs,
                         gap.toMs,
                         false,
                         TimeMark::Sort::Gap,
                         Text::tr("not recorded for %1").arg(formatDuration(gap.toMs - gap.fromMs)),
                         {}});
    struct Moving
    {
        size_t line;
        double by;
    };
    std::map<QByteArray, Moving> moving; // by the jobs' state
    for (const RecordedEvent& event : events) {
        if (!holds.empty() && isPartOfHold(event))
            continue;
        if (event.type == EventType::JobsMoved) {
            const auto known = moving.find(event.code);
            if (known != moving.end() && event.tMs - lines[known->second.line].toMs <= togetherMs) {
                LifeLine& line = lines[known->second.line];
                known->second.by += event.value;
                line.toMs = event.tMs;
                line.text = movedText(event.code, known->second.by);
                continue;
            }
            moving[event.code] = {lines.size(), event.value};
        }
        lines.push_back(
            {event.tMs, event.tMs, false, markOf(event).sort, eventText(event), event.who});
    }
    std::ranges::stable_sort(lines, {}, &LifeLine::fromMs);
    return lines;
}

QString lifeTimeText(const LifeLine& line, bool withDate)
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

QString lifeText(const QString& heading, const LifeLines& life)
{
    QStringList lines{heading};
    for (const LifeLine& line : life)
        lines << lifeTimeText(line, true) + QStringLiteral("  ") + line.text;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

namespace {

QString cell(QString text)
{
    // A spreadsheet runs what begins with one of these.
    static const QString formula = QStringLiteral("=+-@\t\r");
    if (!text.isEmpty() && formula.contains(text.front()))
        text.prepend(QLatin1Char('\''));
    return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
           QLatin1Char('"');
}

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

QString utc(qint64 tMs)
{
    return QDateTime::fromMSecsSinceEpoch(tMs, Qt::UTC).toString(Qt::ISODateWithMs);
}

} // namespace

QString lifeCsv(const LifeLines& life)
{
    QString out = QStringLiteral("from_utc,to_utc,sort,who,what\n");
    for (const LifeLine& line : life) {
        out += QStringList{utc(line.fromMs), line.lasting ? QString() : utc(line.toMs),
                           sortId(line.sort), cell(line.who), cell(line.text)}
                   .join(QLatin1Char(',')) +
               QLatin1Char('\n');
    }
    return out;
}

} // namespace lk
