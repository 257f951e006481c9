// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of a board on its rows, and those that create primitives.
#include "widgets/boards/boardpage.h"

#include "backend/core/redactedname.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionpolling.h"
#include "backend/session/sessionstates.h"
#include "widgets/actions/actionbar.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/boards/primitivemodel.h"
#include "widgets/controls/tables/rowselection.h"
#include "widgets/declare/configdialog.h"
#include "widgets/detail/pane/detailpane.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace lk {

void BoardPage::buildCreateActions(QHBoxLayout* row)
{
    for (const CreateAction& create : createActionsOf(kind())) {
        auto* button = new QToolButton;
        button->setFocusPolicy(Qt::StrongFocus);
        button->setText(tr("%1…").arg(create.action->title()));
        button->setToolTip(create.action->summary());
        connect(button, &QToolButton::clicked, this, [this, create] {
            if (m_session)
                ActionDialog::open(m_session, {create.action, {}, create.layout, {}, {}}, this);
        });
        row->addWidget(button);
        m_create.emplace_back(button, create.action);
    }
}

// Disables actions that the server would refuse, and says why.
void BoardPage::updateCreateActions()
{
    const QString why = m_session ? whyNothing(m_session->acting().limits()) : QString();
    for (const auto& [button, action] : m_create) {
        button->setEnabled(why.isEmpty());
        button->setToolTip(why.isEmpty() ? action->summary()
                                         : plainTip(tr("Not available: %1").arg(why)));
    }
}

// Returns the selected rows, or the row that the pane shows without the table. Returns one row too
// many if they exceed the limit of an action.
std::vector<StatePtr> BoardPage::selectedStates() const
{
    std::vector<StatePtr> states;
    for (const int row : selectedRows(*m_table)) {
        if (StatePtr state = m_model->stateAt(row))
            states.push_back(std::move(state));
        if (states.size() > PlanRequest::mostTargets)
            break;
    }
    const StatePtr shown =
        m_session && m_selected != noHandle ? m_session->states().at(m_selected) : nullptr;
    if (states.empty() && shown)
        states.push_back(shown);
    return states;
}

void BoardPage::showActions()
{
    const std::vector<StatePtr> targets = m_session ? selectedStates() : std::vector<StatePtr>();
    const std::vector<ActionOffer> offers =
        offersFor(targets, m_session ? m_session->acting().limits() : ServerLimits());
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

void BoardPage::showMenu(const QPoint& position)
{
    const QModelIndex index = m_table->indexAt(position);
    const StatePtr state = m_model->stateAt(index.row());
    if (!state || !m_session)
        return;
    QMenu* menu = makeMenu();
    const Handle handle = m_model->handleAt(index.row());
    const bool pinned = m_session->polling().isPinned(handle);
    menu->addAction(icon(QStringLiteral("flag"), palette()), pinned ? tr("Unpin") : tr("Pin"), this,
                    [this, handle, pinned] {
                        if (m_session)
                            m_session->polling().setPinned(handle, !pinned);
                    });
    if (kind() == Kind::Token)
        addRevealTo(menu, handle);
    menu->addSeparator();
    const Codes codes = m_session->acting().codesOf(handle);
    const QString name = exactKey(nameKind(*state->primitive), state->primitive->id.name, codes);
    menu->addAction(icon(QStringLiteral("copy"), palette()), tr("Copy name"), this,
                    [name] { QApplication::clipboard()->setText(name); });
    QMenu* keys = menu->addMenu(tr("Copy key"));
    for (size_t i = 0; i < std::min<size_t>(state->primitive->keys.size(), 12); ++i) {
        const QString key =
            exactKey(nameKind(*state->primitive), state->primitive->keys[i].key, codes);
        // In a menu one "&" would mark the next letter.
        keys->addAction(
            shownKey(nameKind(*state->primitive), state->primitive->keys[i].key, 120, codes)
                .replace(QLatin1Char('&'), QStringLiteral("&&")),
            this, [key] { QApplication::clipboard()->setText(key); });
    }
    menu->addAction(tr("Copy selected rows"), this, &BoardPage::copySelection);
    if (m_session->live()->history())
        menu->addAction(tr("What happened…"), this, [this, handle] {
            select(handle);
            m_detail->showTimeline();
        });
    menu->addSeparator();
    const std::vector<StatePtr> targets = m_table->selectionModel()->isRowSelected(index.row())
                                              ? selectedStates()
                                              : std::vector<StatePtr>{state};
    addOffersTo(menu, offersFor(targets, m_session->acting().limits()), this,
                [this, targets](const Action* action) { act(action, targets); });
    menu->addSeparator();
    if (declaringOf(*state))
        menu->addAction(tr("Declare limit and window…"), this, [this, handle] { declare(handle); });
    menu->addAction(tr("%1…").arg(ignoringOf(*state).title), this, [this, state] {
        if (m_session)
            ConfigDialog::open(m_session, ignoringOf(*state), this);
    });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void BoardPage::addRevealTo(QMenu* menu, Handle handle)
{
    const bool shown = m_session->acting().codesOf(handle) == Codes::Revealed;
    QAction* entry = menu->addAction(shown ? tr("Hide code")
                                     : m_session->acting().isWriteModeOn()
                                         ? tr("Reveal code")
                                         : tr("Reveal code (in write mode only)"),
                                     this, [this, handle] { toggleCode(handle); });
    entry->setEnabled(shown || m_session->acting().isWriteModeOn());
}

void BoardPage::toggleCode(Handle handle)
{
    if (!m_session || handle == noHandle || kind() != Kind::Token)
        return;
    if (m_session->acting().codesOf(handle) == Codes::Revealed)
        m_session->acting().hideCode(handle);
    else
        m_session->acting().revealCode(handle);
}

void BoardPage::declare(Handle handle)
{
    const StatePtr state = m_session ? m_session->states().at(handle) : nullptr;
    if (const auto draft = state ? declaringOf(*state) : std::nullopt)
        ConfigDialog::open(m_session, *draft, this);
}

// A menu over the rows: they stand still while it is open.
QMenu* BoardPage::makeMenu()
{
    m_session->board().setFrozen(true);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu, &QMenu::aboutToHide, this, [this] {
        if (m_session)
            m_session->board().setFrozen(false);
    });
    return menu;
}

void BoardPage::act(const Action* action, const std::vector<StatePtr>& targets)
{
    if (!m_session)
        return;
    // Items are chosen in the pane, of the primitive that it shows.
    const StatePtr shown = m_session->states().at(m_selected);
    const bool its =
        targets.size() == 1 && shown && shown->primitive->id == targets.front()->primitive->id;
    const JobChoice jobs = its ? m_detail->chosenJobs() : JobChoice();
    ActionDraft draft{action, targets, {}, {}, {}};
    if (jobs.count > 0 && !jobs.given.empty() && takesJobs(*action, jobs.role)) {
        draft.given = jobs.given;
    } else if (jobs.count > 0 && !jobs.inSeveralKeys && takesJobs(*action, jobs.role)) {
        draft.items = jobs.fingerprints;
        draft.withItems = {{"state", jobRoleId(jobs.role)}, {"from", jobs.key}};
    }
    if (its) {
        const std::vector<ActionParameter> parameters = action->parameters();
        for (const auto& [name, value] : m_detail->chosenValues()) {
            if (action->parameter(name, parameters))
                draft.given[name] = value;
        }
    }
    ActionDialog::open(m_session, draft, this);
}

} // namespace lk
