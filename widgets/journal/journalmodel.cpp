// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/journal/journalmodel.h"

#include "backend/core/duration.h"
#include "widgets/actions/outcomelook.h"
#include "widgets/charts/chartformat.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QDateTime>
#include <QGuiApplication>
#include <QJsonDocument>

#include <algorithm>

namespace lk {

namespace {

QString whoOf(const JournalEntry& entry)
{
    return QStringLiteral("%1@%2").arg(entry.who, entry.host);
}

QString utcSecond(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODate);
}

bool fits(const JournalEntry& entry, const QString& filter)
{
    const QStringList texts{entry.name,
                            QString::fromLatin1(entry.action),
                            QString::fromLatin1(entry.receipt),
                            QString::fromLatin1(entry.undoes),
                            outcomeTitle(entry.outcome),
                            whoOf(entry),
                            entry.reason,
                            entry.endpoint,
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

void JournalModel::setContents(const JournalPtr& contents)
{
    beginResetModel();
    m_contents = contents;
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
    if (!m_contents)
        return;
    for (auto it = m_contents->entries.rbegin(); it != m_contents->entries.rend(); ++it) {
        if (m_filter.isEmpty() || fits(*it, m_filter))
            m_rows.push_back(&*it);
    }
}

const JournalEntry* JournalModel::entryAt(int row) const
{
    return row >= 0 && row < int(m_rows.size()) ? m_rows[size_t(row)] : nullptr;
}

int JournalModel::rowOf(const QByteArray& receipt) const
{
    const auto it = std::find_if(m_rows.begin(), m_rows.end(), [&](const JournalEntry* entry) {
        return entry->receipt == receipt;
    });
    return it == m_rows.end() ? -1 : int(it - m_rows.begin());
}

bool JournalModel::isUndone(const QByteArray& receipt) const
{
    return m_contents
           && std::any_of(m_contents->entries.begin(), m_contents->entries.end(),
                          [&](const JournalEntry& entry) {
                              return entry.undoes == receipt && entry.outcome == Outcome::Done;
                          });
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
    const JournalEntry* entry = index.isValid() ? entryAt(index.row()) : nullptr;
    if (!entry)
        return {};
    const int column = index.column();
    if (role == Qt::FontRole && column == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::DecorationRole && column == OutcomeColumn)
        return outcomeIcon(entry->outcome, QGuiApplication::palette());
    if (role == Qt::ToolTipRole && column == WhenColumn)
        return momentTip(momentOf(*entry));
    if (role == Qt::ToolTipRole)
        return plainTip(data(index, Qt::DisplayRole).toString());
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case WhenColumn:
        return localText(momentOf(*entry));
    case OutcomeColumn:
        return outcomeTitle(entry->outcome);
    case ActionColumn:
        return QString::fromLatin1(entry->action);
    case NameColumn:
        return entry->name;
    case WhoColumn:
        return whoOf(*entry);
    default:
        return entry->reason;
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

RowsText JournalModel::csv() const
{
    return [held = m_contents, rows = m_rows] {
        QStringList lines{QStringLiteral(
            "when,outcome,action,name,who,host,server,reason,text,count,receipt,undoes")};
        for (const JournalEntry* e : rows) {
            QStringList cells;
            for (const QString& cell :
                 {utcSecond(momentOf(*e)), QString::fromLatin1(outcomeId(e->outcome)),
                  QString::fromLatin1(e->action), e->name, e->who, e->host, e->endpoint,
                  e->reason, e->text, QString::number(e->count), QString::fromLatin1(e->receipt),
                  QString::fromLatin1(e->undoes)})
                cells << csvCell(cell);
            lines << cells.join(QLatin1Char(','));
        }
        return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
    };
}

RowsText JournalModel::json() const
{
    return [held = m_contents, rows = m_rows] {
        QJsonArray all;
        for (const JournalEntry* entry : rows)
            all.append(entry->toJson());
        return QString::fromUtf8(QJsonDocument(all).toJson());
    };
}

} // namespace lk
