// SPDX-License-Identifier: GPL-3.0-or-later
// The actions of the findings page on its rows.
#include "widgets/findings/findingspage.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/session/session.h"
#include "backend/session/sessionstates.h"
#include "widgets/actions/dialog/actiondialog.h"
#include "widgets/board/filterbar.h"
#include "widgets/declare/configdialog.h"
#include "widgets/findings/findingmodel.h"
#include "widgets/findings/suggestedfix.h"
#include "widgets/saving/saveas.h"
#include "widgets/theme/icon.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

namespace lk {

void FindingsPage::offerCommands()
{
    offer(BoardCommand::FocusFilter, [this] { m_filter->focusField(); });
    offer(BoardCommand::Act, [this] { fix(); });
    offer(BoardCommand::CopyRows, [this] { copySelection(); });
    offer(BoardCommand::SaveTable, [this] { exportCsv(); });
}

void FindingsPage::exportCsv()
{
    askToSaveCsv(this, tr("Save the table"), tr("findings"), [this] { return m_model->csv(); });
}

RowsText FindingsPage::csvOf(const std::vector<int>& rows) const
{
    return m_model->csv(rows);
}

void FindingsPage::fix()
{
    applyFix(m_selected);
}

void FindingsPage::applyFix(quint64 id)
{
    const int row = m_model->rowOf(id);
    const LiveFindingPtr live = m_model->findingAt(row);
    if (!live || !m_session || m_model->isGone(row))
        return;
    const SuggestedFix fix = suggestedFixFor(*live, *m_session);
    if (!fix.action || !fix.whyNot.isEmpty())
        return;
    ActionDraft draft{fix.action, {fix.target}, {}, {}, {}};
    // An action on any key is about the one that the finding names.
    if (fix.action->parameter("key", fix.action->parameters()) &&
        live->finding.key != fix.target->primitive->keys.front().key)
        draft.given["key"] = live->finding.key;
    ActionDialog::open(m_session, std::move(draft), this);
}

void FindingsPage::silence(const LiveFindingPtr& live)
{
    if (m_session && live)
        ConfigDialog::open(m_session, silencingOf(*live), this);
}

void FindingsPage::goToObject(quint64 id)
{
    const LiveFindingPtr live = m_model->findingAt(m_model->rowOf(id));
    if (!live || !m_session)
        return;
    if (live->finding.ofServer)
        return emit wanted(ServerTarget{});
    if (live->boardless)
        return;
    QByteArray name = live->finding.name;
    if (live->finding.about == Finding::About::Unread)
        name.clear(); // it is a permission's: all of the board
    if (live->handle == noHandle && name.endsWith('*'))
        name.chop(1);
    if (live->handle == noHandle)
        emit wanted(RowsTarget{live->kind, exactName(name), {}, RowsTarget::Order::AsItIs});
    else if (m_session->states().at(live->handle))
        emit wanted(PrimitiveTarget{live->kind, live->handle});
}

// All of it is about the row under the pointer: with several selected, the pane may show another.
void FindingsPage::showMenu(const QPoint& position)
{
    const int row = m_table->indexAt(position).row();
    const LiveFindingPtr live = m_model->findingAt(row);
    if (!live || !m_session)
        return;
    const quint64 id = live->id;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const SuggestedFix fix = suggestedFixFor(*live, *m_session);
    if (fix.action) {
        QAction* entry = menu->addAction(fix.action->title() + QStringLiteral("…"), this,
                                         [this, id] { applyFix(id); });
        entry->setEnabled(fix.whyNot.isEmpty() && !m_model->isGone(row));
    }
    QAction* go = menu->addAction(live->finding.ofServer     ? tr("Show the server")
                                  : live->handle == noHandle ? tr("Show rows")
                                                             : tr("Show"),
                                  this, [this, id] { goToObject(id); });
    go->setEnabled(!live->boardless && (live->handle == noHandle || fix.target));
    if (!live->finding.silenced)
        menu->addAction(tr("Silence here…"), this, [this, live] { silence(live); });
    menu->addSeparator();
    const Finding& finding = live->finding;
    const QString key = exactKey(finding.kind, finding.ofServer ? finding.name : finding.key);
    menu->addAction(icon(QStringLiteral("copy"), palette()),
                    finding.ofServer ? tr("Copy address") : tr("Copy key"), this,
                    [key] { QApplication::clipboard()->setText(key); });
    menu->addAction(tr("Copy selected rows"), this, &FindingsPage::copySelection);
    m_model->setHeld(true);
    connect(menu, &QMenu::aboutToHide, this,
            [this] { m_model->setHeld(m_table->viewport()->underMouse()); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

} // namespace lk
