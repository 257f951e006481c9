// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/opensessions.h"

#include "backend/session/session.h"

namespace lk {

int OpenSessions::placeOf(const Session* session) const
{
    return int(m_all.indexOf(session));
}

void OpenSessions::add(Session* session)
{
    m_all.append(session);
    emit changed();
}

void OpenSessions::remove(Session* session)
{
    m_all.removeOne(session);
    if (m_front == session)
        m_front = nullptr;
    emit changed();
}

void OpenSessions::setFront(Session* session)
{
    if (m_front == session)
        return;
    m_front = session;
    emit changed();
}

} // namespace lk
