// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/armedframe.h"

#include <QEvent>
#include <QPainter>

namespace lk {

namespace {

constexpr int thickness = 3;

} // namespace

ArmedFrame::ArmedFrame(QWidget* window)
    : QWidget(window)
{
    setObjectName(QStringLiteral("armedFrame"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAccessibleName(tr("Armed: this window can change the server"));
    window->installEventFilter(this);
    hide();
}

void ArmedFrame::showIn(ColorRole role)
{
    m_role = role;
    fit();
    show();
    raise();
    update();
}

bool ArmedFrame::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize)
        fit();
    return QWidget::eventFilter(watched, event);
}

// Only the frame itself is part of the widget: what changes inside need not be painted twice.
void ArmedFrame::fit()
{
    setGeometry(parentWidget()->rect());
    setMask(QRegion(rect()).subtracted(
        rect().adjusted(thickness, thickness, -thickness, -thickness)));
}

void ArmedFrame::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), themeColors(palette()).of(m_role));
}

} // namespace lk
