// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPointer>
#include <QToolButton>

namespace lk {

/// One quiet line below a board: how many keys may be what it shows, and are not counted. Opens
/// their list. Hidden while there are none.
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
