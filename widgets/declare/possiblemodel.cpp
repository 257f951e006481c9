// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/declare/possiblemodel.h"

#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/certaintytext.h"

namespace lk {

namespace {

std::vector<RowColumn<PossiblePrimitive>> possibleColumns()
{
    using One = PossiblePrimitive;
    const auto column = [](QString title, std::function<QString(const One&)> text) {
        return RowColumn<One>{std::move(title), text, false, {}, {}, text};
    };
    const auto key = [](const One& one) { return shownKey(one.kind, one.key, 120); };
    return {{PossibleModel::tr("Key"), key, false, [](const One&) { return true; }, {}, key},
            column(PossibleModel::tr("May be a"),
                   [](const One& one) { return layoutTitle(one.id.layout); }),
            column(PossibleModel::tr("Why it is not counted"),
                   [](const One& one) { return doubtText(one.doubt); })};
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
    const auto it = std::find_if(rows().begin(), rows().end(),
                                 [&key](const PossiblePrimitive& one) { return one.key == key; });
    return it == rows().end() ? -1 : int(it - rows().begin());
}

} // namespace lk
