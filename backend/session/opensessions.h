// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

namespace lk {

class Session;

/// The deployments that are open side by side, in the order in which they were opened, and the one
/// in front. Does not own them: remove a session before it is destroyed. GUI thread.
class OpenSessions final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    const QList<Session*>& all() const { return m_all; }
    int count() const { return int(m_all.size()); }
    Session* at(int place) const { return m_all.value(place); } ///< null if there is none
    int placeOf(const Session* session) const;                  ///< -1: it is not open
    /// The live session in front, even while its past is shown. Null if none is open.
    Session* front() const { return m_front; }

    void add(Session* session);
    void remove(Session* session); ///< if it was in front, none is afterwards
    void setFront(Session* session);

signals:
    void changed(); ///< the open sessions, or the one in front

private:
    QList<Session*> m_all;
    Session* m_front = nullptr;
};

} // namespace lk
