// SPDX-License-Identifier: GPL-3.0-or-later
// The board's interface to the window: its commands, targets, and state.
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionstates.h"
#include "widgets/boards/boardpage.h"

#include "backend/findings/findingtraits.h"
#include "widgets/board/filterbar.h"
#include "widgets/boards/rowgroups.h"
#include "widgets/controls/panels/panesplitter.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/detail/jobs/dialog/jobdialog.h"
#include "widgets/detail/pane/detailpane.h"
#include "widgets/redlock/redlocklist.h"

#include <QHeaderView>
#include <QTableView>

namespace lk {

namespace {
const QString groupsKey = QStringLiteral("groups");
const QString otherTablesKey = QStringLiteral("tables"); // besides the board's rows
} // namespace

void BoardPage::offerCommands()
{
    offer(BoardCommand::FocusFilter, [this] { m_filter->focusField(); });
    offer(BoardCommand::Pin, [this] { togglePin(); });
    if (kind() == Kind::Token)
        offer(BoardCommand::RevealCode, [this] { toggleCode(m_selected); });
    offer(BoardCommand::Act, [this] {
        if (!m_redlocks || !m_redlocks->act())
            showActions();
    });
    offer(BoardCommand::WhatHappened, [this] { m_detail->showTimeline(); });
    offer(BoardCommand::CopyRows, [this] { copySelection(); });
    offer(BoardCommand::SaveTable, [this] { exportCsv(); });
}

QVariantMap BoardPage::arrangement() const
{
    QVariantMap state = ListBoard::arrangement();
    if (const QVariantMap groups = m_groups->state(); !groups.isEmpty())
        state.insert(groupsKey, groups);
    if (const QVariantMap tables = arrangementsIn(*this); !tables.isEmpty())
        state.insert(otherTablesKey, tables);
    return state;
}

void BoardPage::arrange(const QVariantMap& state)
{
    ListBoard::arrange(state);
    setArrangementsIn(*this, state.value(otherTablesKey).toMap());
    m_groups->setState(state.value(groupsKey).toMap());
    shareWidth();
}

BoardBadge BoardPage::badge() const
{
    const SummaryPtr summary = m_session ? m_session->board().summary() : nullptr;
    if (!summary)
        return {};
    const KindSummary& its = summary->of(kind());
    Health worst = its.worst();
    // Includes the list above the table, whose rows are no primitives of this server.
    const LiveFindingsPtr findings = m_redlocks ? m_session->findings().latest() : nullptr;
    if (const auto severity = findings ? worstOfRedlock(*findings) : std::nullopt)
        worst = std::max(worst,
                         *severity == Finding::Severity::Error ? Health::Error : Health::Warning);
    return primitivesBadge(its.total, worst);
}

bool BoardPage::shows(const BoardTarget& target) const
{
    if (const auto* primitive = std::get_if<PrimitiveTarget>(&target))
        return primitive->kind == kind();
    if (std::holds_alternative<JobTarget>(target))
        return kind() == Kind::Queue;
    const auto* rows = std::get_if<RowsTarget>(&target);
    return rows && rows->kind == kind();
}

void BoardPage::open(const BoardTarget& target)
{
    const auto* primitive = std::get_if<PrimitiveTarget>(&target);
    if (primitive && primitive->handle != noHandle)
        select(primitive->handle);
    else if (const auto* job = std::get_if<JobTarget>(&target))
        openJob(*job);
    else if (const auto* rows = std::get_if<RowsTarget>(&target))
        showRows(*rows);
}

// Found by its id: its state is not known, its queue is.
void BoardPage::openJob(const JobTarget& target)
{
    select(target.queue);
    if (const StatePtr queue = m_session ? m_session->states().at(target.queue) : nullptr)
        JobDialog::open({m_session, target.queue, queue, {}, target.job, {}}, this);
}

void BoardPage::showRows(const RowsTarget& target)
{
    if (target.order != RowsTarget::Order::AsItIs) {
        const int column =
            target.order == RowsTarget::Order::SoonestFirst ? expiryColumn(kind()) : -1;
        m_table->horizontalHeader()->setSortIndicator(column, Qt::AscendingOrder);
    }
    m_filter->clear();
    m_filter->setText(target.filter);
    if (!target.set.isAll())
        m_filter->choose({rowSetId(target.set), rowSetTitle(target.set)});
    if (target.order == RowsTarget::Order::AsItIs)
        return;
    m_table->scrollToTop();
    if (target.order == RowsTarget::Order::SoonestFirst)
        m_table->setFocus();
}

} // namespace lk
