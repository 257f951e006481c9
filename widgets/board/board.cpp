// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/board.h"

#include <utility>

namespace lk {

Board::Board(Names names, QWidget* parent)
    : QWidget(parent)
    , m_names(std::move(names))
{
    setObjectName(m_names.id);
}

void Board::setSession(Session* session)
{
    if (m_session)
        m_session->disconnectAll(this);
    m_session = session;
    Session* live = session ? session->live() : nullptr;
    m_same = live && m_live == live;
    m_live = live;
    if (m_built)
        sessionChanged();
    emit badgeChanged();
}

void Board::ensureBuilt()
{
    if (std::exchange(m_built, true))
        return;
    build();
    m_same = false; // none was shown before
    sessionChanged();
    arrange(std::exchange(m_kept, {}));
    emit badgeChanged();
}

void Board::setActive(bool active)
{
    if (active)
        ensureBuilt();
    m_active = active;
    if (m_built)
        activeChanged();
}

void Board::setViewState(const QVariantMap& state)
{
    if (m_built)
        arrange(state);
    else
        m_kept = state;
}

void Board::run(BoardCommand command)
{
    ensureBuilt();
    if (const auto& action = m_commands.value(command))
        action();
}

void Board::offer(BoardCommand command, std::function<void()> action)
{
    m_commands.insert(command, std::move(action));
}

} // namespace lk
