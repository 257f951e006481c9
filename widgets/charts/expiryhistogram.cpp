// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/expiryhistogram.h"

#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr int binCount = 10;
constexpr int margin = 2;
constexpr int captionGap = 6; // between two captions of the axis
constexpr qint64 horizonChartSecond = 1000;
constexpr qint64 horizonChartMinute = 60 * horizonChartSecond;
constexpr qint64 horizonChartHour = 60 * horizonChartMinute;
constexpr qint64 horizonChartDay = 24 * horizonChartHour;
// Each divides into ten round bins.
constexpr qint64 roundSpans[] = {
    horizonChartSecond,       10 * horizonChartSecond,  50 * horizonChartSecond,
    100 * horizonChartSecond, 5 * horizonChartMinute,   10 * horizonChartMinute,
    50 * horizonChartMinute,  100 * horizonChartMinute, 5 * horizonChartHour,
    10 * horizonChartHour,    20 * horizonChartHour,    60 * horizonChartHour,
    10 * horizonChartDay,     50 * horizonChartDay,     100 * horizonChartDay};

} // namespace

ExpiryHistogram::ExpiryHistogram(QWidget* parent)
    : ChartWidget(parent)
    , m_header(new ChartHeader(this))
    , m_gate(new RedrawGate(this, [this] {
        setAccessibleDescription(description());
        update();
    }))
{
    columnIn(this, {margin, margin, margin, margin}, 0, {m_header, BoxStretch{}});
}

void ExpiryHistogram::setTitle(const QString& title, const QString& unitInWords)
{
    m_title = title;
    m_unit = unitInWords;
    m_header->setTitle(title, unitInWords);
    setAccessibleName(title);
}

void ExpiryHistogram::setEnds(std::vector<EndCount> ends, qint64 never)
{
    m_ends = std::move(ends);
    m_never = never;
    m_ending = 0;
    for (const EndCount& end : m_ends)
        m_ending += end.count;
    if (!std::ranges::is_sorted(m_ends, {}, &EndCount::atMs))
        std::ranges::sort(m_ends, {}, &EndCount::atMs);
    m_header->setValue(QLocale().toString(m_ending + m_never));
    m_gate->request();
}

void ExpiryHistogram::setPast(qint64 knownToMs)
{
    m_knownToMs = knownToMs;
    const bool past = m_knownToMs > 0 && m_nowMs > 0;
    m_header->setStill(past ? pastTexts(m_nowMs, m_knownToMs) : QStringList(), false, past);
    m_gate->request();
}

void ExpiryHistogram::setNow(qint64 serverNowMs)
{
    m_nowMs = serverNowMs;
    m_gate->request();
}

void ExpiryHistogram::setSpan(qint64 spanMs)
{
    m_spanMs = spanMs;
    m_gate->request();
}

qint64 ExpiryHistogram::shownSpan() const
{
    if (m_spanMs > 0)
        return m_spanMs;
    if (m_ends.empty())
        return 10 * horizonChartMinute;
    qint64 sooner = 0;
    const auto ninth = std::ranges::find_if(m_ends, [&](const EndCount& end) {
        sooner += end.count;
        return sooner > (m_ending - 1) * 9 / 10;
    });
    const qint64 reach = ninth->atMs - m_nowMs;
    const auto span = std::ranges::lower_bound(roundSpans, reach);
    return span == std::end(roundSpans) ? *std::prev(std::end(roundSpans)) : *span;
}

std::vector<ExpiryHistogram::Bin> ExpiryHistogram::bins() const
{
    const qint64 step = std::max<qint64>(1, shownSpan() / binCount);
    std::vector<Bin> bins;
    for (int i = 0; i < binCount; ++i)
        bins.push_back({i * step, (i + 1) * step, 0});
    for (const EndCount& end : m_ends) {
        const qint64 bin = std::max<qint64>(0, end.atMs - m_nowMs) / step;
        if (bin >= binCount)
            break;
        bins[size_t(bin)].count += end.count;
    }
    return bins;
}

