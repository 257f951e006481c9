// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/jobs/jobmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/text/numbers/datasize.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
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

bool isRight(int column)
{
    return column == JobModel::NumberColumn || column == JobModel::SizeColumn ||
           column == JobModel::AttemptsColumn;
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

void JobModel::setList(const List& list)
{
    const bool another = list.role != m_list.role;
    m_list = list;
    if (another)
        emit headerDataChanged(Qt::Horizontal, 0, ColumnTotal - 1);
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
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, ColumnTotal - 1));
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
    if (m_rows > 0)
        emit dataChanged(index(0, 0), index(m_rows - 1, ColumnTotal - 1));
}

const QueueJob* JobModel::job(int row) const
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

QString JobModel::toolTip(const QueueJob& job, int column) const
{
    const JobFacts& facts = job.facts;
    if (column == TimeColumn && m_list.role == JobRole::Delayed && facts.dueMs)
        return tr("Due at %1").arg(momentText(*facts.dueMs));
    if (column == TimeColumn && m_list.role == JobRole::Processing && !facts.startedMs &&
        job.firstSeenMs)
        return tr("First seen in progress %1 ago, at %2. Jobs in a list have no timestamp of "
                  "their own.")
            .arg(formatDuration(m_list.nowMs - *job.firstSeenMs), momentText(*job.firstSeenMs));
    if (column == TimeColumn && sinceMs(job)) {
        const QString moment = momentText(*sinceMs(job));
        return isStuck(job) && m_list.stuckByLibrary
                   ? tr("Since %1. The lease that its worker must renew has expired.").arg(moment)
                   : tr("Since %1").arg(moment);
    }
    if (column == PayloadColumn && !job.preview.isEmpty())
        return tr("%1\nin %2").arg(displayPreview(job.preview, 400), displayPreview(job.key, 120));
    if (column == ErrorColumn && !facts.error.isEmpty())
        return displayPreview(facts.error, 400);
    return {};
}

QString JobModel::text(const QueueJob& job, int column) const
{
    const auto shown = [](const QByteArray& bytes) {
        return bytes.isEmpty() ? unknown() : displayPreview(bytes, previewChars);
    };
    switch (column) {
    case IdColumn:
        return shown(job.facts.id);
    case NameColumn:
        return shown(job.facts.name);
    case TimeColumn:
        return timeText(job);
    case WorkerColumn:
        return shown(job.facts.worker);
    case AttemptsColumn:
        return attemptsText(job.facts);
    case SizeColumn:
        return dataSizeText(job.size);
    case ErrorColumn:
        return shown(job.facts.error);
    default:
        return displayPreview(job.preview, previewChars);
    }
}

int JobModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int JobModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant JobModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const int column = index.column();
    if (role == Qt::FontRole &&
        (column == PayloadColumn || column == IdColumn || column == WorkerColumn))
        return monoFont(TextSize::Body);
    if (role == Qt::TextAlignmentRole && isRight(column))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::DisplayRole && column == NumberColumn)
        return QLocale().toString(place(index.row()) + 1);
    const QueueJob* known = job(index.row());
    if (!known)
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("\u2026")) : QVariant();
    if (role == Qt::DecorationRole && column == TimeColumn && isStuck(*known))
        return healthIcon(Health::Error, QGuiApplication::palette());
    if (role == Qt::ToolTipRole) {
        const QString tip = toolTip(*known, column);
        return tip.isEmpty() ? QVariant() : plainTip(tip);
    }
    return role == Qt::DisplayRole ? QVariant(text(*known, column)) : QVariant();
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isRight(section))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NumberColumn:
        return tr("No.");
    case IdColumn:
        return tr("ID");
    case NameColumn:
        return tr("Name");
    case TimeColumn:
        return m_list.role == JobRole::Delayed      ? tr("Due in")
               : m_list.role == JobRole::Processing ? tr("In progress for")
               : m_list.role == JobRole::Dead       ? tr("Since failure")
               : m_list.role == JobRole::Done       ? tr("Since finish")
                                                    : tr("Waiting for");
    case WorkerColumn:
        return tr("Worker");
    case AttemptsColumn:
        return tr("Attempts");
    case SizeColumn:
        return tr("Size");
    case ErrorColumn:
        return tr("Error");
    default:
        return tr("Payload");
    }
}

} // namespace lk
