// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPointer>
#include <QToolButton>

namespace lk {

/// A quiet line below a board: the number of keys that may be primitives of its kind and are not
/// counted. Opens their list. Hidden if there are none.
class PossibleNotice final : public QToolButton
{
    Q_OBJECT

public:
    explicit PossibleNotice(Kind kind, QWidget* parent = nullptr);

    void setSession(Session* session);

private:
    void update();

    Kind m_kind;
    QPointer<Session> m_session;
};

} // namespace lk
