// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace lk {

/// Along the bottom: what was scanned, how changes are noticed, what the console itself costs.
class StatusLine final : public QWidget
{
    Q_OBJECT

public:
    explicit StatusLine(QWidget* parent = nullptr);

    void setSession(Session* session);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    QPointer<Session> m_session;
    QLabel* m_scan;
    QToolButton* m_stop; ///< there while the first scan is under way
    QLabel* m_feed;
    QLabel* m_cost;
};

} // namespace lk