qint64 ExpiryHistogram::later() const
{
    return laterThan(bins());
}

qint64 ExpiryHistogram::laterThan(const std::vector<Bin>& bins) const
{
    qint64 inBins = 0;
    for (const Bin& bin : bins)
        inBins += bin.count;
    return m_ending - inBins;
}

QRect ExpiryHistogram::plotRect() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    const int top = margin + m_header->sizeHint().height() + caption + 6;
    return {margin + 4, top, width() - 2 * margin - 8, height() - top - caption - 10};
}

std::vector<ExpiryHistogram::Bar> ExpiryHistogram::bars() const
{
    const QRect plot = plotRect();
    const std::vector<Bin> counts = bins();
    const qint64 beyond = laterThan(counts);
    const int apart = (beyond > 0 ? 1 : 0) + (m_never > 0 ? 1 : 0);
    const qreal step = plot.width() / (binCount + apart * 1.6); // 0.6: the space that sets it apart
    qint64 most = std::max({qint64(1), beyond, m_never});
    for (const Bin& bin : counts)
        most = std::max(most, bin.count);
    const auto place = [&](qreal left, qint64 count) {
        const qreal height =
            count == 0 ? 0 : std::max(3.0, double(count) / double(most) * plot.height());
        return QRectF(left + 2, plot.bottom() + 1 - height, step - 4, height);
    };
    std::vector<Bar> all;
    bool first = true;
    for (int i = 0; i < binCount; ++i) {
        const Bin& bin = counts[size_t(i)];
        const bool soonest = first && bin.count > 0;
        first = first && !soonest;
        all.push_back({place(plot.left() + i * step, bin.count),
                       bin.count,
                       formatDurationShort(bin.toMs),
                       tr("%Ln in %1 to %2", nullptr, int(bin.count))
                           .arg(formatDuration(bin.fromMs), formatDuration(bin.toMs)),
                       {bin.fromMs, bin.toMs},
                       soonest,
                       false});
    }
    qreal left = plot.left() + (binCount + 0.6) * step;
    if (beyond > 0) {
        all.push_back({place(left, beyond),
                       beyond,
                       tr("later"),
                       tr("%Ln later", nullptr, int(beyond)),
                       {counts.back().toMs, std::nullopt},
                       false,
                       true});
        left += 1.6 * step;
    }
    if (m_never > 0)
        all.push_back({place(left, m_never),
                       m_never,
                       QStringLiteral("\u221e"),
                       tr("%Ln without TTL", nullptr, int(m_never)),
                       {0, std::nullopt, true},
                       false,
                       true});
    return all;
}

// From the right: separate bars have no other name, but a bin is clear from its neighbours.
// Captions do not touch, and none reaches beyond the edge.
std::vector<ExpiryHistogram::Caption> ExpiryHistogram::captions() const
{
    const QFontMetrics metrics(uiFont(TextSize::Caption));
    const QRect plot = plotRect();
    const std::vector<Bar> all = bars();
    const qreal top = plot.bottom() + 5;
    const qreal step = all.front().place.width() + 4;
    int widest = 0;
    for (const Bar& bar : all)
        widest = std::max(widest, bar.apart ? 0 : metrics.horizontalAdvance(bar.label));
    const size_t every = size_t(std::max(1.0, std::ceil((widest + captionGap) / step)));
    const QString now = m_knownToMs > 0 ? tr("then") : tr("now");
    const QRectF first(plot.left(), top, metrics.horizontalAdvance(now), metrics.height());
    std::vector<Caption> captions{{first, now, true}};
    qreal room = width() - 1; // to its left
    for (size_t i = all.size(); i-- > 0;) {
        const Bar& bar = all[i];
        if (!bar.apart && (i + 1) % every != 0)
            continue;
        const qreal wide = metrics.horizontalAdvance(bar.label);
        // A bin's label stands at its end, where its time is.
        const qreal middle = bar.place.center().x() + (bar.apart ? 0 : step / 2);
        const qreal left = std::min(middle - wide / 2, room - wide);
        const bool isFar = !bar.apart && middle - left - wide / 2 > step; // another's by its place
        if (left < first.right() + captionGap || isFar)
            continue;
        captions.push_back({QRectF(left, top, wide, metrics.height()), bar.label, false});
        room = left - captionGap;
    }
    std::ranges::reverse(captions); // the one of now last
    return captions;
}

