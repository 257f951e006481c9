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
    /// What came of show(): by the notification's id; empty: it is shown.
    void answered(const QByteArray& id, const QString& problem);
    /// A person pressed it: the alert that it is about; empty: several.
    void activated(const QByteArray& alert);

private slots:
    void onAction(uint id, const QString& action);
    void onClosed(uint id, uint reason);

private:
    void onShown(uint id, const QByteArray& alert);

    QHash<QByteArray, uint> m_ids;    ///< of the service, by alert
    QHash<uint, QByteArray> m_alerts; ///< the other way round
};

} // namespace lk
