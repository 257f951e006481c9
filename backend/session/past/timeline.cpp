// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/past/timeline.h"

#include "backend/acting/actioneffect.h"
#include "backend/acting/receipt.h"
#include "backend/core/names/keyname.h"
#include "backend/text/time/duration.h"

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
    Q_DECLARE_TR_FUNCTIONS(lk::TimelineEntry)
};

constexpr qint64 togetherMs = 60'000; // jobs that moved within this share a line
// Completed and delayed jobs are usual and recorded by the minute: an hour of them is one line.
constexpr qint64 usualTogetherMs = 300'000;
constexpr qint64 longestUsualMs = 3'600'000;
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

QString tokenEndText(const QByteArray& code)
{
    switch (eventCodeOf(code).value_or(EventCode::Gone)) {
    case EventCode::Expired:
        return Text::tr("expired");
    case EventCode::Consumed:
        return Text::tr("used");
    case EventCode::Revoked:
        return Text::tr("revoked");
    case EventCode::Removed:
        return Text::tr("removed: it was never issued");
    case EventCode::Again: // these do not belong to tokens
    case EventCode::Before:
    case EventCode::Gone:
        break;
    }
    return Text::tr("gone before its TTL ended: used, or deleted by another client");
}

QString pausedText(const RecordedEvent& event, const QString& age)
{
    const std::optional<EventCode> code = eventCodeOf(event.code);
    if (event.type == EventType::PausedBegan)
        return code == EventCode::Before ? Text::tr("already paused when first read")
                                         : Text::tr("paused");
    if (code == EventCode::Gone)
        return Text::tr("gone while paused, after %1").arg(age);
    return code == EventCode::Before ? Text::tr("resumed after at least %1").arg(age)
                                     : Text::tr("resumed after %1").arg(age);
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
        if (event.who.isEmpty())
            return withReason(Text::tr("another server answers at this address"), event.text);
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
    default:
        return Text::tr("an event recorded by a newer version");
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
        break;
    }
    // The text contains the reason.
    const QString of = event.detail.isEmpty() ? displayName(event.code)
                       : event.code.isEmpty()
                           ? event.detail
                           : Text::tr("%1 on %2").arg(displayName(event.code), event.detail);
    if (event.type == EventType::SilenceEnded)
        return withReason(Text::tr("alert no longer silenced: ended by %1").arg(event.who), of);
    const QString silenced =
        event.value > 0 ? Text::tr("alert silenced by %1 until %2")
                              .arg(event.who, momentText(qint64(event.value)))
                        : Text::tr("alert silenced by %1 until ended manually").arg(event.who);
    return withReason(withReason(silenced, of), event.text);
}

QString outcomeText(const QString& outcome)
{
    switch (outcomeFromId(outcome.toLatin1()).value_or(Outcome::Unknown)) {
    case Outcome::Succeeded:
        return Text::tr("succeeded");
    case Outcome::Conflict:
        return Text::tr("conflict");
    case Outcome::Refused:
        return Text::tr("refused");
    case Outcome::Unknown:
        break;
    }
    return Text::tr("outcome unknown");
}

QString actionText(const RecordedEvent& event)
{
    QString text = Text::tr("%1 by %2").arg(displayName(event.code), event.who);
    if (!event.detail.isEmpty())
        text += QStringLiteral(" (%1)").arg(outcomeText(event.detail));
    return withReason(text, event.text);
}

} // namespace

