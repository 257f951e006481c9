// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/journal/journalmodel.h"

#include "backend/text/time/duration.h"
#include "widgets/actions/outcomestyle.h"
#include "widgets/charts/chartformat.h"

#include <QDateTime>
#include <QJsonDocument>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

QString whoOf(const JournalEntry& entry)
{
    return QStringLiteral("%1@%2").arg(entry.who, entry.host);
}

QString utcSecond(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toUTC().toString(Qt::ISODate);
}

QStringList csvCells(const JournalEntry* const& e)
{
    return {utcSecond(momentOf(*e)),
            QString::fromLatin1(outcomeId(e->outcome)),
            QString::fromLatin1(e->action),
            e->name,
            e->who,
            e->host,
            e->endpoint,
            e->reason,
            e->text,
            QString::number(e->count),
            QString::fromLatin1(e->receipt),
            QString::fromLatin1(e->undoes),
            QString::fromLatin1(e->group)};
}

bool fits(const JournalEntry& entry, const QString& filter)
{
    const QStringList texts{entry.name,
                            QString::fromLatin1(entry.action),
                            QString::fromLatin1(entry.receipt),
                            QString::fromLatin1(entry.undoes),
                            QString::fromLatin1(entry.group),
                            outcomeTitle(entry.outcome),
                            whoOf(entry),
                            entry.reason,
                            entry.endpoint,
                            entry.node,
                            entry.keys.join(QLatin1Char('\n'))};
    return std::any_of(texts.begin(), texts.end(), [&](const QString& text) {
        return text.contains(filter, Qt::CaseInsensitive);
    });
}

} // namespace

qint64 momentOf(const JournalEntry& entry)
{
    return entry.serverMs > 0 ? entry.serverMs : entry.localMs;
}

QString localText(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString momentTip(qint64 ms)
{
    const qint64 ago = std::max<qint64>(0, QDateTime::currentMSecsSinceEpoch() - ms);
    return ago < 1000 ? JournalModel::tr("%1, just now").arg(utcSecond(ms))
                      : JournalModel::tr("%1, %2 ago")
                            .arg(utcSecond(ms), formatDuration(ago / 1000 * 1000));
}

QString outcomesText(const JournalModel::Steps& steps)
{
    const auto done = std::count_if(steps.begin(), steps.end(), [](const JournalEntry* entry) {
        return entry->outcome == Outcome::Succeeded;
    });
    const bool same = std::all_of(steps.begin(), steps.end(), [&](const JournalEntry* entry) {
        return entry->outcome == steps.front()->outcome;
    });
    const QLocale locale;
    return same ? outcomeTitle(steps.front()->outcome)
                : JournalModel::tr("%1 of %2 succeeded")
                      .arg(locale.toString(qlonglong(done)),
                           locale.toString(qlonglong(steps.size())));
}

Outcome gravest(const JournalModel::Steps& steps)
{
    const auto most = std::max_element(steps.begin(), steps.end(),
                                       [](const JournalEntry* a, const JournalEntry* b) {
                                           return int(a->outcome) < int(b->outcome);
                                       });
    return (*most)->outcome;
}

namespace {

QString nameText(const JournalRow& row)
{
    const QString& name = row.steps.front()->name;
    return row.group    ? JournalModel::tr("%Ln action(s)", nullptr, int(row.steps.size()))
           : row.member ? QStringLiteral("\u2003") + name
                        : name;
}

QString nameWithMark(const JournalRow& row)
{
    const QString mark = row.open ? QStringLiteral("\u25be ") : QStringLiteral("\u25b8 ");
    return row.group ? mark + nameText(row) : nameText(row);
}

QString spokenName(const JournalRow& row)
{
    return !row.group ? nameText(row)
           : row.open ? JournalModel::tr("%1, expanded").arg(nameText(row))
                      : JournalModel::tr("%1, collapsed").arg(nameText(row));
}

RowColumns<JournalRow> journalColumns()
{
    const auto ofFirst = [](QString (*text)(const JournalEntry&)) {
        return [text](const JournalRow& row) { return text(*row.steps.front()); };
    };
    return RowColumns<JournalRow>{
        {.title = JournalModel::tr("When"),
         .text = ofFirst([](const JournalEntry& entry) { return localText(momentOf(entry)); }),
         .tip = ofFirst([](const JournalEntry& entry) { return momentTip(momentOf(entry)); })},
        {.title = JournalModel::tr("Outcome"),
         .text = [](const JournalRow& row) { return outcomesText(row.steps); },
         .icon =
             [](const JournalRow& row) {
                 return outcomeIcon(gravest(row.steps), QGuiApplication::palette());
             }},
        {.title = JournalModel::tr("Action"), .text = ofFirst([](const JournalEntry& entry) {
                                                  return QString::fromLatin1(entry.action);
                                              })},
        {.title = JournalModel::tr("Name"),
         .text = nameWithMark,
         .isMono = always<JournalRow>,
         .spoken = spokenName},
        {.title = JournalModel::tr("Who"), .text = ofFirst(whoOf)},
        {.title = JournalModel::tr("Reason"),
         .text = ofFirst([](const JournalEntry& entry) { return entry.reason; })}};
}

} // namespace

JournalModel::JournalModel(QObject* parent)
    : RowModel(journalColumns(), parent)
{}

void JournalModel::setContents(const JournalPtr& contents)
{
    const JournalPtr before = std::exchange(m_contents, contents); // the rows point into it
    noteUndone();
    arrange();
}

void JournalModel::noteUndone()
{
    m_undone.clear();
    for (size_t i = 0; m_contents && i < m_contents->entries.size(); ++i) {
        const JournalEntry& entry = m_contents->entries[i];
        if (!entry.undoes.isEmpty() && entry.outcome == Outcome::Succeeded &&
            (m_untilMs == 0 || momentOf(entry) <= m_untilMs))
            m_undone.insert(entry.undoes);
    }
}

// Most moments have the same lines as the one before.
void JournalModel::setUntil(qint64 ms)
{
    const qint64 before = std::exchange(m_untilMs, ms);
    const auto crossed = [&](const JournalEntry& entry) {
        const qint64 at = momentOf(entry);
        return (before == 0 || at <= before) != (ms == 0 || at <= ms);
    };
    if (!m_contents ||
        std::none_of(m_contents->entries.begin(), m_contents->entries.end(), crossed))
        return;
    noteUndone();
    arrange();
}

void JournalModel::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    arrange();
}

