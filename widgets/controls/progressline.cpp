// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/progressline.h"

#include "widgets/theme/themecolors.h"

#include <QPainter>

#include <algorithm>

namespace lk {

namespace {

constexpr int lineHeight = 4;
constexpr int leastWidth = 48;

} // namespace

ProgressLine::ProgressLine(const QString& accessibleName, QWidget* parent)
    : QProgressBar(parent)
{
    setAccessibleName(accessibleName);
    setRange(0, 100);
    setTextVisible(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ProgressLine::setPercent(std::optional<int> percent)
{
    setValue(percent.value_or(0));
}

QSize ProgressLine::sizeHint() const
{
    return {4 * leastWidth, lineHeight};
}

QSize ProgressLine::minimumSizeHint() const
{
    return {leastWidth, lineHeight};
}

void ProgressLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const ThemeColors& colors = themeColors(palette());
    const QRectF whole(0, 0, width(), lineHeight);
    const double radius = lineHeight / 2.0;
    painter.setBrush(colors.border);
    painter.drawRoundedRect(whole, radius, radius);
    const double filled = whole.width() * std::max(0, value()) / maximum();
    if (value() <= 0)
        return;
    painter.setBrush(colors.accent);
    painter.drawRoundedRect(QRectF(0, 0, std::max<double>(filled, lineHeight), lineHeight), radius,
                            radius);
}

} // namespace lk
