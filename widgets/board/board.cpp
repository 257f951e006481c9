// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/board.h"

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
        m_session->disconnect(this);
    m_session = session;
    Session* live = session ? session->live() : nullptr;
    m_same = live && m_live == live;
    m_live = live;
    sessionChanged();
    emit badgeChanged();
}

void Board::setActive(bool active)
{
    m_active = active;
    activeChanged();
}

void Board::run(BoardCommand command)
{
    if (const auto& action = m_commands.value(command))
        action();
}

void Board::offer(BoardCommand command, std::function<void()> action)
{
    m_commands.insert(command, std::move(action));
}

} // namespace lk
