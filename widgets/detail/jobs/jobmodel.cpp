// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/jobmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/text/numbers/datasize.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"

#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

constexpr int previewChars = 160;
constexpr qint64 mostRows = 5'000'000; // a view counts its pixels in an int
constexpr int mostKept = 3000;         // jobs that were read
constexpr int keptAround = 1000;       // rows, of those that were read last

QString unknown()
{
    return QStringLiteral("\u2013");
}

QString shown(const QByteArray& bytes)
{
    return bytes.isEmpty() ? unknown() : displayPreview(bytes, previewChars);
}

QString timeTitle(JobRole role)
{
    switch (role) {
    case JobRole::Delayed:
        return JobModel::tr("Due in");
    case JobRole::Processing:
        return JobModel::tr("In progress for");
    case JobRole::Dead:
        return JobModel::tr("Since failure");
    case JobRole::Done:
        return JobModel::tr("Since finish");
    default:
        return JobModel::tr("Waiting for");
    }
}

QString attemptsText(const JobFacts& facts)
{
    if (!facts.attempts)
        return unknown();
    const QString made = QLocale().toString(*facts.attempts);
    return facts.mostAttempts
               ? QStringLiteral("%1 / %2").arg(made, QLocale().toString(*facts.mostAttempts))
               : made;
}

} // namespace

JobModel::JobModel(QObject* parent)
    : ColumnModel({}, parent)
{
    setColumns(columnsOf(m_list.role));
}

void JobModel::setList(const List& list)
{
    if (std::exchange(m_list, list).role != list.role)
        setColumns(columnsOf(list.role));
    reportChanged(0, m_rows - 1);
}

// Adds or removes rows at the end; then all rows have new data.
void JobModel::setRowTotal(int rows)
{
    if (rows > m_rows) {
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    } else if (rows < m_rows) {
        beginRemoveRows({}, rows, m_rows - 1);
        m_rows = rows;
        m_jobs.removeIf([rows](const auto& entry) { return entry.key() >= rows; });
        endRemoveRows();
    }
}

void JobModel::setJobs(const List& list, const std::vector<QueueJob>& jobs,
                       const std::vector<qint64>& places)
{
    setRowTotal(int(jobs.size()));
    m_places = places;
    m_jobs.clear();
    for (size_t i = 0; i < jobs.size(); ++i)
        m_jobs.insert(int(i), jobs[i]);
    setList(list);
}

void JobModel::setPage(const List& list, qint64 total, const JobPage& page)
{
    const int first = int(std::min(page.offset, mostRows));
    const int end = first + int(page.jobs.size());
    const int least = page.jobs.empty() ? 0 : end;
    setRowTotal(std::max(int(std::clamp<qint64>(total, 0, mostRows)), least));
    const bool moved = std::any_of(page.jobs.begin(), page.jobs.end(), [&](const QueueJob& job) {
        const auto known = m_jobs.constFind(first + int(&job - page.jobs.data()));
        return known != m_jobs.cend() && known->fingerprint != job.fingerprint;
    });
    if (moved || !m_places.empty())
        m_jobs.clear();
    else if (m_jobs.size() > mostKept)
        m_jobs.removeIf([&](const auto& entry) {
            return entry.key() < first - keptAround || entry.key() > end + keptAround;
        });
    m_places.clear();
    for (size_t i = 0; i < page.jobs.size(); ++i)
        m_jobs.insert(first + int(i), page.jobs[i]);
    setList(list);
}

const QueueJob* JobModel::at(int row) const
{
    const auto it = m_jobs.constFind(row);
    return it == m_jobs.cend() ? nullptr : &*it;
}

qint64 JobModel::place(int row) const
{
    return size_t(row) < m_places.size() ? m_places[size_t(row)] : row;
}

int JobModel::firstUnread(int first, int last) const
{
    for (int row = std::max(first, 0); row <= std::min(last, m_rows - 1); ++row) {
        if (!m_jobs.contains(row))
            return row;
    }
    return -1;
}

std::vector<int> JobModel::rowsRead() const
{
    const QList<int> rows = m_jobs.keys();
    return {rows.begin(), rows.end()};
}

bool JobModel::says(JobColumn column) const
{
    const auto any = [this](auto has) { return std::any_of(m_jobs.cbegin(), m_jobs.cend(), has); };
    switch (column) {
    case IdColumn:
        return any([](const QueueJob& j) { return !j.facts.id.isEmpty(); });
    case NameColumn:
        return any([](const QueueJob& j) { return !j.facts.name.isEmpty(); });
    case WorkerColumn:
        return any([](const QueueJob& j) { return !j.facts.worker.isEmpty(); });
    case AttemptsColumn:
        return any([](const QueueJob& j) { return j.facts.attempts.has_value(); });
    case ErrorColumn:
        return any([](const QueueJob& j) { return !j.facts.error.isEmpty(); });
    case PayloadColumn:
        return m_jobs.isEmpty() || any([](const QueueJob& j) { return !j.preview.isEmpty(); });
    case TimeColumn:
        return m_list.role == JobRole::Processing || m_list.role == JobRole::Delayed ||
               any([this](const QueueJob& j) { return sinceMs(j).has_value(); });
    default:
        return true;
    }
}

