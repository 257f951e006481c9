// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPushButton>

class QLabel;

namespace lk {

/// Says whether this console or another one requeues stuck jobs of the shown queue, and since when.
/// Its button starts and stops that. Hidden for queues whose jobs cannot be requeued.
class AutoRequeueNotice final : public QWidget
{
    Q_OBJECT

public:
    explicit AutoRequeueNotice(QWidget* parent = nullptr);

    void setQueue(Session& session, const PrimitivePtr& queue);

private:
    void refresh();
    void onClicked();

    QPointer<Session> m_session;
    PrimitivePtr m_queue;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_button;
};

} // namespace lk
