// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/boards/rowgroups.h"

#include "backend/session/board/boardgroups.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/theme/icon.h"

#include <QActionGroup>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QTableView>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace lk {

namespace {

const QString byKey = QStringLiteral("by");
const QString collapsedKey = QStringLiteral("collapsed");
constexpr qsizetype mostKept = 500; // collapsed groups, in the settings

struct Way
{
    BoardGrouping grouping;
    const char* id; ///< for settings
};
constexpr std::array ways{Way{BoardGrouping::None, "none"}, Way{BoardGrouping::Layout, "layout"},
                          Way{BoardGrouping::Prefix, "prefix"}, Way{BoardGrouping::Owner, "owner"}};

QString wayTitle(BoardGrouping grouping)
{
    switch (grouping) {
    case BoardGrouping::Layout:
        return RowGroups::tr("By layout");
    case BoardGrouping::Prefix:
        return RowGroups::tr("By prefix");
    case BoardGrouping::Owner:
        return RowGroups::tr("By owner");
    case BoardGrouping::None:
        break;
    }
    return RowGroups::tr("No groups");
}

} // namespace

RowGroups::RowGroups(PrimitiveModel* model, QTableView* table)
    : QObject(table)
    , m_model(model)
    , m_table(table)
    , m_button(new QToolButton)
{
    m_button->setObjectName(QStringLiteral("groupButton"));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setToolTip(tr("Group the rows by layout, prefix or owner"));
    buildMenu();
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    update();
}

void RowGroups::buildMenu()
{
    auto* menu = new QMenu(m_button);
    auto* group = new QActionGroup(menu);
    for (const Way& way : ways) {
        if (!canGroupBy(m_model->kind(), way.grouping))
            continue;
        QAction* action = group->addAction(
            menu->addAction(wayTitle(way.grouping), this, [this, way] { choose(way.grouping); }));
        action->setCheckable(true);
        action->setData(int(way.grouping));
    }
    menu->addSeparator();
    QAction* collapse =
        menu->addAction(tr("Collapse all groups"), this, [this] { setAllCollapsed(true); });
    QAction* expand =
        menu->addAction(tr("Expand all groups"), this, [this] { setAllCollapsed(false); });
    connect(menu, &QMenu::aboutToShow, this, [this, group, collapse, expand] {
        for (QAction* action : group->actions())
            action->setChecked(action->data().toInt() == int(m_grouping));
        for (QAction* action : {collapse, expand})
            action->setEnabled(m_grouping != BoardGrouping::None);
    });
    m_button->setMenu(menu);
}

void RowGroups::update()
{
    const bool grouped = m_grouping != BoardGrouping::None;
    // Ungrouped it is its icon: the narrowest window has no room for one word more.
    m_button->setToolButtonStyle(grouped ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    m_button->setText(grouped ? wayTitle(m_grouping) : tr("Group"));
    m_button->setAccessibleName(grouped ? tr("Group: %1").arg(wayTitle(m_grouping)) : tr("Group"));
    updateIcons();
}

void RowGroups::updateIcons()
{
    m_button->setIcon(icon(QStringLiteral("group"), QGuiApplication::palette()));
}

void RowGroups::choose(BoardGrouping grouping)
{
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    m_collapsed.clear();
    update();
    emit changed();
}

void RowGroups::addTo(BoardQuery& query) const
{
    query.grouping = m_grouping;
    query.collapsed = m_collapsed;
}

QVariantMap RowGroups::state() const
{
    if (m_grouping == BoardGrouping::None)
        return {};
    const auto way = std::find_if(ways.begin(), ways.end(),
                                  [this](const Way& one) { return one.grouping == m_grouping; });
    QStringList collapsed;
    for (const QByteArray& digest : m_collapsed) {
        if (collapsed.size() < mostKept)
            collapsed << QString::fromLatin1(digest);
    }
    collapsed.sort();
    return {{byKey, QLatin1String(way->id)}, {collapsedKey, collapsed}};
}

void RowGroups::setState(const QVariantMap& state)
{
    const QString id = state.value(byKey).toString();
    const auto way = std::find_if(ways.begin(), ways.end(), [this, &id](const Way& one) {
        return id == QLatin1String(one.id) && canGroupBy(m_model->kind(), one.grouping);
    });
    m_grouping = way == ways.end() ? BoardGrouping::None : way->grouping;
    m_collapsed.clear();
    const QStringList collapsed = state.value(collapsedKey).toStringList();
    for (const QString& digest : collapsed)
        m_collapsed.insert(digest.toLatin1());
    update();
    emit changed();
}

void RowGroups::setCollapsed(const BoardGroup& group, bool collapsed)
{
    if (collapsed)
        m_collapsed.insert(group.digest);
    else
        m_collapsed.remove(group.digest);
    emit changed();
}

void RowGroups::setAllCollapsed(bool collapsed)
{
    m_collapsed.clear();
    if (collapsed) {
        for (const BoardGroup& group : m_model->groups())
            m_collapsed.insert(group.digest);
    }
    emit changed();
}

bool RowGroups::eventFilter(QObject* watched, QEvent* event)
{
    if (m_grouping == BoardGrouping::None)
        return false;
    if (watched == m_table && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        return key->modifiers() == Qt::NoModifier && onKey(key->key());
    }
    const bool press = event->type() == QEvent::MouseButtonPress;
    // In this order: while the table ends it has no viewport that could be asked for.
    if ((!press && event->type() != QEvent::MouseButtonDblClick) || watched != m_table->viewport())
        return false;
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QModelIndex index = m_table->indexAt(mouse->position().toPoint());
    const BoardGroup* group = index.isValid() ? m_model->groupAt(index.row()) : nullptr;
    if (!group || mouse->button() != Qt::LeftButton || mouse->modifiers() != Qt::NoModifier)
        return false;
    if (press) { // the second of a double click is none of its own
        m_table->setFocus();
        m_table->setCurrentIndex(m_model->index(index.row(), 0));
        setCollapsed(*group, !group->collapsed);
    }
    return true;
}

// As in a tree: Left closes a group, or goes from a row to its group; Right opens it.
bool RowGroups::onKey(int key)
{
    const int row = m_table->currentIndex().row();
    const BoardGroup* group = m_model->groupAt(row);
    if (key == Qt::Key_Left && !group && m_model->headerRowOf(row) >= 0) {
        m_table->setCurrentIndex(m_model->index(m_model->headerRowOf(row), 0));
        return true;
    }
    if (!group)
        return false;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (group->collapsed != (key == Qt::Key_Left))
            setCollapsed(*group, key == Qt::Key_Left);
        return true;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter:
        setCollapsed(*group, !group->collapsed);
        return true;
    default:
        return false;
    }
}

} // namespace lk
