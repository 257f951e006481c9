// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPointer>
#include <QWidget>

class QToolButton;

namespace lk {

class ElidedLabel;

/// Along the bottom: the progress of the scan, how changes are noticed, what the console itself
/// costs.
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
    ElidedLabel* m_scan;
    QToolButton* m_stop; ///< visible during the first scan
    ElidedLabel* m_feed;
    ElidedLabel* m_cost;
};

} // namespace lk
