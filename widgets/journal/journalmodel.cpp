// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/journal/journalmodel.h"

#include "backend/text/csv.h"
#include "backend/text/time/duration.h"
#include "widgets/actions/outcomestyle.h"
#include "widgets/charts/chartformat.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QDateTime>
#include <QGuiApplication>
#include <QHash>
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

void JournalModel::setContents(const JournalPtr& contents)
{
    beginResetModel();
    m_contents = contents;
    noteUndone();
    arrange();
    endResetModel();
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
    beginResetModel();
    noteUndone();
    arrange();
    endResetModel();
}

void JournalModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text.trimmed();
    arrange();
    endResetModel();
}

void JournalModel::arrange()
{
    m_rows.clear();
    m_fitting.clear();
    if (!m_contents)
        return;
    QHash<QByteArray, Steps> groups;
    for (auto it = m_contents->entries.rbegin(); it != m_contents->entries.rend(); ++it) {
        if ((!m_filter.isEmpty() && !fits(*it, m_filter)) ||
            (m_untilMs > 0 && momentOf(*it) > m_untilMs))
            continue;
        m_fitting.push_back(&*it);
        if (!it->group.isEmpty())
            groups[it->group].push_back(&*it);
    }
    // A group stands where its newest step is.
    for (const JournalEntry* entry : m_fitting) {
        const Steps steps = groups.value(entry->group);
        if (steps.size() < 2) {
            m_rows.push_back({{entry}});
        } else if (steps.front() == entry) {
            m_rows.push_back({steps, true});
            for (const JournalEntry* step : m_open.contains(entry->group) ? steps : Steps())
                m_rows.push_back({{step}, false, true});
        }
    }
}

JournalModel::Steps JournalModel::stepsAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) ? m_rows[size_t(row)].steps : Steps();
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
    for (int row = 0; row < int(m_rows.size()); ++row) {
        if (idAt(row) == id)
            return row;
    }
    return -1;
}

bool JournalModel::isGroup(int row) const
{
    return row >= 0 && row < int(m_rows.size()) && m_rows[size_t(row)].group;
}

bool JournalModel::isOpen(int row) const
{
    return isGroup(row) && m_open.contains(idAt(row));
}

void JournalModel::setOpen(int row, bool open)
{
    if (!isGroup(row) || isOpen(row) == open)
        return;
    beginResetModel();
    if (open)
        m_open.insert(idAt(row));
    else
        m_open.remove(idAt(row));
    arrange();
    endResetModel();
}

int JournalModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int JournalModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant JournalModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const Row& row = m_rows[size_t(index.row())];
    const int column = index.column();
    if (role == Qt::FontRole && column == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::DecorationRole && column == OutcomeColumn)
        return outcomeIcon(gravest(row.steps), QGuiApplication::palette());
    if (role == Qt::ToolTipRole && column == WhenColumn)
        return momentTip(momentOf(*row.steps.front()));
    if (role == Qt::AccessibleTextRole && column == NameColumn && row.group)
        return isOpen(index.row()) ? tr("%1, expanded").arg(cell(row, column))
                                   : tr("%1, collapsed").arg(cell(row, column));
    if (role == Qt::DisplayRole && column == NameColumn && row.group)
        return (isOpen(index.row()) ? QStringLiteral("\u25be ") : QStringLiteral("\u25b8 ")) +
               cell(row, column);
    if (role == Qt::ToolTipRole)
        return plainTip(data(index, Qt::DisplayRole).toString());
    return role == Qt::DisplayRole ? cell(row, column) : QVariant();
}

QString JournalModel::cell(const Row& row, int column) const
{
    const JournalEntry& entry = *row.steps.front();
    switch (column) {
    case WhenColumn:
        return localText(momentOf(entry));
    case OutcomeColumn:
        return outcomesText(row.steps);
    case ActionColumn:
        return QString::fromLatin1(entry.action);
    case NameColumn:
        return row.group ? tr("%Ln action(s)", nullptr, int(row.steps.size()))
                         : (row.member ? QStringLiteral("\u2003") : QString()) + entry.name;
    case WhoColumn:
        return whoOf(entry);
    default:
        return entry.reason;
    }
}

QVariant JournalModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case WhenColumn:
        return tr("When");
    case OutcomeColumn:
        return tr("Outcome");
    case ActionColumn:
        return tr("Action");
    case NameColumn:
        return tr("Name");
    case WhoColumn:
        return tr("Who");
    default:
        return tr("Reason");
    }
}

RowsText JournalModel::csv(const std::vector<int>& only) const
{
    Steps chosen;
    for (const int row : only) {
        const Steps steps = stepsAt(row);
        chosen.insert(chosen.end(), steps.begin(), steps.end());
    }
    return [held = m_contents, rows = only.empty() ? m_fitting : chosen] {
        QStringList lines{QStringLiteral(
            "when,outcome,action,name,who,host,server,reason,text,count,receipt,undoes,group")};
        for (const JournalEntry* e : rows) {
            QStringList cells;
            for (const QString& cell :
                 {utcSecond(momentOf(*e)), QString::fromLatin1(outcomeId(e->outcome)),
                  QString::fromLatin1(e->action), e->name, e->who, e->host, e->endpoint, e->reason,
                  e->text, QString::number(e->count), QString::fromLatin1(e->receipt),
                  QString::fromLatin1(e->undoes), QString::fromLatin1(e->group)})
                cells << csvCell(cell);
            lines << cells.join(QLatin1Char(','));
        }
        return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
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
