// SPDX-License-Identifier: GPL-3.0-or-later
// What the page of findings offers to do with its rows.
#include "widgets/findings/findingspage.h"

#include "backend/core/keyname.h"
#include "backend/monitor/session.h"
#include "widgets/actions/actiondialog.h"
#include "widgets/boards/tableexport.h"
#include "widgets/findings/findingmodel.h"
#include "widgets/findings/mending.h"
#include "widgets/theme/icon.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QTableView>

namespace lk {

void FindingsPage::exportCsv()
{
    askToSaveCsv(this, tr("findings"), [this] { return m_model->csv(); });
}

void FindingsPage::copySelection()
{
    std::vector<int> rows;
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    for (const QModelIndex& index : selected)
        rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    if (!rows.empty())
        QApplication::clipboard()->setText(m_model->csv(rows));
}

void FindingsPage::mend()
{
    const int row = m_model->rowOf(m_selected);
    const LiveFindingPtr live = m_model->findingAt(row);
    if (!live || !m_session || m_model->isGone(row))
        return;
    const Mending mending = mendingOf(*live, *m_session);
    if (!mending.action || !mending.whyNot.isEmpty())
        return;
    ActionWish wish{mending.action, {mending.target}, {}, {}, {}};
    // An action on any key is about the one that the finding names.
    if (mending.action->parameter("key", mending.action->parameters())
        && live->finding.key != mending.target->primitive->keys.front().key)
        wish.given["key"] = live->finding.key;
    ActionDialog::open(m_session, std::move(wish), this);
}

void FindingsPage::goToObject()
{
    const LiveFindingPtr live = m_model->findingAt(m_model->rowOf(m_selected));
    if (!live || !m_session)
        return;
    QByteArray name = live->finding.name;
    if (live->handle == noHandle && name.endsWith('*'))
        name.chop(1);
    if (live->handle == noHandle)
        emit severalChosen(live->kind, displayName(name));
    else if (m_session->state(live->handle))
        emit chosen(live->kind, live->handle);
}

void FindingsPage::showMenu(const QPoint& position)
{
    const LiveFindingPtr live = m_model->findingAt(m_table->indexAt(position).row());
    if (!live || !m_session)
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const Mending mending = mendingOf(*live, *m_session);
    if (mending.action) {
        QAction* entry = menu->addAction(mending.action->title() + QStringLiteral("…"), this,
                                         &FindingsPage::mend);
        entry->setEnabled(mending.whyNot.isEmpty());
    }
    menu->addAction(live->handle == noHandle ? tr("Show them") : tr("Show it"), this,
                    &FindingsPage::goToObject);
    menu->addSeparator();
    const QString key = displayName(live->finding.key);
    menu->addAction(icon(QStringLiteral("copy"), palette()), tr("Copy key"), this,
                    [key] { QApplication::clipboard()->setText(key); });
    menu->addAction(tr("Copy selected rows"), this, &FindingsPage::copySelection);
    m_model->setHeld(true);
    connect(menu, &QMenu::aboutToHide, this,
            [this] { m_model->setHeld(m_table->viewport()->underMouse()); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

} // namespace lk