void JournalModel::arrange()
{
    m_fitting.clear();
    QHash<QByteArray, Steps> groups;
    for (size_t i = m_contents ? m_contents->entries.size() : 0; i-- > 0;) {
        const JournalEntry& entry = m_contents->entries[i];
        if ((!m_filter.isEmpty() && !fits(entry, m_filter)) ||
            (m_untilMs > 0 && momentOf(entry) > m_untilMs))
            continue;
        m_fitting.push_back(&entry);
        if (!entry.group.isEmpty())
            groups[entry.group].push_back(&entry);
    }
    // A group stands where its newest step is.
    std::vector<JournalRow> rows;
    for (const JournalEntry* entry : m_fitting) {
        const Steps steps = groups.value(entry->group);
        if (steps.size() < 2) {
            rows.push_back({.steps = {entry}});
        } else if (steps.front() == entry) {
            const bool open = m_open.contains(entry->group);
            rows.push_back({.steps = steps, .group = true, .open = open});
            for (const JournalEntry* step : open ? steps : Steps())
                rows.push_back({.steps = {step}, .member = true});
        }
    }
    resetRows(std::move(rows));
}

JournalModel::Steps JournalModel::stepsAt(int row) const
{
    return at(row) ? at(row)->steps : Steps();
}

QByteArrayList JournalModel::undoable(const Steps& steps) const
{
    QByteArrayList receipts;
    for (const JournalEntry* entry : steps) {
        if (entry->undoable && !isUndone(entry->receipt))
            receipts << entry->receipt;
    }
    return receipts;
}

QByteArray JournalModel::idAt(int row) const
{
    const Steps steps = stepsAt(row);
    return steps.empty()  ? QByteArray()
           : isGroup(row) ? steps.front()->group
                          : steps.front()->receipt;
}

int JournalModel::rowOf(const QByteArray& id) const
{
    return rowWhere([&](const JournalRow& row) {
        return (row.group ? row.steps.front()->group : row.steps.front()->receipt) == id;
    });
}

void JournalModel::setOpen(int row, bool open)
{
    if (!isGroup(row) || isOpen(row) == open)
        return;
    if (open)
        m_open.insert(idAt(row));
    else
        m_open.remove(idAt(row));
    arrange();
}

RowsText JournalModel::csv(const std::vector<int>& only) const
{
    Steps chosen;
    for (const int row : only) {
        const Steps steps = stepsAt(row);
        chosen.insert(chosen.end(), steps.begin(), steps.end());
    }
    return [held = m_contents, rows = only.empty() ? m_fitting : chosen] {
        return csvText(
            QStringLiteral(
                "when,outcome,action,name,who,host,server,reason,text,count,receipt,undoes,group"),
            rows, csvCells);
    };
}

RowsText JournalModel::json() const
{
    return [held = m_contents, rows = m_fitting] {
        QJsonArray all;
        for (const JournalEntry* entry : rows)
            all.append(entry->toJson());
        return QString::fromUtf8(QJsonDocument(all).toJson());
    };
}

} // namespace lk