QString eventText(const RecordedEvent& event)
{
    const QString age = formatDuration(qint64(event.value));
    switch (event.type) {
    case EventType::PrimitiveSeen:
        return eventCodeOf(event.code) == EventCode::Again
                   ? Text::tr("detected again")
                   : Text::tr("detected for the first time");
    case EventType::PrimitiveGone:
        return Text::tr("gone: none of its keys exists any more");
    case EventType::StuckBegan:
        return Text::tr("%Ln job(s) stuck", nullptr, int(event.value));
    case EventType::StuckEnded:
        return Text::tr("no more stuck jobs, after %1").arg(age);
    case EventType::FullBegan:
        return Text::tr("at its limit");
    case EventType::FullEnded:
        return Text::tr("below its limit again, after %1").arg(age);
    case EventType::JobsMoved:
        return movedText(event.code, event.value);
    case EventType::PausedBegan:
    case EventType::PausedEnded:
        return pausedText(event, age);
    case EventType::TokenEnded:
        return tokenEndText(event.code);
    case EventType::HoldsOmitted:
        return Text::tr("%Ln shorter hold(s) not listed", nullptr, int(event.value));
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
    case EventType::SilenceEnded:
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
    case EventType::SilenceEnded:
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

QString endText(const HoldEnd& end)
{
    switch (end.way) {
    case HoldEnd::Way::Open:
        return Text::tr("still held when last seen");
    case HoldEnd::Way::Unseen:
        return Text::tr("its end was not observed");
    case HoldEnd::Way::Expired:
        return Text::tr("expired");
    case HoldEnd::Way::Released:
        return Text::tr("released");
    case HoldEnd::Way::TakenOver:
        return end.next ? QString() : Text::tr("taken over by another owner");
    case HoldEnd::Way::ByOperator:
        break;
    }
    const bool released = effectOf(end.action->code) == ActionEffect::Releases;
    return withReason(released ? Text::tr("released by operator %1").arg(end.action->who)
                               : Text::tr("ended by operator %1 (%2)")
                                     .arg(end.action->who, displayName(end.action->code)),
                      end.action->text);
}

QString nextText(const HoldEnd& end)
{
    const QString owner = ownerText(*end.next);
    return end.nextAfterMs == 0
               ? Text::tr("taken over by %1").arg(owner)
               : Text::tr("taken over by %1 %2 later").arg(owner, formatDuration(end.nextAfterMs));
}

TimelineEntry lineOf(const RecordedHold& hold, const HoldEnd& end)
{
    TimelineEntry line{hold.fromMs, hold.toMs, hold.open, TimeMark::Sort::Change, {}, {}};
    if (end.action) // it may have been read later
        line.toMs = std::clamp(end.action->tMs, hold.fromMs, std::max(hold.fromMs, hold.toMs));
    line.who = hold.owner.isEmpty() ? QString() : displayPreview(hold.owner, longestOwner);
    const QString age = formatDuration(line.toMs - line.fromMs);
    QStringList parts{hold.fromKnown
                          ? Text::tr("held by %1 for %2").arg(ownerText(hold.owner), age)
                          : Text::tr("held by %1 for at least %2").arg(ownerText(hold.owner), age)};
    if (hold.renewals > 0)
        parts << Text::tr("renewed %Ln time(s)", nullptr, hold.renewals);
    if (hold.noTtl)
        parts << Text::tr("without a TTL");
    if (const QString text = endText(end); !text.isEmpty())
        parts << text;
    line.text = parts.join(QStringLiteral(", "));
    if (end.next)
        line.text += QStringLiteral("; ") + nextText(end);
    return line;
}

QString gapText(const RecordedGap& gap)
{
    const QString age = formatDuration(gap.toMs - gap.fromMs);
    switch (gap.reason) {
    case GapReason::Paused:
        return Text::tr("not recorded for %1: polling was paused").arg(age);
    case GapReason::Lost:
        return Text::tr("not recorded for %1: no connection to the server").arg(age);
    case GapReason::Disk:
        return Text::tr("not recorded for %1: the file could not be written").arg(age);
    case GapReason::Crash:
        return Text::tr("not recorded for %1: the program that recorded was killed or crashed")
            .arg(age);
    case GapReason::None:
        return Text::tr("not recorded for %1: the recording begins later").arg(age);
    case GapReason::Stopped:
        break;
    }
    return Text::tr("not recorded for %1: recording was off").arg(age);
}

bool isOneWith(const TimelineEntry& line, const RecordedEvent& event)
{
    return event.code == jobRoleId(JobRole::Dead) ? event.tMs - line.toMs <= togetherMs
                                                  : event.tMs - line.toMs <= usualTogetherMs &&
                                                        event.tMs - line.fromMs <= longestUsualMs;
}

bool isCounted(EventType type)
{
    return type == EventType::JobsMoved || type == EventType::HoldsOmitted;
}

qint64 endOf(const RecordedEvent& event)
{
    return event.type == EventType::HoldsOmitted ? std::max(event.tMs, event.detail.toLongLong())
                                                 : event.tMs;
}

/// Merges events that are recorded by the minute into one line.
class CountedLines
{
public:
    /// Returns true if an existing line includes the event.
    bool add(Timeline& lines, const RecordedEvent& event)
    {
        const bool omitted = event.type == EventType::HoldsOmitted;
        const QByteArray of = omitted ? QByteArray() : event.code; // the jobs' state
        const auto known = m_counted.find(of);
        if (known == m_counted.end() || !isOneWith(lines[known->second.line], event)) {
            m_counted[of] = {lines.size(), event};
            return false;
        }
        auto& [number, sum] = known->second;
        sum.value += event.value;
        TimelineEntry& line = lines[number];
        line.toMs = std::max(line.toMs, endOf(event));
        line.text = eventText(sum);
        return true;
    }

private:
    struct Counted
    {
        size_t line;
        RecordedEvent sum;
    };
    std::map<QByteArray, Counted> m_counted;
};

} // namespace

Timeline lifeOf(const RecordedLife& life)
{
    Timeline lines;
    for (size_t i = 0; i < life.holds.size(); ++i)
        lines.push_back(lineOf(life.holds[i], life.ends[i]));
    for (const RecordedGap& gap : life.gaps)
        lines.push_back({gap.fromMs, gap.toMs, false, TimeMark::Sort::Gap, gapText(gap), {}});
    CountedLines counted;
    for (const RecordedEvent& event : life.events) {
        if (!isCounted(event.type) || !counted.add(lines, event))
            lines.push_back(
                {event.tMs, endOf(event), false, markOf(event).sort, eventText(event), event.who});
    }
    std::ranges::stable_sort(lines, {}, &TimelineEntry::fromMs);
    return lines;
}

} // namespace lk
