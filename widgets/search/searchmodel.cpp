// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/search/searchmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/text/kindtitles.h"
#include "backend/text/statewords.h"
#include "backend/text/time/duration.h"
#include "widgets/theme/icon.h"

#include <QAction>
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

QString kindText(const SearchRow& row)
{
    return row.hit   ? kindPluralTitle(row.hit->state->kind())
           : row.job ? SearchModel::tr("Job")
                     : SearchModel::tr("Command");
}

QIcon kindIconOf(const SearchRow& row)
{
    const QPalette palette = QGuiApplication::palette();
    if (!row.hit && !row.job)
        return icon(QStringLiteral("chevron-right"), ColorRole::Second, palette);
    return icon(kindIconName(row.hit ? row.hit->state->kind() : Kind::Queue), palette);
}

QString nameTip(const SearchRow& row)
{
    return row.hit ? shownName(*row.hit->state->primitive) : row.name;
}

QString foundByText(const SearchRow& row)
{
    if (row.job)
        return SearchModel::tr("ID, in %1").arg(shownName(*row.job->state->primitive, mostChars));
    return row.hit ? foundText(*row.hit) : QString();
}

QString stateOf(const SearchRow& row)
{
    if (row.hit)
        return stateText(*row.hit);
    if (!row.job)
        return row.command ? row.command->shortcut().toString(QKeySequence::NativeText) : QString();
    const JobFacts& facts = row.job->facts;
    return displayPreview(facts.error.isEmpty() ? facts.name : facts.error, mostChars);
}

QIcon stateIconOf(const SearchRow& row)
{
    const QPalette palette = QGuiApplication::palette();
    if (row.hit)
        return iconOf(*row.hit, palette);
    return row.job
               ? healthIcon(row.job->facts.error.isEmpty() ? Health::Ok : Health::Warning, palette)
               : QIcon();
}

RowColumns<SearchRow> searchColumns()
{
    return RowColumns<SearchRow>{
        {.title = SearchModel::tr("Kind"), .text = kindText, .icon = kindIconOf},
        {.title = SearchModel::tr("Name"),
         .text = &SearchRow::name,
         .isMono = [](const SearchRow& row) { return row.hit || row.job; },
         .tip = nameTip},
        {.title = SearchModel::tr("Found by"), .text = foundByText},
        {.title = SearchModel::tr("State"), .text = stateOf, .icon = stateIconOf},
        {.title = SearchModel::tr("Deployment"), .text = &SearchRow::deployment}};
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

SearchModel::SearchModel(QObject* parent)
    : RowModel(searchColumns(), parent)
{}

void SearchModel::setCommands(const QList<QAction*>& commands)
{
    m_commands = QList<QPointer<QAction>>(commands.begin(), commands.end());
    resetRows(wanted());
}

void SearchModel::setResults(SearchResultsPtr results)
{
    m_results = std::move(results);
    arrange();
}

void SearchModel::setOthers(Session* session, SearchResultsPtr results)
{
    const auto it = std::ranges::find_if(
        m_others, [&](const Others& others) { return others.session == session; });
    if (it == m_others.end() && results)
        m_others.push_back({session, std::move(results)});
    else if (it != m_others.end() && results)
        it->results = std::move(results);
    else if (it != m_others.end())
        m_others.erase(it);
    arrange();
}

void SearchModel::setJobs(std::vector<FoundJob> jobs)
{
    m_jobs = std::move(jobs);
    arrange();
}

std::vector<SearchRow> SearchModel::wanted() const
{
    std::vector<SearchRow> rows;
    for (const QPointer<QAction>& command : m_commands)
        rows.push_back({.command = command, .name = command ? plainText(*command) : QString()});
    for (const FoundJob& job : m_jobs)
        rows.push_back({.job = job,
                        .name = displayPreview(job.facts.id, mostChars),
                        .deployment = m_frontName});
    const QSet<QByteArray> shared = m_results ? sharedLabelsOf(*m_results) : QSet<QByteArray>();
    const auto add = [&](const SearchResults& results, Session* other) {
        for (const SearchHit& hit : results.hits)
            rows.push_back({.hit = hit,
                            .other = other,
                            .name = shownName(*hit.state->primitive, shared).left(mostChars),
                            .deployment = other ? other->name() : m_frontName});
    };
    if (m_results)
        add(*m_results, nullptr);
    for (const Others& others : m_others)
        add(*others.results, others.session);
    return rows;
}

void SearchModel::arrange()
{
    setRows(wanted(), [](const SearchRow& row) {
        const QByteArray job = row.job ? row.job->facts.id : QByteArray();
        const Handle handle = row.job ? row.job->queue : row.hit ? row.hit->handle : noHandle;
        const QObject* object = row.command ? static_cast<QObject*>(row.command) : row.other;
        return std::pair(std::pair(object, handle), job);
    });
}

const SearchHit* SearchModel::hit(int row) const
{
    return at(row) && at(row)->hit ? &*at(row)->hit : nullptr;
}

Session* SearchModel::otherOf(int row) const
{
    return at(row) ? at(row)->other.data() : nullptr;
}

const FoundJob* SearchModel::job(int row) const
{
    return at(row) && at(row)->job ? &*at(row)->job : nullptr;
}

QAction* SearchModel::command(int row) const
{
    return at(row) ? at(row)->command.data() : nullptr;
}

} // namespace lk
