// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search/searchmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/text/kindtitles.h"
#include "backend/text/statewords.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QGuiApplication>
#include <QLocale>

namespace lk {

namespace {

constexpr int mostChars = 160;

QString plainText(const QAction& action)
{
    return action.text().remove(QLatin1Char('&')).remove(QChar(0x2026));
}

QString foundText(const SearchHit& hit)
{
    const QString what = displayPreview(hit.found, mostChars);
    switch (hit.by) {
    case SearchHit::By::Name:
        return SearchModel::tr("name");
    case SearchHit::By::Key:
        return SearchModel::tr("key %1").arg(what);
    case SearchHit::By::Client:
        return SearchModel::tr("client %1").arg(what);
    case SearchHit::By::Owner:
        return SearchModel::tr("owner %1").arg(what);
    case SearchHit::By::Worker:
        return SearchModel::tr("worker %1").arg(what);
    case SearchHit::By::Job:
        break;
    }
    return SearchModel::tr("job %1").arg(what);
}

QIcon iconOf(const SearchHit& hit, const QPalette& palette)
{
    using Verdict = Allowance::Verdict;
    // A client of its own may be refused where others pass.
    const bool isOfClient = hit.by == SearchHit::By::Client && hit.allowance && !hit.state->problem;
    if (isOfClient && hit.allowance->refuses())
        return healthIcon(std::max(hit.state->health, Health::Warning), palette);
    return isOfClient && hit.allowance->verdict == Verdict::Unknown
               ? unknownIcon(palette)
               : stateIcon(*hit.state, palette);
}

QString stateText(const SearchHit& hit)
{
    if (hit.allowance && !hit.state->problem)
        return allowanceText(*hit.allowance);
    const QString word = stateWord(*hit.state);
    const auto* lock = hit.state->as<LockState>();
    if (lock && lock->leaseMs && lock->phase == LockState::Phase::Held)
        return SearchModel::tr("%1, %2 left").arg(word, formatDuration(*lock->leaseMs));
    return word;
}

QSet<QByteArray> sharedLabelsOf(const SearchResults& results)
{
    QSet<QByteArray> known;
    QSet<QByteArray> shared;
    for (const SearchHit& hit : results.hits) {
        const QByteArray& label = *hit.state->primitive->label;
        (known.contains(label) ? shared : known).insert(label);
    }
    return shared;
}

} // namespace

QString allowanceText(const Allowance& allowance)
{
    const QLocale locale;
    const QString used =
        allowance.used ? locale.toString(*allowance.used) : QStringLiteral("\u2013");
    QString text =
        allowance.limit
            ? SearchModel::tr("%1 of %2 used").arg(used, locale.toString(*allowance.limit))
            : SearchModel::tr("%1 used, limit unknown").arg(used);
    if (!allowance.refuses())
        return text;
    if (allowance.freeInMs.value_or(0) > 0)
        return SearchModel::tr("%1, next free in %2")
            .arg(text, formatDuration(*allowance.freeInMs));
    return SearchModel::tr("%1, next free unknown").arg(text);
}

void SearchModel::setCommands(const QList<QAction*>& commands)
{
    beginResetModel();
    m_commands = QList<QPointer<QAction>>(commands.begin(), commands.end());
    endResetModel();
}

void SearchModel::setResults(SearchResultsPtr results)
{
    m_sharedLabels = results ? sharedLabelsOf(*results) : QSet<QByteArray>();

    const auto sameRows = [&] {
        return m_results && results && m_results->hits.size() == results->hits.size() &&
               std::equal(
                   results->hits.begin(), results->hits.end(), m_results->hits.begin(),
                   [](const SearchHit& a, const SearchHit& b) { return a.handle == b.handle; });
    };
    if (sameRows()) {
        m_results = std::move(results);
        if (rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnTotal - 1));
        return;
    }
    beginResetModel();
    m_results = std::move(results);
    endResetModel();
}

const SearchHit* SearchModel::hit(int row) const
{
    const int at = row - int(m_commands.size()) - int(m_jobs.size());
    if (at >= 0 && size_t(at) < hitCount())
        return &m_results->hits[size_t(at)];
    const auto [others, place] = otherAt(row);
    return others ? &others->results->hits[place] : nullptr;
}

std::pair<const SearchModel::Others*, size_t> SearchModel::otherAt(int row) const
{
    const int before = int(m_commands.size()) + int(m_jobs.size()) + int(hitCount());
    if (row < before)
        return {nullptr, 0};
    size_t at = size_t(row - before);
    for (const Others& others : m_others) {
        if (at < others.results->hits.size())
            return {&others, at};
        at -= others.results->hits.size();
    }
    return {nullptr, 0};
}

Session* SearchModel::otherOf(int row) const
{
    const Others* others = otherAt(row).first;
    return others ? others->session.data() : nullptr;
}

