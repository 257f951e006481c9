// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/redlock/redlockpane.h"

#include "backend/session/redlock/redlocks.h"
#include "widgets/redlock/redlockdetail.h"
#include "widgets/redlock/redlockdialog.h"
#include "widgets/redlock/redlocklist.h"

#include <QStackedWidget>

#include <algorithm>

namespace lk {

namespace {

constexpr int leastIntervalMs = 1000; // each of several servers is asked

// A lock without an owner is free on every server that answers.
RedlockState stateOf(const RedlockReport& report, const QByteArray& name)
{
    const auto it = std::lower_bound(
        report.locks.begin(), report.locks.end(), name,
        [](const RedlockState& state, const QByteArray& wanted) { return state.name < wanted; });
    if (it != report.locks.end() && it->name == name)
        return *it;
    std::vector<RedlockVote> votes;
    for (const RedlockServer& server : report.servers) {
        RedlockVote vote;
        vote.endpoint = server.endpoint;
        vote.error = server.error;
        votes.push_back(std::move(vote));
    }
    return countVotes(name, std::move(votes), report.group.quorum());
}

} // namespace

RedlockPane::RedlockPane(QWidget* pane, QWidget* board)
    : QObject(board)
    , m_board(board)
    , m_list(new RedlockList)
    , m_detail(new RedlockDetail)
    , m_pane(new QStackedWidget)
{
    m_pane->addWidget(pane);
    m_pane->addWidget(m_detail);
    connect(m_list, &RedlockList::selected, this, &RedlockPane::choose);
    connect(m_list, &RedlockList::wanted, this, &RedlockPane::act);
    connect(m_detail, &RedlockDetail::releaseWanted, this, &RedlockPane::release);
}

QWidget* RedlockPane::list() const
{
    return m_list;
}

QWidget* RedlockPane::pane() const
{
    return m_pane;
}

void RedlockPane::setSession(Session* session)
{
    if (m_session)
        m_session->disconnect(this);
    m_session = session;
    leave();
    // Locks of groups are not recorded, so the past does not show them.
    Redlocks* now = session && !session->isPast() ? Redlocks::of(*session) : nullptr;
    if (m_redlocks && m_redlocks != now) {
        m_redlocks->disconnect(this);
        m_redlocks->watch(0);
    }
    if (now && now != m_redlocks) {
        connect(now, &Redlocks::changed, this, &RedlockPane::refresh);
        connect(now, &Redlocks::groupsChanged, this, [this] {
            leave();
            refresh();
        });
    }
    m_redlocks = now;
    refresh();
}

void RedlockPane::setActive(bool active)
{
    m_active = active;
    refresh();
}

void RedlockPane::watch()
{
    if (!m_redlocks)
        return;
    const bool visible = m_active && m_session;
    m_redlocks->watch(visible ? std::max(m_session->pollingIntervalMs(), leastIntervalMs) : 0);
}

void RedlockPane::setFilter(const QString& text)
{
    m_filter = text;
    refresh();
}

void RedlockPane::refresh()
{
    m_list->show(m_redlocks ? m_redlocks->reports() : std::vector<RedlockReportPtr>(), m_filter);
    if (m_selected)
        m_list->select(*m_selected);
    watch(); // the polling interval may be another
    showDetail();
}

void RedlockPane::choose(const RedlockId& id)
{
    m_selected = id;
    emit taken();
    showDetail();
    m_pane->setCurrentWidget(m_detail);
}

void RedlockPane::leave()
{
    m_selected.reset();
    m_list->clearSelection();
    m_pane->setCurrentIndex(0);
}

QString RedlockPane::whyNot() const
{
    return m_redlocks && m_redlocks->canAct()
               ? QString()
               : tr("this session has no journal, so it is read-only");
}

void RedlockPane::showDetail()
{
    if (!m_selected || !m_redlocks)
        return;
    if (const RedlockReportPtr& report = m_redlocks->reports()[m_selected->group])
        m_detail->show(stateOf(*report, m_selected->name), *report, whyNot());
}

bool RedlockPane::act()
{
    if (!m_selected || !m_redlocks)
        return false;
    const RedlockReportPtr& report = m_redlocks->reports()[m_selected->group];
    const RedlockState state = report ? stateOf(*report, m_selected->name) : RedlockState();
    if (state.holds > 0)
        release(state.owner);
    return true;
}

void RedlockPane::release(const QByteArray& owner)
{
    if (m_selected && m_redlocks && m_session && m_redlocks->canAct())
        RedlockDialog::open(m_session, m_redlocks, m_selected->group, {m_selected->name, owner},
                            m_board);
}

} // namespace lk
