// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/stepmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "widgets/actions/outcomestyle.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>

#include <algorithm>

namespace lk {

void StepModel::setPlans(const PlanSet& set, const std::vector<Place>& places)
{
    beginResetModel();
    m_hasPlaces = !places.empty();
    m_rows.clear();
    m_receipts.clear();
    m_planned = int(set.plans.size());
    for (const Plan& plan : set.plans) {
        Row row{displayName(plan.journalName),
                tr("planned"),
                plan.expected,
                QStringLiteral("idle"),
                ColorRole::Second,
                plan.name,
                plan.expected};
        if (plan.answer) {
            row.word = plan.answer->yes ? tr("yes") : tr("no");
            row.text = plan.answer->text;
            row.icon = plan.answer->yes ? QStringLiteral("ok") : QStringLiteral("minus");
            row.role = plan.answer->yes ? ColorRole::Ok : ColorRole::Second;
        }
        m_rows.push_back(row);
    }
    for (const auto& [name, error] : set.refused)
        m_rows.push_back({displayName(name), tr("skipped"), errorText(error),
                          QStringLiteral("error"), ColorRole::Danger});
    for (size_t i = 0; i < std::min(places.size(), m_rows.size()); ++i) {
        Row& row = m_rows[i];
        row.name = places[i].name;
        if (!places[i].isHarmless)
            continue;
        row.word = tr("unchanged");
        row.icon = QStringLiteral("minus");
        row.role = ColorRole::Second;
    }
    endResetModel();
}

void StepModel::setStale(const QHash<QByteArray, QString>& stale)
{
    for (int row = done(); row < m_planned; ++row) {
        Row& its = m_rows[size_t(row)];
        const auto now = stale.constFind(its.primitive);
        const bool lost = now != stale.cend();
        its.word = lost ? tr("would conflict") : tr("planned");
        its.text = lost ? *now : its.seen;
        its.icon = lost ? QStringLiteral("warning") : QStringLiteral("idle");
        its.role = lost ? ColorRole::Danger : ColorRole::Second;
    }
    if (m_planned > 0)
        emit dataChanged(index(0, 0), index(m_planned - 1, ColumnTotal - 1));
}

QSet<QByteArray> StepModel::namesOf(Outcome outcome) const
{
    QSet<QByteArray> names;
    for (const Receipt& receipt : m_receipts) {
        if (receipt.outcome == outcome)
            names.insert(receipt.name);
    }
    return names;
}

QByteArrayList StepModel::undoable() const
{
    QByteArrayList receipts;
    for (auto it = m_receipts.rbegin(); it != m_receipts.rend(); ++it) {
        if (it->undoable)
            receipts << it->id;
    }
    return receipts;
}

void StepModel::add(const Receipt& receipt)
{
    const int row = done();
    if (row >= m_planned)
        return;
    m_receipts.push_back(receipt);
    Row& its = m_rows[size_t(row)];
    its.word = outcomeTitle(receipt.outcome).toLower();
    its.text = receipt.text;
    its.icon = outcomeIconName(receipt.outcome);
    its.role = outcomeRole(receipt.outcome);
    emit dataChanged(index(row, 0), index(row, ColumnTotal - 1));
}

void StepModel::finish()
{
    for (int row = done(); row < m_planned; ++row) {
        m_rows[size_t(row)].word = tr("not run");
        m_rows[size_t(row)].text = tr("not run: stopped");
        emit dataChanged(index(row, 0), index(row, ColumnTotal - 1));
    }
}

const Receipt* StepModel::receiptAt(int row) const
{
    return row >= 0 && row < done() ? &m_receipts[size_t(row)] : nullptr;
}

int StepModel::count(Outcome outcome) const
{
    return int(std::count_if(m_receipts.begin(), m_receipts.end(),
                             [&](const Receipt& receipt) { return receipt.outcome == outcome; }));
}

int StepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int StepModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnTotal;
}

QVariant StepModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[size_t(index.row())];
    if (role == Qt::FontRole && index.column() == NameColumn)
        return monoFont(TextSize::Body);
    if (role == Qt::DecorationRole && index.column() == OutcomeColumn)
        return icon(row.icon, row.role, QGuiApplication::palette());
    if (role == Qt::ToolTipRole)
        return plainTip(data(index, Qt::DisplayRole).toString());
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case NameColumn:
        return row.name;
    case OutcomeColumn:
        return row.word;
    default:
        return row.text;
    }
}

QVariant StepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return m_hasPlaces ? tr("Server") : tr("Name");
    case OutcomeColumn:
        return tr("Outcome");
    default:
        return tr("State and outcome");
    }
}

} // namespace lk
