// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/notify/alerttray.h"

#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>
#include <QPainter>

namespace lk {

AlertTray::AlertTray(QObject* parent)
    : QObject(parent)
{
    m_menu.addAction(tr("Show alerts"), this, &AlertTray::activated);
    m_icon.setContextMenu(&m_menu);
    connect(&m_icon, &QSystemTrayIcon::activated, this,
            [this](QSystemTrayIcon::ActivationReason reason) {
                if (reason != QSystemTrayIcon::Context)
                    emit activated();
            });
}

QIcon AlertTray::iconFor(qint64 count, std::optional<Finding::Severity> worst)
{
    QIcon icon;
    for (const int size : {22, 32, 48, 64}) {
        QPixmap pixmap = applicationIcon().pixmap(size, size);
        if (count > 0 && worst) {
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            const QRectF badge(size * 0.38, size * 0.38, size * 0.62, size * 0.62);
            const QPalette palette = QGuiApplication::palette();
            const ThemeColors& colors = themeColors(palette);
            painter.setPen(Qt::NoPen);
            painter.setBrush(colors.of(severityRole(*worst)));
            painter.drawEllipse(badge);
            QFont font = painter.font();
            font.setBold(true);
            font.setPixelSize(std::max(8, int(badge.height() * (count > 9 ? 0.5 : 0.7))));
            painter.setFont(font);
            painter.setPen(colors.surface);
            painter.drawText(badge, Qt::AlignCenter,
                             count > 99 ? QStringLiteral("99") : QString::number(count));
        }
        icon.addPixmap(pixmap);
    }
    return icon;
}

QString AlertTray::tipFor(qint64 count, const QString& name)
{
    return count == 0 ? tr("Lockkeeper: no open alerts in %1").arg(name)
                      : tr("Lockkeeper: %n open alert(s) in %1", nullptr, int(count)).arg(name);
}

void AlertTray::setCount(qint64 count, std::optional<Finding::Severity> worst, const QString& name)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable() || (count == 0 && !m_icon.isVisible()))
        return;
    m_icon.setIcon(iconFor(count, worst));
    m_icon.setToolTip(tipFor(count, name));
    m_icon.show();
}

} // namespace lk
