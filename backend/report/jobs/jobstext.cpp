// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/jobs/jobsreport.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/errortext.h"
#include "backend/text/numbers/datasize.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::JobsReport)
};

constexpr int mostChars = 48; // of a cell; an error is longer
constexpr int errorChars = 120;

// One column of a table: its title, and a cell of a job. A column without a cell is left out.
struct TextColumn
{
    QString title;
    std::function<QString(const ReportedJob&)> cell;
    bool right = false;
};

QString ageText(std::optional<qint64> sinceMs, qint64 nowMs)
{
    return sinceMs ? formatDuration(std::max<qint64>(0, nowMs - *sinceMs)) : QString();
}

QString attemptsText(const JobFacts& facts)
{
    if (!facts.attempts)
        return {};
    const QString made = QLocale().toString(*facts.attempts);
    return facts.mostAttempts
               ? Text::tr("%1 of %2", "attempts").arg(made, QLocale().toString(*facts.mostAttempts))
               : made;
}

QString leaseText(const JobFacts& facts)
{
    if (!facts.leaseAlive)
        return {};
    return *facts.leaseAlive ? Text::tr("alive", "a worker's lease")
                             : Text::tr("gone", "a worker's lease");
}

// isOfSeveral: of several keys, in each of which --index counts anew; --from names it.
std::vector<TextColumn> columnsOf(JobRole role, bool isOfSeveral, qint64 nowMs)
{
    std::vector<TextColumn> all{
        {QStringLiteral("#"),
         [](const ReportedJob& r) { return r.number > 0 ? QString::number(r.number) : QString(); },
         true},
        {Text::tr("ID"),
         [](const ReportedJob& r) {
             return r.job.facts.id.isEmpty()
                        ? QStringLiteral("%1").arg(r.job.fingerprint, 16, 16, QLatin1Char('0'))
                        : displayPreview(r.job.facts.id, mostChars);
         }},
        {Text::tr("Name"),
         [](const ReportedJob& r) { return displayPreview(r.job.facts.name, mostChars); }},
        {Text::tr("Worker"),
         [](const ReportedJob& r) { return displayPreview(r.job.facts.worker, mostChars); }}};
    const auto age = [&](const QString& title, std::optional<qint64> JobFacts::*moment) {
        all.push_back(
            {title,
             [moment, nowMs](const ReportedJob& r) { return ageText(r.job.facts.*moment, nowMs); },
             true});
    };
    age(Text::tr("Enqueued"), &JobFacts::enqueuedMs);
    if (role == JobRole::Processing) {
        age(Text::tr("In progress for"), &JobFacts::startedMs);
        all.push_back(
            {Text::tr("Lease"), [](const ReportedJob& r) { return leaseText(r.job.facts); }});
    } else if (role == JobRole::Delayed) {
        all.push_back({Text::tr("Due in"),
                       [nowMs](const ReportedJob& r) {
                           return r.job.facts.dueMs ? dueText(*r.job.facts.dueMs, nowMs)
                                                    : QString();
                       },
                       true});
    } else if (role == JobRole::Dead || role == JobRole::Done) {
        age(Text::tr("Finished"), &JobFacts::finishedMs);
    }
    all.push_back({Text::tr("Attempts"),
                   [](const ReportedJob& r) { return attemptsText(r.job.facts); }, true});
    all.push_back(
        {Text::tr("Payload"), [](const ReportedJob& r) { return dataSizeText(r.job.size); }, true});
    if (isOfSeveral)
        all.push_back({Text::tr("Key (--from)"),
                       [](const ReportedJob& r) { return displayName(r.job.key); }});
    all.push_back({Text::tr("Error"), [](const ReportedJob& r) {
                       return displayPreview(r.job.facts.error, errorChars);
                   }});
    return all;
}

QString padded(const QString& text, int width, bool right)
{
    return right ? text.rightJustified(width) : text.leftJustified(width);
}

void writeLine(QIODevice& out, QString line)
{
    while (line.endsWith(QLatin1Char(' ')))
        line.chop(1);
    out.write(line.toUtf8() + '\n');
}

