// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/labels/elidedlabel.h"

#include "widgets/theme/plaintip.h"

#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace lk {

namespace {

constexpr int leastCharacters = 8; // of the text stay to be read

} // namespace

ElidedLabel::ElidedLabel(QWidget* parent, Qt::TextElideMode mode)
    : QWidget(parent)
    , m_mode(mode)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    if (mode == Qt::ElideMiddle)
        setLayoutDirection(Qt::LeftToRight); // an address reads so in every language
}

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    setToolTip(plainTip(text));
    setAccessibleName(text);
    updateGeometry();
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const
{
    const int least = leastCharacters * fontMetrics().averageCharWidth();
    return {std::min(sizeHint().width(), least), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const Qt::Alignment side =
        QStyle::visualAlignment(layoutDirection(), Qt::AlignLeading | Qt::AlignVCenter);
    painter.drawText(rect(), int(side), fontMetrics().elidedText(m_text, m_mode, width()));
}

} // namespace lk
