// SPDX-License-Identifier: GPL-3.0-or-later
// What the board's page offers to do to its rows, and to make anew.
#include "widgets/boards/boardpage.h"

#include "backend/monitor/session.h"
#include "widgets/actions/actionbar.h"
#include "widgets/actions/actiondialog.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/detail/detailpane.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

namespace lk {

void BoardPage::buildMakers(QHBoxLayout* row)
{
    for (const Maker& maker : makersOf(kind())) {
        auto* button = new QToolButton;
        button->setFocusPolicy(Qt::StrongFocus);
        button->setText(tr("%1…").arg(maker.action->title()));
        button->setToolTip(maker.action->summary());
        connect(button, &QToolButton::clicked, this, [this, maker] {
            if (m_session)
                ActionDialog::open(m_session, {maker.action, {}, maker.layout, {}, {}}, this);
        });
        row->addWidget(button);
    }
}

// The selected rows, or the one that the pane shows although the table does not.
std::vector<StatePtr> BoardPage::selectedStates() const
{
    std::vector<StatePtr> states;
    for (const int row : selectedRows()) {
        if (const StatePtr state = m_model->stateAt(row))
            states.push_back(state);
    }
    const StatePtr shown =
        m_session && m_selected != noHandle ? m_session->state(m_selected) : nullptr;
    if (states.empty() && shown)
        states.push_back(shown);
    return states;
}

void BoardPage::showActions()
{
    const std::vector<StatePtr> targets = m_session ? selectedStates() : std::vector<StatePtr>();
    const std::vector<ActionOffer> offers = offersFor(targets);
    if (offers.empty())
        return;
    QMenu* menu = makeMenu();
    addOffersTo(menu, offers, this,
                [this, targets](const Action* action) { act(action, targets); });
    const QRect row = m_table->visualRect(m_table->currentIndex());
    menu->popup(m_table->viewport()->mapToGlobal(
        m_table->viewport()->rect().contains(row.center()) ? row.bottomLeft() : QPoint(8, 8)));
    menu->setActiveAction(menu->actions().front());
}

void BoardPage::act(const Action* action, const std::vector<StatePtr>& targets)
{
    if (!m_session)
        return;
    // Items are chosen in the pane, of the primitive that it shows.
    const StatePtr shown = m_session->state(m_selected);
    const bool its =
        targets.size() == 1 && shown && shown->primitive->id == targets.front()->primitive->id;
    ActionDialog::open(
        m_session, {action, targets, {}, its ? m_detail->chosenItems() : QByteArray(), {}}, this);
}

} // namespace lk
