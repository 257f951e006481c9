// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartheader.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

namespace lk {

namespace {

constexpr int gap = 8;

QFont strongFont()
{
    QFont font = uiFont(TextSize::Body);
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace

ChartHeader::ChartHeader(QWidget* parent)
    : QWidget(parent)
    , m_follow(new QToolButton(this))
{
    m_follow->setText(tr("Follow now"));
    m_follow->setToolTip(tr("Return to the present (End)"));
    m_follow->setAccessibleName(tr("Follow now"));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setIconSize({14, 14});
    m_follow->setFont(uiFont(TextSize::Caption));
    m_follow->setIcon(icon(QStringLiteral("to-end"), palette()));
    m_follow->hide();
    connect(m_follow, &QToolButton::clicked, this, &ChartHeader::followWanted);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChartHeader::setTitle(const QString& title, const QString& unit)
{
    m_title = title;
    m_unit = unit;
    update();
}

void ChartHeader::setValue(const QString& value, ColorRole color)
{
    if (m_value == value && m_valueColor == color)
        return;
    m_value = value;
    m_valueColor = color;
    arrange();
    update();
}

void ChartHeader::setFollowing(bool following)
{
    m_follow->setVisible(!following);
    arrange();
    update();
}

QSize ChartHeader::sizeHint() const
{
    return {200,
            std::max(QFontMetrics(strongFont()).height() + gap, m_follow->sizeHint().height())};
}

void ChartHeader::arrange()
{
    const int valueWidth = QFontMetrics(strongFont()).horizontalAdvance(m_value);
    const QSize size = m_follow->sizeHint();
    const int right = width() - valueWidth - (m_value.isEmpty() ? 0 : gap);
    m_follow->setGeometry(right - size.width(), (height() - size.height()) / 2, size.width(),
                          size.height());
}

void ChartHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    const QFont strong = strongFont();
    const QFontMetrics strongMetrics(strong);
    painter.setFont(strong);
    painter.setPen(colors.of(m_valueColor));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, m_value);
    painter.setPen(colors.text);
    int right = width() - strongMetrics.horizontalAdvance(m_value) - gap;
    if (!m_follow->isHidden())
        right = m_follow->x() - gap;

    const QString title = strongMetrics.elidedText(m_title, Qt::ElideRight, right);
    painter.drawText(QRect(0, 0, right, height()), Qt::AlignLeft | Qt::AlignVCenter, title);
    const int unitLeft = strongMetrics.horizontalAdvance(title) + gap;
    // Both on one baseline, though of two sizes.
    const int baseline = (height() + strongMetrics.ascent() - strongMetrics.descent()) / 2;
    const QFont caption = uiFont(TextSize::Caption);
    painter.setFont(caption);
    painter.setPen(colors.second);
    if (right - unitLeft > 3 * gap) {
        painter.drawText(QPoint(unitLeft, baseline), QFontMetrics(caption).elidedText(
                                                         m_unit, Qt::ElideRight, right - unitLeft));
    }
}

void ChartHeader::resizeEvent(QResizeEvent*)
{
    arrange();
}

void ChartHeader::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_follow->setIcon(icon(QStringLiteral("to-end"), palette()));
    QWidget::changeEvent(event);
}

} // namespace lk