void writePayload(QIODevice& out, const ReportedJob& reported)
{
    if (!reported.payload)
        return;
    for (const QByteArray& line : reported.payload->split('\n'))
        writeLine(out, QStringLiteral("      ") + exactName(line));
    if (reported.payloadCut)
        writeLine(out,
                  QStringLiteral("      ") +
                      Text::tr("\u2026 cut after %1").arg(dataSizeText(reported.payload->size())));
}

bool isOfSeveralKeys(const ReportedState& state)
{
    return std::any_of(state.jobs.begin(), state.jobs.end(), [&](const ReportedJob& job) {
        return job.job.key != state.jobs.front().job.key;
    });
}

void writeTable(QIODevice& out, const ReportedState& state, qint64 nowMs)
{
    std::vector<TextColumn> columns = columnsOf(state.state.role, isOfSeveralKeys(state), nowMs);
    std::erase_if(columns, [&](const TextColumn& column) {
        return std::all_of(state.jobs.begin(), state.jobs.end(),
                           [&](const ReportedJob& job) { return column.cell(job).isEmpty(); });
    });
    std::vector<int> widths;
    QString heading;
    for (const TextColumn& column : columns) {
        int width = int(column.title.size());
        for (const ReportedJob& job : state.jobs)
            width = std::max(width, int(column.cell(job).size()));
        widths.push_back(width);
        heading += QStringLiteral("  ") + padded(column.title, width, column.right);
    }
    writeLine(out, QStringLiteral("  ") + heading);
    for (const ReportedJob& job : state.jobs) {
        QString line;
        for (size_t i = 0; i < columns.size(); ++i) {
            const QString cell = columns[i].cell(job);
            line += QStringLiteral("  ") + padded(cell.isEmpty() ? QStringLiteral("-") : cell,
                                                  widths[i], columns[i].right);
        }
        writeLine(out, QStringLiteral("  ") + line);
        writePayload(out, job);
    }
}

QString countText(std::optional<qint64> count)
{
    return count ? QLocale().toString(*count) : QStringLiteral("?");
}

QString headingOf(const ReportedState& state, bool grep)
{
    const QString name = displayName(state.state.name);
    const QString shown = QLocale().toString(qint64(state.jobs.size()));
    const QString scanned = QLocale().toString(state.scanned);
    if (state.problem)
        return Text::tr("%1: could not be read: %2").arg(name, errorText(*state.problem));
    if (grep && state.complete)
        return Text::tr("%1: %2 found, all %3 jobs searched").arg(name, shown, scanned);
    if (grep)
        return Text::tr("%1: %2 found, %3 of %4 jobs searched")
            .arg(name, shown, scanned, countText(state.state.count));
    if (state.complete)
        return Text::tr("%1: %Ln job(s)", nullptr, int(state.jobs.size())).arg(name);
    return Text::tr("%1: the first %2 of %3 jobs").arg(name, shown, countText(state.state.count));
}

} // namespace

void writeJobsReport(const JobsReport& report, QIODevice& out)
{
    const State& state = *report.queue;
    const auto& queue = state.body.get<QueueState>();
    const Primitive& primitive = *state.primitive;
    writeLine(out, Text::tr("Queue %1, %2")
                       .arg(displayName(primitive.name()), layoutTitle(primitive.id.layout)));
    QStringList counts;
    for (const JobState& jobs : queue.states)
        counts << QStringLiteral("%1 %2").arg(displayName(jobs.name), countText(jobs.count));
    if (queue.paused)
        counts
            << (queue.pausedSinceMs
                    ? Text::tr("paused since %1").arg(sinceText(*queue.pausedSinceMs, state.asOfMs))
                    : Text::tr("paused"));
    if (const auto lateMs = overdueMs(queue, state.asOfMs))
        counts << Text::tr("%1 overdue, the first by %2")
                      .arg(countText(queue.due.overdue), formatDuration(*lateMs));
    writeLine(out, QStringLiteral("  ") + counts.join(QStringLiteral(", ")));
    for (const ReportedState& each : report.states) {
        if (each.state.count == 0 && each.jobs.empty() && !each.problem && report.states.size() > 1)
            continue; // the counts say so
        writeLine(out, headingOf(each, !report.grep.isEmpty()));
        if (!each.jobs.empty())
            writeTable(out, each, state.asOfMs);
    }
}

} // namespace lk