void SearchModel::setOthers(Session* session, SearchResultsPtr results)
{
    const auto it = std::find_if(m_others.begin(), m_others.end(),
                                 [&](const Others& others) { return others.session == session; });
    const bool known = it != m_others.end();
    if (!known && (!results || results->hits.empty()))
        return;
    const auto sameHits = [](const SearchResults& a, const SearchResults& b) {
        return std::equal(
            a.hits.begin(), a.hits.end(), b.hits.begin(), b.hits.end(),
            [](const SearchHit& x, const SearchHit& y) { return x.handle == y.handle; });
    };
    if (known && results && sameHits(*it->results, *results)) {
        it->results = std::move(results);
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnTotal - 1));
        return;
    }
    beginResetModel();
    if (known && results)
        it->results = std::move(results);
    else if (known)
        m_others.erase(it);
    else
        m_others.push_back({session, std::move(results)});
    endResetModel();
}

void SearchModel::setJobs(std::vector<FoundJob> jobs)
{
    if (jobs.empty() && m_jobs.empty())
        return;
    beginResetModel();
    m_jobs = std::move(jobs);
    endResetModel();
}

const FoundJob* SearchModel::job(int row) const
{
    const int at = row - int(m_commands.size());
    return at >= 0 && size_t(at) < m_jobs.size() ? &m_jobs[size_t(at)] : nullptr;
}

QAction* SearchModel::command(int row) const
{
    return m_commands.value(row).data();
}

int SearchModel::rowOf(Handle handle) const
{
    for (int row = 0; row < rowCount(); ++row) {
        if (hit(row) && !otherAt(row).first && hit(row)->handle == handle)
            return row;
    }
    return -1;
}

int SearchModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    size_t others = 0;
    for (const Others& other : m_others)
        others += other.results->hits.size();
    return int(m_commands.size()) + int(m_jobs.size()) + int(hitCount() + others);
}

int SearchModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnTotal);
}

QVariant SearchModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (index.column() == DeploymentColumn) {
        if (role != Qt::DisplayRole || command(index.row()))
            return {};
        const Session* other = otherOf(index.row());
        return other ? other->name() : m_frontName;
    }
    if (const SearchHit* found = hit(index.row()))
        return hitData(*found, index.column(), role);
    if (const FoundJob* found = job(index.row()))
        return jobData(*found, index.column(), role);
    const QAction* action = command(index.row());
    return action ? commandData(*action, index.column(), role) : QVariant();
}

QVariant SearchModel::commandData(const QAction& action, int column, int role) const
{
    if (role == Qt::DecorationRole && column == KindColumn)
        return icon(QStringLiteral("chevron-right"), ColorRole::Second, QGuiApplication::palette());
    if (role != Qt::DisplayRole)
        return {};
    if (column == KindColumn)
        return tr("Command");
    if (column == NameColumn)
        return plainText(action);
    return column == StateColumn ? action.shortcut().toString(QKeySequence::NativeText) : QString();
}

QVariant SearchModel::jobData(const FoundJob& job, int column, int role) const
{
    const QPalette palette = QGuiApplication::palette();
    const JobFacts& facts = job.facts;
    if (role == Qt::FontRole && column == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::DecorationRole && column == KindColumn)
        return icon(kindIconName(Kind::Queue), palette);
    if (role == Qt::DecorationRole && column == StateColumn)
        return healthIcon(facts.error.isEmpty() ? Health::Ok : Health::Warning, palette);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case KindColumn:
        return tr("Job");
    case NameColumn:
        return displayPreview(facts.id, mostChars);
    case FoundColumn:
        return tr("ID, in %1").arg(shownName(*job.state->primitive, mostChars));
    default:
        return displayPreview(facts.error.isEmpty() ? facts.name : facts.error, mostChars);
    }
}

QVariant SearchModel::hitData(const SearchHit& hit, int column, int role) const
{
    const Kind kind = hit.state->kind();
    const QPalette palette = QGuiApplication::palette();
    if (role == Qt::FontRole && column == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::ToolTipRole && column == NameColumn)
        return plainTip(shownName(*hit.state->primitive));
    if (role == Qt::ToolTipRole && column == FoundColumn)
        return plainTip(foundText(hit));
    if (role == Qt::DecorationRole && column == KindColumn)
        return icon(kindIconName(kind), palette);
    if (role == Qt::DecorationRole && column == StateColumn)
        return iconOf(hit, palette);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case KindColumn:
        return kindPluralTitle(kind);
    case NameColumn:
        return shownName(*hit.state->primitive, m_sharedLabels).left(mostChars);
    case FoundColumn:
        return foundText(hit);
    default:
        return stateText(hit);
    }
}

QVariant SearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case KindColumn:
        return tr("Kind");
    case NameColumn:
        return tr("Name");
    case FoundColumn:
        return tr("Found by");
    case DeploymentColumn:
        return tr("Deployment");
    default:
        return tr("State");
    }
}

} // namespace lk
