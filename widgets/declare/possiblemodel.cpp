// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/possiblemodel.h"

#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/certaintytext.h"

namespace lk {

namespace {

RowColumns<PossiblePrimitive> possibleColumns()
{
    using One = PossiblePrimitive;
    return RowColumns<One>{{.title = PossibleModel::tr("Key"),
                            .text = [](const One& one) { return shownKey(one.kind, one.key, 120); },
                            .isMono = always<One>},
                           {.title = PossibleModel::tr("May be a"),
                            .text = [](const One& one) { return layoutTitle(one.id.layout); }},
                           {.title = PossibleModel::tr("Why it is not counted"),
                            .text = [](const One& one) { return doubtText(one.doubt); }}};
}

} // namespace

PossibleModel::PossibleModel(Kind kind, QObject* parent)
    : RowModel(possibleColumns(), parent)
    , m_kind(kind)
{}

void PossibleModel::setPossible(const PossiblePtr& possible)
{
    std::vector<PossiblePrimitive> all;
    std::copy_if(possible->named.begin(), possible->named.end(), std::back_inserter(all),
                 [this](const PossiblePrimitive& one) { return one.kind == m_kind; });
    if (all != rows())
        resetRows(std::move(all));
}

int PossibleModel::rowOf(const QByteArray& key) const
{
    return rowWhere([&](const PossiblePrimitive& one) { return one.key == key; });
}

} // namespace lk
