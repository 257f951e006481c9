// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartheader.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QToolButton>

namespace lk {

namespace {

constexpr int gap = 8;
constexpr int stillIcon = 14;

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
    m_follow->setText(tr("Back to live"));
    m_follow->setToolTip(tr("Show live data (End)"));
    m_follow->setAccessibleName(tr("Back to live"));
    m_follow->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_follow->setIconSize({14, 14});
    m_follow->setFont(uiFont(TextSize::Caption));
    m_follow->setIcon(icon(QStringLiteral("to-end"), palette()));
    m_follow->hide();
    connect(m_follow, &QToolButton::clicked, this, &ChartHeader::followWanted);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    onPaletteChange(this, [this] { m_follow->setIcon(icon(QStringLiteral("to-end"), palette())); });
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

void ChartHeader::setStill(const QStringList& still, bool wayBack, bool past)
{
    if (m_still == still && m_wayBack == wayBack && m_past == past)
        return;
    m_still = still;
    m_wayBack = wayBack;
    m_past = past;
    arrange();
    update();
}

void ChartHeader::setBare(bool bare)
{
    m_bare = bare;
    arrange();
}

QSize ChartHeader::sizeHint() const
{
    return {200,
            std::max(QFontMetrics(strongFont()).height() + gap, m_follow->sizeHint().height())};
}

// Parts that do not fit are dropped in this order: the unit, how long ago, the value. Never the
// state.
void ChartHeader::arrange()
{
    const QSize size = m_follow->sizeHint();
    m_follow->setVisible(isStill() && m_wayBack && !m_bare);
    m_follow->setGeometry(width() - size.width(), (height() - size.height()) / 2, size.width(),
                          size.height());
    const QFontMetrics strong(strongFont());
    const QFontMetrics caption(uiFont(TextSize::Caption));
    const int room = width() - strong.horizontalAdvance(m_title) - 2 * gap -
                     (m_follow->isHidden() ? 0 : size.width() + gap);
    m_stillShown.clear();
    for (const QString& text : m_still) {
        m_stillShown = text;
        if (stillIcon + 4 + caption.horizontalAdvance(text) <= room)
            break;
    }
}

int ChartHeader::stillWidth() const
{
    return m_stillShown.isEmpty()
               ? 0
               : stillIcon + 4 +
                     QFontMetrics(uiFont(TextSize::Caption)).horizontalAdvance(m_stillShown);
}

void ChartHeader::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    const QFont strong = strongFont();
    const QFont caption = uiFont(TextSize::Caption);
    const QFontMetrics strongMetrics(strong);
    int right = m_follow->isHidden() ? width() : m_follow->x() - gap;
    const int stillLeft = right - stillWidth();
    if (isStill()) {
        const ColorRole role = m_past ? ColorRole::Violet : ColorRole::Warning;
        const QString name = m_past ? QStringLiteral("clock") : QStringLiteral("pause");
        const QPixmap mark =
            icon(name, role, palette()).pixmap(QSize(stillIcon, stillIcon), devicePixelRatioF());
        painter.drawPixmap(stillLeft, (height() - stillIcon) / 2, mark);
        painter.setFont(caption);
        painter.setPen(colors.of(role));
        painter.drawText(QRect(stillLeft + stillIcon + 4, 0, stillWidth(), height()),
                         Qt::AlignLeft | Qt::AlignVCenter, m_stillShown);
        right = stillLeft - gap;
    }
    const int valueWidth = strongMetrics.horizontalAdvance(m_value);
    const int titleWidth = strongMetrics.horizontalAdvance(m_title);
    painter.setFont(strong);
    if (!m_value.isEmpty() && (!isStill() || titleWidth + gap + valueWidth <= right)) {
        painter.setPen(colors.of(m_valueColor));
        painter.drawText(QRect(right - valueWidth, 0, valueWidth, height()),
                         Qt::AlignRight | Qt::AlignVCenter, m_value);
        right -= valueWidth + gap;
    }
    painter.setPen(colors.text);
    const QString title = strongMetrics.elidedText(m_title, Qt::ElideRight, right);
    painter.drawText(QRect(0, 0, right, height()), Qt::AlignLeft | Qt::AlignVCenter, title);
    const int unitLeft = strongMetrics.horizontalAdvance(title) + gap;
    // Both on one baseline, though of two sizes.
    const int baseline = (height() + strongMetrics.ascent() - strongMetrics.descent()) / 2;
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

} // namespace lk
