// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/panels/panesplitter.h"

namespace lk {

PaneSplitter::PaneSplitter(QWidget* table, QWidget* pane, int tableSize, int paneSize)
    : QSplitter(Qt::Horizontal)
    , m_default({tableSize, paneSize})
{
    addWidget(table);
    addWidget(pane);
    const int tablePercent = 100 * tableSize / (tableSize + paneSize);
    setStretchFactor(0, tablePercent);
    setStretchFactor(1, 100 - tablePercent);
    setChildrenCollapsible(false);
    setHandleWidth(1);
    setSizes(m_default);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_byHand = true; });
}

QVariantList PaneSplitter::state() const
{
    QVariantList state;
    for (const int size : m_byHand ? sizes() : QList<int>())
        state << size;
    return state;
}

void PaneSplitter::setState(const QVariantList& state)
{
    QList<int> wanted;
    for (const QVariant& size : state)
        wanted << size.toInt();
    m_byHand = wanted.size() == 2 && wanted[0] > 0 && wanted[1] > 0;
    setSizes(m_byHand ? wanted : m_default);
}

} // namespace lk
