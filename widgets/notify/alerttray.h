// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"

#include <QMenu>
#include <QSystemTrayIcon>

namespace lk {

/// The number of unattended alerts, in the desktop's tray if there is one. GUI thread.
class AlertTray final : public QObject
{
    Q_OBJECT

public:
    explicit AlertTray(QObject* parent = nullptr);

    /// Seen from the first alert on. name: of the deployment.
    void setCount(qint64 count, std::optional<Finding::Severity> worst, const QString& name);
    void hide() { m_icon.hide(); }

    /// The application's mark with the number on it.
    static QIcon iconFor(qint64 count, std::optional<Finding::Severity> worst);
    static QString tipFor(qint64 count, const QString& name);

signals:
    void activated(); ///< the user wants to see the alerts

private:
    QMenu m_menu;
    QSystemTrayIcon m_icon;
};

} // namespace lk
