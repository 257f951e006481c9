// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/listboard.h"

#include "widgets/controls/panels/panesplitter.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/theme/boxlayout.h"

#include <QEvent>
#include <QHeaderView>
#include <QStackedLayout>

namespace lk {

namespace {

const QString splitterKey = QStringLiteral("splitter");
const QString tableKey = QStringLiteral("table");

} // namespace

void ListBoard::makeTable(QAbstractItemModel* model, const QString& objectName,
                          const QString& title, const QStringList& columnIds)
{
    m_table = new FlatTable;
    m_empty = new EmptyState;
    m_table->setObjectName(objectName);
    m_table->setAccessibleName(title);
    m_table->setModel(model);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->horizontalHeader()->setMinimumSectionSize(48);
    m_table->viewport()->installEventFilter(this);
    m_arrangement = new TableArrangement(m_table, columnIds);
    connect(m_arrangement, &TableArrangement::released, this, [this] { fitColumns(); });
}

void ListBoard::layOut(const Parts& parts)
{
    m_stack = new QStackedLayout;
    auto* left = new QWidget;
    auto* column = columnIn(left, {16, 12, 16, 12}, 8, {parts.bar});
    if (parts.head)
        column->addWidget(parts.head);
    column->addLayout(m_stack, 1);
    m_stack->addWidget(m_table); // into a widget: it is shown at once
    m_stack->addWidget(m_empty);
    if (parts.foot)
        column->addWidget(parts.foot);
    m_splitter = new PaneSplitter(left, parts.pane, parts.tableSize, parts.paneSize);
    columnIn(this, {}, 0, {m_splitter});
}

void ListBoard::showTable(bool hasRows)
{
    m_stack->setCurrentWidget(hasRows ? static_cast<QWidget*>(m_table) : m_empty);
}

void ListBoard::copySelection()
{
    const std::vector<int> rows = selectedRows(*m_table);
    if (!rows.empty())
        copyText(this, csvOf(rows));
}

QVariantMap ListBoard::arrangement() const
{
    QVariantMap state;
    if (const QVariantList sizes = m_splitter->state(); !sizes.isEmpty())
        state.insert(splitterKey, sizes);
    if (const QVariantMap arranged = m_arrangement->state(); !arranged.isEmpty())
        state.insert(tableKey, arranged);
    return state;
}

void ListBoard::arrange(const QVariantMap& state)
{
    m_splitter->setState(state.value(splitterKey).toList());
    m_arrangement->setState(state.value(tableKey).toMap());
}

bool ListBoard::eventFilter(QObject* watched, QEvent* event)
{
    if (m_table && watched == m_table->viewport() && event->type() == QEvent::Resize)
        fitColumns();
    return Board::eventFilter(watched, event);
}

} // namespace lk
