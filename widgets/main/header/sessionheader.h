// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"

#include <QPointer>
#include <QWidget>

class QComboBox;
class QLabel;
class QToolButton;

namespace lk {

class WriteModeButton;
class EnvironmentBadge;
class ElidedLabel;

/// Across the top: which server this is, how it answers, and the controls of the session.
class SessionHeader final : public QWidget
{
    Q_OBJECT

public:
    explicit SessionHeader(QWidget* parent = nullptr);

    void setSession(Session* session);
    /// The boards show a moment of the past: the header offers no actions.
    void setPast(bool past);
    void showWriteMode(); ///< the menu that turns it on or off
    int pollingIntervalMs() const;
    void setPollingIntervalMs(int ms); ///< one that is not offered: the default

signals:
    void connectWanted();
    void masterWanted(const QString& endpoint); ///< the master of a replica

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void updateIcons();
    void fitFacts();

    QPointer<Session> m_session;
    EnvironmentBadge* m_environment;
    ElidedLabel* m_endpoint;
    QLabel* m_facts;
    QStringList m_parts; ///< the parts of m_facts, shown as far as they fit
    QToolButton* m_pause;
    QToolButton* m_rescan;
    QComboBox* m_rate;
    WriteModeButton* m_writeMode;
    QToolButton* m_connect;
};

} // namespace lk
