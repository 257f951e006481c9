// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/writemode/writemodeframe.h"

#include "widgets/theme/theme.h"

#include <QEvent>
#include <QPainter>

namespace lk {

namespace {

constexpr int thickness = 3;
constexpr int tabMargin = 10;  // between the tab's edges and its text
constexpr int tabFromEnd = 24; // of the window's right edge

} // namespace

WriteModeFrame::WriteModeFrame(QWidget* window)
    : QWidget(window)
{
    setObjectName(QStringLiteral("writeModeFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    QFont bold = uiFont(TextSize::Caption);
    bold.setWeight(QFont::DemiBold);
    setFont(bold);
    setAccessibleName(tr("Write mode: this window can change the server"));
    window->installEventFilter(this);
    hide();
}

void WriteModeFrame::showIn(ColorRole role, const QString& text)
{
    m_role = role;
    m_text = text;
    fit();
    show();
    raise();
    update();
}

void WriteModeFrame::showPast()
{
    showIn(ColorRole::Violet);
    setAccessibleName(tr("Past: this window shows another time"));
}

bool WriteModeFrame::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        fit();
    return QWidget::eventFilter(watched, event);
}

// Only the frame itself is part of the widget: what changes inside need not be painted twice.
void WriteModeFrame::fit()
{
    setGeometry(parentWidget()->rect());
    setMask(
        QRegion(rect()).subtracted(rect().adjusted(thickness, thickness, -thickness, -thickness)) +
        tab());
}

QString WriteModeFrame::text() const
{
    return fontMetrics().elidedText(m_text, Qt::ElideMiddle, width() / 3);
}

QRect WriteModeFrame::tab() const
{
    if (m_text.isEmpty())
        return {};
    const int wide = fontMetrics().horizontalAdvance(text()) + 2 * tabMargin;
    return {width() - tabFromEnd - wide, 0, wide, fontMetrics().height() + thickness + 1};
}

void WriteModeFrame::paintEvent(QPaintEvent*)
{
    const ThemeColors& colors = themeColors(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.of(m_role));
    painter.setPen(colors.surface);
    painter.drawText(tab(), Qt::AlignCenter, text());
}

} // namespace lk
