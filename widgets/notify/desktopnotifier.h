// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>

namespace lk {

/// Shows notifications by the desktop's own service (org.freedesktop.Notifications over D-Bus).
/// GUI thread; never waits for the service.
class DesktopNotifier final : public QObject
{
    Q_OBJECT

public:
    explicit DesktopNotifier(QObject* parent = nullptr);

    /// A notification as notificationJson() makes it. That an alert is resolved replaces the
    /// notification that it fired.
    void show(const QByteArray& json);

signals:
    /// The result of show(), with the notification's id. problem: empty if it is shown.
    void answered(const QByteArray& id, const QString& problem);
    /// The user pressed a notification. alert: its alert; empty if there are several.
    void activated(const QByteArray& alert);

private slots:
    void onAction(uint id, const QString& action);
    void onClosed(uint id, uint reason);

private:
    void onShown(uint id, const QByteArray& alert);

    QHash<QByteArray, uint> m_ids;    ///< the service's ids, by alert
    QHash<uint, QByteArray> m_alerts; ///< the other way round
};

} // namespace lk
