// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPushButton>

class QLabel;

namespace lk {

/// Says whether somebody requeues stuck jobs of the queue that is shown, and since when; its button
/// begins and ends that. Hidden for queues whose jobs cannot be requeued.
class AutoRequeueNotice final : public QWidget
{
    Q_OBJECT

public:
    explicit AutoRequeueNotice(QWidget* parent = nullptr);

    void setQueue(Session& session, const PrimitivePtr& queue);

protected:
    void changeEvent(QEvent* event) override;

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
