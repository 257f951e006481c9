// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/environmentbadge.h"

#include "backend/core/names/environment.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QPainter>

namespace lk {

namespace {

constexpr int padding = 6;
constexpr int gap = 4;
constexpr int longestText = 240; // pixels

QString shown(const QString& label, const QFontMetrics& metrics)
{
    return metrics.elidedText(label.toUpper(), Qt::ElideRight, longestText);
}

bool oneOf(const QString& label, std::initializer_list<const char*> words)
{
    return std::any_of(words.begin(), words.end(), [&](const char* word) {
        return label.compare(QLatin1String(word), Qt::CaseInsensitive) == 0;
    });
}

} // namespace

EnvironmentStyle environmentStyle(const QString& label)
{
    const QString word = label.trimmed();
    if (isProduction(word))
        return {ColorRole::Danger, QStringLiteral("warning"), true};
    if (oneOf(word, {"staging", "stage", "preproduction", "preprod"}))
        return {ColorRole::Warning, QStringLiteral("watch"), false};
    if (oneOf(word, {"development", "dev", "local", "test", "demo"}))
        return {ColorRole::Teal, QStringLiteral("settings"), false};
    return {ColorRole::Accent, QStringLiteral("flag"), false};
}

QIcon environmentIcon(const QString& label, const QPalette& palette)
{
    const EnvironmentStyle style = environmentStyle(label);
    return label.isEmpty() ? QIcon() : icon(style.icon, style.role, palette);
}

QSize environmentBadgeSize(const QString& label, const QFont& font)
{
    if (label.isEmpty())
        return {};
    const QFontMetrics metrics(font);
    return {2 * padding + metrics.ascent() + gap + metrics.horizontalAdvance(shown(label, metrics)),
            metrics.height() + 4};
}

void paintEnvironmentBadge(QPainter& painter, const QRect& rect, const QString& label,
                           const QPalette& palette)
{
    if (label.isEmpty())
        return;
    const EnvironmentStyle style = environmentStyle(label);
    const ThemeColors& colors = themeColors(palette);
    const QColor ink = style.filled ? colors.surface : colors.of(style.role);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(colors.of(style.role));
    painter.setBrush(style.filled ? colors.of(style.role) : colors.tint(style.role));
    painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    const QFontMetrics metrics = painter.fontMetrics();
    const int side = metrics.ascent();
    const QRect picture(rect.left() + padding, rect.center().y() - side / 2 + 1, side, side);
    icon(style.icon, style.filled ? ColorRole::Surface : style.role, palette)
        .paint(&painter, picture);
    painter.setPen(ink);
    painter.drawText(rect.adjusted(padding + side + gap, 0, -padding, 0),
                     Qt::AlignLeft | Qt::AlignVCenter, shown(label, metrics));
    painter.restore();
}

EnvironmentBadge::EnvironmentBadge(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QFont bold = uiFont(TextSize::Caption);
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
}

void EnvironmentBadge::setLabel(const QString& label)
{
    m_label = label.simplified();
    setAccessibleName(m_label.isEmpty() ? tr("No environment")
                                        : tr("Environment: %1").arg(m_label));
    updateGeometry();
    update();
}

void EnvironmentBadge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintEnvironmentBadge(painter, {QPoint(0, (height() - sizeHint().height()) / 2), sizeHint()},
                          m_label, palette());
}

} // namespace lk
