// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/tables/tablearrangement.h"

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace lk {

namespace {

const QString widthsKey = QStringLiteral("widths");
const QString sortKey = QStringLiteral("sort");
const QString descendingKey = QStringLiteral("descending");
constexpr int mostWidth = 4000; // pixels; settings may hold any number

} // namespace

TableArrangement::TableArrangement(QTableView* table, const QStringList& ids, const QString& name)
    : QObject(table)
    , m_table(table)
    , m_ids(ids)
{
    setObjectName(name);
    QHeaderView* header = table->horizontalHeader();
    header->viewport()->installEventFilter(this);
    connect(header, &QHeaderView::sectionResized, this,
            [this](int column, int, int width) { onResized(column, width); });
    connect(header, &QHeaderView::sectionHandleDoubleClicked, this, [this](int column) {
        if (m_byHand.remove(column) > 0)
            emit released();
    });
}

bool TableArrangement::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress)
        m_pressed = true;
    else if (event->type() == QEvent::MouseButtonRelease)
        m_pressed = false;
    return QObject::eventFilter(watched, event);
}

// A column that stretches is resized along with the one that is dragged.
void TableArrangement::onResized(int column, int width)
{
    if (m_pressed &&
        m_table->horizontalHeader()->sectionResizeMode(column) == QHeaderView::Interactive)
        m_byHand.insert(column, width);
}

void TableArrangement::resize(int column, int width)
{
    const bool pressed = std::exchange(m_pressed, false);
    const int its = m_byHand.value(column, width);
    if (m_table->columnWidth(column) != its)
        m_table->setColumnWidth(column, its);
    m_pressed = pressed;
}

QVariantMap TableArrangement::state() const
{
    QVariantMap state;
    QVariantMap widths;
    for (auto it = m_byHand.begin(); it != m_byHand.end(); ++it)
        widths.insert(m_ids.value(it.key()), it.value());
    if (!widths.isEmpty())
        state.insert(widthsKey, widths);
    const QHeaderView* header = m_table->horizontalHeader();
    if (const int sorted = header->sortIndicatorSection();
        header->isSortIndicatorShown() && sorted >= 0 && sorted < m_ids.size()) {
        state.insert(sortKey, m_ids[sorted]);
        state.insert(descendingKey, header->sortIndicatorOrder() == Qt::DescendingOrder);
    }
    return state;
}

void TableArrangement::setState(const QVariantMap& state)
{
    m_byHand.clear();
    const QVariantMap widths = state.value(widthsKey).toMap();
    QHeaderView* header = m_table->horizontalHeader();
    for (int column = 0; column < m_ids.size(); ++column) {
        const int width = widths.value(m_ids[column]).toInt();
        if (width >= header->minimumSectionSize()) {
            m_byHand.insert(column, std::min(width, mostWidth));
            resize(column, width);
        }
    }
    emit released();
    if (!header->isSortIndicatorShown())
        return;
    const qsizetype sorted = m_ids.indexOf(state.value(sortKey).toString());
    header->setSortIndicator(int(sorted), state.value(descendingKey).toBool() ? Qt::DescendingOrder
                                                                              : Qt::AscendingOrder);
}

QVariantMap arrangementsIn(const QWidget& root)
{
    QVariantMap all;
    for (const TableArrangement* arrangement : root.findChildren<TableArrangement*>()) {
        const QVariantMap state = arrangement->state();
        if (!arrangement->objectName().isEmpty() && !state.isEmpty())
            all.insert(arrangement->objectName(), state);
    }
    return all;
}

void setArrangementsIn(const QWidget& root, const QVariantMap& state)
{
    for (TableArrangement* arrangement : root.findChildren<TableArrangement*>()) {
        if (!arrangement->objectName().isEmpty())
            arrangement->setState(state.value(arrangement->objectName()).toMap());
    }
}

} // namespace lk
