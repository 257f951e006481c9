// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/labels/breakinglabel.h"

#include <QPainter>
#include <QTextLayout>

#include <cmath>

namespace lk {

BreakingLabel::BreakingLabel(QWidget* parent)
    : QLabel(parent)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText); // what a server holds is never markup
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setFocusPolicy(Qt::NoFocus);
}

void BreakingLabel::setBreaksAnywhere(bool anywhere)
{
    if (std::exchange(m_anywhere, anywhere) == anywhere)
        return;
    setMinimumWidth(anywhere ? 1 : 0); // rather than widen its pane it takes another line
    updateGeometry();
}

bool BreakingLabel::breaksAt(int width) const
{
    return m_anywhere && fontMetrics().horizontalAdvance(text()) > width;
}

int BreakingLabel::layOut(int width, QPainter* painter) const
{
    QTextLayout layout(text(), font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    qreal y = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(std::max(1, width));
        line.setPosition({0, y});
        y += line.height();
    }
    layout.endLayout();
    if (painter)
        layout.draw(painter, QPointF(0, 0));
    return int(std::ceil(y));
}

int BreakingLabel::heightForWidth(int width) const
{
    return breaksAt(width) ? layOut(width, nullptr) : QLabel::heightForWidth(width);
}

QSize BreakingLabel::sizeHint() const
{
    const QSize hint = QLabel::sizeHint();
    return m_anywhere ? QSize(fontMetrics().horizontalAdvance(text()), fontMetrics().height())
                      : hint;
}

QSize BreakingLabel::minimumSizeHint() const
{
    return m_anywhere ? QSize(1, fontMetrics().height()) : QLabel::minimumSizeHint();
}

void BreakingLabel::paintEvent(QPaintEvent* event)
{
    if (!breaksAt(width()))
        return QLabel::paintEvent(event);
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    layOut(width(), &painter);
}

} // namespace lk
