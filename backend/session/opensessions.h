// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

namespace lk {

class Session;

/// The deployments that are open side by side, in the order in which they were opened, and the one
/// that is in front. Not owned: whoever ends a session takes it out first. GUI thread.
class OpenSessions final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    const QList<Session*>& all() const { return m_all; }
    int count() const { return int(m_all.size()); }
    Session* at(int place) const { return m_all.value(place); } ///< null where there is none
    int placeOf(const Session* session) const;                  ///< -1: it is not open
    /// The live one, also while its past is shown. Null: none is open.
    Session* front() const { return m_front; }

    void add(Session* session);
    void remove(Session* session); ///< none is in front then, if that was
    void setFront(Session* session);

signals:
    void changed(); ///< which there are, or which is in front

private:
    QList<Session*> m_all;
    Session* m_front = nullptr;
};

} // namespace lk