bool JobModel::isStuck(const QueueJob& job) const
{
    if (m_list.role != JobRole::Processing)
        return false;
    if (m_list.stuckByLibrary)
        return job.facts.leaseAlive == false;
    return job.firstSeenMs && m_list.nowMs - *job.firstSeenMs >= m_list.stuckAfterMs;
}

// Returns when the job entered its state: the library's timestamp, or, for a job in progress
// without one, when it was first seen.
std::optional<qint64> JobModel::sinceMs(const QueueJob& job) const
{
    switch (m_list.role) {
    case JobRole::Processing:
        return job.facts.startedMs ? job.facts.startedMs : job.firstSeenMs;
    case JobRole::Dead:
    case JobRole::Done:
        return job.facts.finishedMs;
    default:
        return job.facts.enqueuedMs;
    }
}

QString JobModel::timeText(const QueueJob& job) const
{
    if (m_list.role == JobRole::Delayed) {
        if (!job.facts.dueMs)
            return unknown();
        return dueText(*job.facts.dueMs, m_list.nowMs);
    }
    const std::optional<qint64> since = sinceMs(job);
    const QString age =
        since ? formatDuration(std::max<qint64>(0, m_list.nowMs - *since)) : unknown();
    return isStuck(job) ? tr("%1, stuck").arg(age) : age;
}

QString JobModel::timeTip(const QueueJob& job) const
{
    if (m_list.role == JobRole::Delayed && job.facts.dueMs)
        return tr("Due at %1").arg(momentText(*job.facts.dueMs));
    if (m_list.role == JobRole::Processing && !job.facts.startedMs && job.firstSeenMs)
        return tr("First seen in progress %1 ago, at %2. Jobs in a list have no timestamp of "
                  "their own.")
            .arg(formatDuration(m_list.nowMs - *job.firstSeenMs), momentText(*job.firstSeenMs));
    const std::optional<qint64> since = sinceMs(job);
    if (!since)
        return {};
    return isStuck(job) && m_list.stuckByLibrary
               ? tr("Since %1. The lease that its worker must renew has expired.")
                     .arg(momentText(*since))
               : tr("Since %1").arg(momentText(*since));
}

RowColumns<QueueJob> JobModel::columnsOf(JobRole role) const
{
    return RowColumns<QueueJob>{
        {.title = tr("No."), .isNumber = true},
        {.title = tr("ID"),
         .text = [](const QueueJob& job) { return shown(job.facts.id); },
         .isMono = always<QueueJob>},
        {.title = tr("Name"), .text = [](const QueueJob& job) { return shown(job.facts.name); }},
        {.title = timeTitle(role),
         .text = [this](const QueueJob& job) { return timeText(job); },
         .icon =
             [this](const QueueJob& job) {
                 return isStuck(job) ? healthIcon(Health::Error, QGuiApplication::palette())
                                     : QIcon();
             },
         .tip = [this](const QueueJob& job) { return timeTip(job); }},
        {.title = tr("Worker"),
         .text = [](const QueueJob& job) { return shown(job.facts.worker); },
         .isMono = always<QueueJob>},
        {.title = tr("Attempts"),
         .text = [](const QueueJob& job) { return attemptsText(job.facts); },
         .isNumber = true},
        {.title = tr("Size"),
         .text = [](const QueueJob& job) { return dataSizeText(job.size); },
         .isNumber = true},
        {.title = tr("Payload"),
         .text = [](const QueueJob& job) { return displayPreview(job.preview, previewChars); },
         .isMono = always<QueueJob>,
         .tip =
             [](const QueueJob& job) {
                 return job.preview.isEmpty() ? QString()
                                              : tr("%1\nin %2")
                                                    .arg(displayPreview(job.preview, 400),
                                                         displayPreview(job.key, 120));
             }},
        {.title = tr("Error"),
         .text = [](const QueueJob& job) { return shown(job.facts.error); },
         .tip = [](const QueueJob& job) { return displayPreview(job.facts.error, 400); }}};
}

int JobModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

QVariant JobModel::data(const QModelIndex& index, int role) const
{
    if (role != Qt::DisplayRole || !index.isValid())
        return ColumnModel::data(index, role);
    if (index.column() == NumberColumn)
        return QLocale().toString(place(index.row()) + 1);
    return at(index.row()) ? ColumnModel::data(index, role) : QStringLiteral("\u2026");
}

} // namespace lk
