// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/deployments/deploymentstatus.h"

#include <QAbstractButton>
#include <QPointer>

namespace lk {

/// One open deployment's place in the switcher: its environment's colour and icon, its name, and
/// below how it is. Repaints itself as that changes.
class DeploymentButton final : public QAbstractButton
{
    Q_OBJECT

public:
    static constexpr int narrowest = 120; ///< pixels

    explicit DeploymentButton(Session* session, QWidget* parent = nullptr);

    const Session* session() const { return m_session; }
    void setKey(const QKeySequence& key); ///< for its tip; empty: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void closeWanted(); ///< by a middle click

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void nextCheckState() override {} ///< the switcher sets the state

private:
    void refresh();
    int paintWord(QPainter& painter, const StatusWord& word, QRect line) const;

    QPointer<Session> m_session;
    QKeySequence m_key;
    StatusWord m_state;
    StatusWord m_worst;
    bool m_writes = false;
};

} // namespace lk
