// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/writemode/writemodeframe.h"

#include <QEvent>
#include <QPainter>

namespace lk {

namespace {

constexpr int thickness = 3;

} // namespace

WriteModeFrame::WriteModeFrame(QWidget* window)
    : QWidget(window)
{
    setObjectName(QStringLiteral("writeModeFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Write mode: this window can change the server"));
    window->installEventFilter(this);
    hide();
}

void WriteModeFrame::showIn(ColorRole role)
{
    m_role = role;
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
        QRegion(rect()).subtracted(rect().adjusted(thickness, thickness, -thickness, -thickness)));
}

void WriteModeFrame::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), themeColors(palette()).of(m_role));
}

} // namespace lk
