// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/plan/stepmodel.h"

#include "backend/core/names/keyname.h"
#include "backend/text/errortext.h"
#include "widgets/actions/outcomestyle.h"
#include "widgets/theme/icon.h"

#include <algorithm>

namespace lk {

void StepRow::set(const QString& nowWord, const QString& nowText, const QString& nowIcon,
                  ColorRole nowRole)
{
    word = nowWord;
    text = nowText;
    icon = nowIcon;
    role = nowRole;
}

namespace {

RowColumns<StepRow> stepColumns(bool hasPlaces)
{
    return RowColumns<StepRow>{
        {.title = hasPlaces ? StepModel::tr("Server") : StepModel::tr("Name"),
         .text = &StepRow::name,
         .isMono = always<StepRow>},
        {.title = StepModel::tr("Outcome"),
         .text = &StepRow::word,
         .icon =
             [](const StepRow& row) {
                 return icon(row.icon, row.role, QGuiApplication::palette());
             }},
        {.title = StepModel::tr("State and outcome"), .text = &StepRow::text}};
}

} // namespace

StepModel::StepModel(QObject* parent)
    : RowModel(stepColumns(false), parent)
{}

void StepModel::setPlans(const PlanSet& set, const std::vector<Place>& places)
{
    m_receipts.clear();
    m_planned = int(set.plans.size());
    std::vector<StepRow> rows;
    for (const Plan& plan : set.plans) {
        StepRow row{displayName(plan.journalName),
                    tr("planned"),
                    plan.expected,
                    QStringLiteral("idle"),
                    ColorRole::Second,
                    plan.name,
                    plan.expected};
        if (plan.answer && plan.answer->yes)
            row.set(tr("yes"), plan.answer->text, QStringLiteral("ok"), ColorRole::Ok);
        else if (plan.answer)
            row.set(tr("no"), plan.answer->text, QStringLiteral("minus"), ColorRole::Second);
        rows.push_back(row);
    }
    for (const auto& [name, error] : set.refused)
        rows.push_back({displayName(name), tr("skipped"), errorText(error), QStringLiteral("error"),
                        ColorRole::Danger});
    for (size_t i = 0; i < std::min(places.size(), rows.size()); ++i) {
        StepRow& row = rows[i];
        row.name = places[i].name;
        if (places[i].isHarmless)
            row.set(tr("unchanged"), row.text, QStringLiteral("minus"), ColorRole::Second);
    }
    setColumns(stepColumns(!places.empty()));
    resetRows(std::move(rows));
}

void StepModel::setStale(const QHash<QByteArray, QString>& stale)
{
    std::vector<StepRow> all = rows();
    for (auto it = all.begin() + done(); it != all.begin() + m_planned; ++it) {
        if (const auto now = stale.constFind(it->primitive); now != stale.cend())
            it->set(tr("would conflict"), *now, QStringLiteral("warning"), ColorRole::Danger);
        else
            it->set(tr("planned"), it->seen, QStringLiteral("idle"), ColorRole::Second);
    }
    setRows(std::move(all));
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
    StepRow its = *at(row);
    its.set(outcomeTitle(receipt.outcome).toLower(), receipt.text, outcomeIconName(receipt.outcome),
            outcomeRole(receipt.outcome));
    setRow(row, std::move(its));
}

void StepModel::finish()
{
    std::vector<StepRow> all = rows();
    for (auto it = all.begin() + done(); it != all.begin() + m_planned; ++it)
        it->set(tr("not run"), tr("not run: stopped"), it->icon, it->role);
    setRows(std::move(all));
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

} // namespace lk
