// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/slotspread.h"

#include "backend/redis/topology/keyslot.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QDateTime>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QSet>

#include <algorithm>

namespace lk {

namespace {

constexpr int stripHeight = 28;
constexpr int markerHeight = 6;

class Strip final : public QWidget
{
public:
    explicit Strip(const SlotSpread& spread)
        : m_spread(spread)
    {
        setFixedHeight(stripHeight + QFontMetrics(uiFont(TextSize::Caption)).height() + 6);
    }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    const SlotSpread& m_spread; ///< the view's, which owns this
};

void Strip::paintEvent(QPaintEvent*)
{
    if (m_spread.keys == 0)
        return;
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    const QRectF strip(0.5, 0.5, width() - 1, stripHeight);
    painter.fillRect(strip, colors.ground);
    painter.setPen(colors.border);
    painter.drawRect(strip);
    const int most = *std::max_element(m_spread.bins.begin(), m_spread.bins.end());
    const double step = (strip.width() - 2) / SlotSpread::binCount;
    const double room = stripHeight - 4 - markerHeight;
    const auto mainBin = size_t(m_spread.main) * SlotSpread::binCount / SlotSpread::slotCount;
    for (size_t bin = 0; bin < m_spread.bins.size(); ++bin) {
        const int keys = m_spread.bins[bin];
        if (keys == 0)
            continue;
        // One key is seen, too.
        const double height = std::max(4.0, room * keys / most);
        const QRectF bar(strip.left() + 1 + double(bin) * step, strip.bottom() - 1 - height,
                         std::max(2.0, step - 1), height);
        painter.fillRect(bar, colors.of(bin == mainBin ? ColorRole::Accent : ColorRole::Warning));
    }
    // The marker says without a colour which one is the main key's.
    const double x = strip.left() + 1 + (double(mainBin) + 0.5) * step;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.of(ColorRole::Accent));
    painter.drawPolygon(QPolygonF{
        {x - 4, strip.top() + 1}, {x + 4, strip.top() + 1}, {x, strip.top() + 1 + markerHeight}});
    painter.setFont(uiFont(TextSize::Caption));
    painter.setPen(palette().color(QPalette::PlaceholderText));
    const QRectF words(0, strip.bottom() + 4, width(), painter.fontMetrics().height());
    painter.drawText(words, Qt::AlignLeft, QStringLiteral("0"));
    painter.drawText(words, Qt::AlignRight, QLocale().toString(SlotSpread::slotCount - 1));
    painter.drawText(words, Qt::AlignHCenter, SlotSpreadView::tr("\u25be the resource's slot"));
}

} // namespace

SlotSpread SlotSpread::of(const Primitive& primitive)
{
    SlotSpread spread;
    QSet<int> used;
    for (const KeyRole& key : primitive.keys) {
        if (key.key.isEmpty())
            continue;
        if (size_t(spread.keys) == mostKeys) {
            spread.cut = true;
            break;
        }
        const int slot = keySlot(key.key);
        if (spread.main < 0)
            spread.main = slot;
        ++spread.keys;
        spread.apart += slot != spread.main;
        ++spread.bins[size_t(slot) * binCount / slotCount];
        used << slot;
    }
    spread.used = int(used.size());
    return spread;
}

QString SlotSpread::summary() const
{
    const QLocale locale;
    const QString all = cut ? SlotSpreadView::tr("The first %1 keys").arg(locale.toString(keys))
                            : SlotSpreadView::tr("All %Ln keys", nullptr, keys);
    if (apart == 0)
        return SlotSpreadView::tr("%1 are in slot %2: on a cluster one script can use them "
                                  "together")
            .arg(all)
            .arg(main);
    return SlotSpreadView::tr("%1 are in %2 slots; %3 not in the resource's slot %4. On a cluster "
                              "a script that uses both is rejected (CROSSSLOT): give their names "
                              "a common {hash tag}")
        .arg(all)
        .arg(locale.toString(used), locale.toString(apart))
        .arg(main);
}

SlotSpreadView::SlotSpreadView(QWidget* parent)
    : ChartWidget(parent)
    , m_summary(new QLabel)
    , m_strip(new Strip(m_spread))
{
    columnIn(this, {}, 8, {m_summary, m_strip});
    m_summary->setTextFormat(Qt::PlainText); // what a server holds is never markup
    m_summary->setWordWrap(true);
    m_summary->setFont(uiFont(TextSize::Body));
}

QString SlotSpreadView::csv() const
{
    constexpr int width = SlotSpread::slotCount / SlotSpread::binCount;
    QString out = QStringLiteral("from_slot,to_slot,keys\n");
    for (int bin = 0; bin < SlotSpread::binCount; ++bin)
        out += QStringLiteral("%1,%2,%3\n")
                   .arg(bin * width)
                   .arg((bin + 1) * width - 1)
                   .arg(m_spread.bins[size_t(bin)]);
    return out;
}

// Where keys lie depends on their names alone: it is shown as it is now.
ChartWidget::Shown SlotSpreadView::shown() const
{
    const qint64 nowMs = QDateTime::currentMSecsSinceEpoch();
    return {nowMs, nowMs};
}

void SlotSpreadView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintFocusFrame(painter);
}

void SlotSpreadView::setPrimitive(const PrimitivePtr& primitive)
{
    if (m_primitive == primitive)
        return;
    m_primitive = primitive;
    m_spread = SlotSpread::of(*primitive);
    m_summary->setText(m_spread.summary());
    setAccessibleName(tr("Cluster slots"));
    setAccessibleDescription(m_summary->text());
    m_strip->update();
}

} // namespace lk
