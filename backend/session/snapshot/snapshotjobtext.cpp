// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/snapshot/snapshotjobtext.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/text/errortext.h"
#include "backend/text/jobstatetitle.h"
#include "backend/text/numbers/datasize.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QIODevice>
#include <QLocale>

#include <algorithm>
#include <climits>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SnapshotText)
};

QString headingOf(const JobState& state)
{
    if (state.name == "in-progress")
        return Text::tr("in progress, oldest first");
    if (state.name == "waiting")
        return Text::tr("waiting, next first");
    if (state.name == "delayed")
        return Text::tr("delayed, due first");
    if (state.name == "dead-lettered")
        return Text::tr("dead-lettered, oldest first");
    return jobStateTitle(state);
}

void writeLine(QIODevice& out, const QString& text)
{
    out.write(QByteArrayLiteral("    ") + text.toUtf8() + '\n');
}

QString jobText(const QueueJob& job, qint64 nowMs)
{
    QString text = QStringLiteral("%1, %2").arg(
        dataSizeText(job.size),
        Text::tr("digest %1").arg(job.fingerprint, 16, 16, QLatin1Char('0')));
    if (job.facts.dueMs)
        text += QStringLiteral(", ") +
                (*job.facts.dueMs <= nowMs
                     ? Text::tr("due now")
                     : Text::tr("due in %1").arg(formatDuration(*job.facts.dueMs - nowMs)));
    return text;
}

// The keys of that role, where there are several: --index counts in one of them, which --from
// names.
std::vector<QByteArray> keysToTellApart(const State& state, const QByteArray& role)
{
    std::vector<QByteArray> keys;
    for (const KeyRole& key : state.primitive->keys) {
        if (key.role == role && !key.key.isEmpty())
            keys.push_back(key.key);
    }
    return keys.size() > 1 ? keys : std::vector<QByteArray>();
}

void writeNumbered(QIODevice& out, const QString& heading, const std::vector<QueueJob>& jobs,
                   const std::optional<QByteArray>& key, qint64 nowMs)
{
    int number = 0;
    for (const QueueJob& job : jobs) {
        if (key && job.key != *key)
            continue;
        if (++number == 1)
            writeLine(out, heading + QLatin1Char(':'));
        writeLine(out, QStringLiteral("%1. %2").arg(number, 3).arg(jobText(job, nowMs)));
    }
}

void writeList(QIODevice& out, const State& state, const JobState& jobs,
               const std::vector<QueueJob>& listed)
{
    const QString heading = headingOf(jobs);
    const std::vector<QByteArray> keys = keysToTellApart(state, jobRoleId(jobs.role));
    for (const QByteArray& key : keys)
        writeNumbered(out, Text::tr("%1 (--from %2)").arg(heading, displayName(key)), listed, key,
                      state.asOfMs);
    if (keys.empty())
        writeNumbered(out, heading, listed, std::nullopt, state.asOfMs);
}

} // namespace

void writeJobsText(QIODevice& out, const State& state, const std::vector<ListedJobs>& lists)
{
    const auto* queue = state.as<QueueState>();
    if (!queue || queue->states.empty() || state.problem)
        return;
    QStringList counts;
    for (const JobState& s : queue->states)
        counts << QStringLiteral("%1 %2").arg(
            displayName(s.name), s.count ? QLocale().toString(*s.count) : QStringLiteral("\u2013"));
    writeLine(out, Text::tr("%1, jobs: %2")
                       .arg(shownName(*state.primitive), counts.join(QStringLiteral(", "))));
    for (const JobState& s : queue->states) {
        if (s.role == JobRole::Processing) {
            writeList(out, state, s, queue->items);
            if (queue->itemsTruncated && !queue->items.empty())
                writeLine(out, QStringLiteral("     ") + Text::tr("… and more"));
            continue;
        }
        const auto list = std::find_if(lists.begin(), lists.end(), [&](const ListedJobs& l) {
            return l.queue == state.primitive && l.page.state == s.name;
        });
        if (list == lists.end())
            continue;
        if (list->page.problem) {
            writeLine(out, Text::tr("%1: could not be read: %2")
                               .arg(headingOf(s), errorText(*list->page.problem)));
            continue;
        }
        writeList(out, state, s, list->page.jobs);
        const qint64 more = s.count.value_or(0) - qint64(list->page.jobs.size());
        if (more > 0 && !list->page.jobs.empty())
            writeLine(out,
                      QStringLiteral("     ") +
                          Text::tr("… and %n more", nullptr, int(std::min<qint64>(more, INT_MAX))));
    }
}

} // namespace lk
