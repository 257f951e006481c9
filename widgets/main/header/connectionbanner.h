// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace lk {

/// Below the header while there is a problem with the connection or the server: the problem, the
/// next step, and a button for it. Hidden otherwise.
class ConnectionBanner final : public QWidget
{
    Q_OBJECT

public:
    explicit ConnectionBanner(QWidget* parent = nullptr);

    void setSession(Session* session);
    /// A message of another kind: a configuration file that was refused.
    void setNotice(const QString& text);
    bool hasNotice() const { return !m_notice.isEmpty(); }
    QString text() const;

signals:
    void passwordWanted();
    /// The server is a replica by now, and this is its master: "10.0.0.1:6379".
    void masterWanted(const QString& endpoint);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    QString readyText() const;
    QString offeredMaster() const;

    QPointer<Session> m_session;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_retry;
    QPushButton* m_password;
    QPushButton* m_master;
    QTimer m_second;
    QElapsedTimer m_sinceLost;   ///< since the connection was lost first
    QElapsedTimer m_sinceStatus; ///< since the last word about it
    QString m_notice;
    QString m_demoted; ///< the text about a master that has become a replica
    QString m_refused; ///< why write mode could not be turned on; for a while
    QTimer m_refusedFor;
};

} // namespace lk