QString ExpiryHistogram::description() const
{
    if (m_ends.empty() && m_never == 0)
        return tr("Nothing expires");
    QStringList parts;
    for (const Bar& bar : bars()) {
        if (bar.count > 0)
            parts += bar.text;
    }
    const QString all = m_unit + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
    const QString current = hasFocus() ? currentText() : QString();
    return current.isEmpty() ? all : current + QStringLiteral(". ") + all;
}

QString ExpiryHistogram::csv() const
{
    QString out = QStringLiteral("from_ms,to_ms,count\n");
    for (const Bin& bin : bins())
        out += QStringLiteral("%1,%2,%3\n").arg(bin.fromMs).arg(bin.toMs).arg(bin.count);
    out += QStringLiteral("%1,,%2\nnever,,%3\n").arg(shownSpan()).arg(later()).arg(m_never);
    return out;
}

QSize ExpiryHistogram::sizeHint() const
{
    return {420, 150};
}

QSize ExpiryHistogram::minimumSizeHint() const
{
    return {240, 110};
}

void ExpiryHistogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ThemeColors& colors = themeColors(palette());
    painter.fillRect(rect(), m_knownToMs > 0 ? colors.tint(ColorRole::Violet) : colors.surface);
    paintFocusFrame(painter);
    painter.setFont(uiFont(TextSize::Caption));
    const QFontMetrics metrics(painter.font());
    const QRect plot = plotRect();
    if (m_ends.empty() && m_never == 0) {
        painter.setPen(colors.second);
        painter.drawText(plot, Qt::AlignCenter, tr("Nothing expires in this time span"));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    const std::vector<Bar> all = bars();
    const qreal step = all.front().place.width() + 4;
    for (size_t i = 0; i < all.size(); ++i) {
        const Bar& bar = all[i];
        const ColorRole role = bar.text.isEmpty() ? ColorRole::Second
                               : bar.soonest      ? ColorRole::Warning
                               : i >= binCount    ? ColorRole::Second
                                                  : ColorRole::Accent;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.of(role));
        if (bar.count > 0)
            painter.drawRoundedRect(bar.place, 2, 2);
        if (hasFocus() && m_current == int(i)) {
            painter.setPen(QPen(colors.text, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(bar.place.adjusted(-2.5, -2.5, 2.5, 2.5), 3, 3);
            painter.setPen(Qt::NoPen);
        }
        const QRectF wide = bar.place.adjusted(-step, 0, step, 0);
        if (bar.count > 0) {
            painter.setPen(bar.soonest ? colors.warning : colors.text);
            painter.drawText(QRectF(wide.left(), bar.place.top() - metrics.height() - 2,
                                    wide.width(), metrics.height()),
                             Qt::AlignCenter, QLocale().toString(bar.count));
        }
        painter.setPen(QPen(colors.border, 1));
        painter.drawLine(QPointF(bar.place.left() - 2, plot.bottom() + 1.5),
                         QPointF(bar.place.right() + 2, plot.bottom() + 1.5));
    }
    painter.setPen(colors.second);
    for (const Caption& caption : captions()) {
        if (caption.isNow)
            painter.setPen(colors.text);
        painter.drawText(caption.place, Qt::AlignCenter | Qt::TextDontClip, caption.text);
    }
}

// So many round spans closer or, below 0, farther.
void ExpiryHistogram::step(int by)
{
    const auto at = std::ranges::lower_bound(roundSpans, shownSpan()) - std::begin(roundSpans);
    const auto last = std::ssize(roundSpans) - 1;
    setSpan(roundSpans[std::clamp<ptrdiff_t>(at - by, 0, last)]);
}

} // namespace lk
