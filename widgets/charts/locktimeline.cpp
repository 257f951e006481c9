// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/locktimeline.h"

#include "backend/core/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartmenu.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 firstSpanMs = 5 * 60 * 1000;
constexpr double futureShare = 0.22; // room for what is left of the leases
constexpr int margin = 2;
constexpr int widestNames = 180;
constexpr double panShare = 0.2;
constexpr double zoomFactor = 0.7;

} // namespace

LockTimeline::LockTimeline(QWidget* parent)
    : QWidget(parent)
    , m_view(firstSpanMs, futureShare)
    , m_header(new ChartHeader(this))
    , m_gate(new RedrawGate(this, [this] { redraw(); }))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(margin, margin, margin, margin);
    column->addWidget(m_header);
    column->addStretch(1);
    connect(m_header, &ChartHeader::followWanted, this, &LockTimeline::follow);
    setTitle(tr("Holders"));
}

void LockTimeline::setTitle(const QString& title)
{
    m_title = title;
    m_header->setTitle(title, tr("who held it, and until when"));
    setAccessibleName(title);
}

void LockTimeline::setIntervals(std::vector<HoldInterval> intervals)
{
    const int lanesBefore = int(m_lanes.size());
    m_intervals = std::move(intervals);
    m_lanes.clear();
    m_laneOf.clear();
    for (const HoldInterval& interval : m_intervals) {
        qsizetype lane = m_lanes.indexOf(interval.lane);
        if (lane < 0) {
            lane = m_lanes.size();
            m_lanes.append(interval.lane);
        }
        m_laneOf.push_back(int(lane));
    }
    m_current = std::clamp(m_current, 0, std::max(0, int(m_lanes.size()) - 1));
    if (lanesBefore != m_lanes.size())
        updateGeometry();
    m_gate->request();
}

void LockTimeline::setNow(qint64 serverNowMs)
{
    m_view.setNow(serverNowMs);
    m_gate->request();
}

void LockTimeline::setSpan(qint64 spanMs)
{
    m_view.setSpan(spanMs);
    moved();
}

void LockTimeline::follow()
{
    m_view.follow();
    moved();
}

void LockTimeline::moved()
{
    emit rangeChanged(m_view.fromMs(), m_view.toMs(), m_view.following());
    m_gate->request();
}

void LockTimeline::redraw()
{
    m_header->setFollowing(m_view.following());
    setAccessibleDescription(description());
    update();
}

QRect LockTimeline::plotRect() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    return QRect(margin, margin + m_header->sizeHint().height() + 4, width() - 2 * margin,
                 height() - 2 * margin - m_header->sizeHint().height() - caption - 12)
        .adjusted(namesWidth(), 0, 0, 0);
}

int LockTimeline::namesWidth() const
{
    const QFontMetrics metrics(monoFont(TextSize::Caption));
    int widest = 0;
    for (const QString& lane : m_lanes)
        widest = std::max(widest, metrics.horizontalAdvance(lane));
    return std::min({widest + 16, widestNames, width() / 3});
}

int LockTimeline::laneHeight() const
{
    return QFontMetrics(monoFont(TextSize::Caption)).height() + 16;
}

qreal LockTimeline::xOf(qint64 tMs) const
{
    const QRect plot = plotRect();
    return plot.left() + double(tMs - m_view.fromMs()) / double(m_view.spanMs()) * plot.width();
}

qint64 LockTimeline::endOf(const HoldInterval& interval) const
{
    return interval.open ? std::max(m_view.nowMs(), interval.fromMs) : interval.toMs;
}

QRectF LockTimeline::barRect(const HoldInterval& interval, int lane) const
{
    const qreal left = xOf(interval.fromMs);
    const qreal right = std::max(xOf(endOf(interval)), left + 2); // the shortest is seen, too
    return {left, plotRect().top() + lane * laneHeight() + 4.0, right - left, laneHeight() - 8.0};
}

const HoldInterval* LockTimeline::intervalAt(const QPoint& position) const
{
    if (!plotRect().contains(position))
        return nullptr;
    for (size_t i = m_intervals.size(); i-- > 0;) {
        const HoldInterval& interval = m_intervals[i];
        QRectF place = barRect(interval, m_laneOf[i]);
        if (interval.open && interval.immortal)
            place.setRight(plotRect().right());
        else if (interval.open && interval.leaseEndMs)
            place.setRight(std::max(place.right(), xOf(*interval.leaseEndMs)));
        if (place.adjusted(-1, 0, 1, 0).contains(position))
            return &interval;
    }
    return nullptr;
}

QString LockTimeline::intervalText(const HoldInterval& interval) const
{
    const qint64 now = m_view.nowMs();
    QStringList lines{interval.owner.isEmpty() ? tr("owner not known") : interval.owner};
    lines += interval.fromKnown ? tr("from %1").arg(clockText(interval.fromMs, now))
                                : tr("held already at %1").arg(clockText(interval.fromMs, now));
    const QString held = formatDuration(endOf(interval) - interval.fromMs);
    lines += interval.open ? tr("held for %1").arg(held)
                           : tr("until %1, %2").arg(clockText(interval.toMs, now), held);
    if (interval.open && interval.immortal)
        lines += tr("no lease: it never ends by itself");
    else if (interval.open && interval.leaseEndMs)
        lines += tr("lease ends %1").arg(relativeText(*interval.leaseEndMs, now));
    if (interval.renewals > 0)
        lines += tr("%Ln renewal(s) seen", nullptr, interval.renewals);
    return lines.join(QLatin1Char('\n'));
}

QString LockTimeline::description() const
{
    QStringList parts{tr("%Ln lock(s)", nullptr, int(m_lanes.size()))};
    for (size_t i = 0; i < m_intervals.size(); ++i) {
        if (m_intervals[i].open)
            parts += m_intervals[i].lane + QStringLiteral(": ") +
                     intervalText(m_intervals[i]).replace(QLatin1Char('\n'), QStringLiteral(", "));
    }
    return parts.join(QStringLiteral("; "));
}

QString LockTimeline::csv() const
{
    QString out =
        QStringLiteral("lock,owner,from_utc,to_utc,open,lease_end_utc,immortal,renewals\n");
    const auto flag = [](bool on) { return on ? QStringLiteral("1") : QStringLiteral("0"); };
    for (const HoldInterval& interval : m_intervals) {
        const QStringList row{csvCell(interval.lane),
                              csvCell(interval.owner),
                              utcText(interval.fromMs),
                              interval.open ? QString() : utcText(interval.toMs),
                              flag(interval.open),
                              interval.leaseEndMs ? utcText(*interval.leaseEndMs) : QString(),
                              flag(interval.immortal),
                              QString::number(interval.renewals)};
        out += row.join(QLatin1Char(',')) + QLatin1Char('\n');
    }
    return out;
}

QSize LockTimeline::sizeHint() const
{
    return {560, minimumSizeHint().height()};
}

QSize LockTimeline::minimumSizeHint() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    const int lanes = std::max(1, int(m_lanes.size()));
    return {280, 2 * margin + m_header->sizeHint().height() + lanes * laneHeight() + caption + 12};
}

void LockTimeline::keyPressEvent(QKeyEvent* event)
{
    const auto first = std::ranges::min_element(m_intervals, {}, &HoldInterval::fromMs);
    switch (event->key()) {
    case Qt::Key_Left:
        m_view.pan(-panShare);
        break;
    case Qt::Key_Right:
        m_view.pan(panShare);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift on many keyboards
        m_view.zoom(zoomFactor, 0.5);
        break;
    case Qt::Key_Minus:
        m_view.zoom(1 / zoomFactor, 0.5);
        break;
    case Qt::Key_Home:
        if (first != m_intervals.end())
            m_view.moveTo(first->fromMs);
        break;
    case Qt::Key_End:
        m_view.follow();
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Up ? -1 : 1), 0,
                               std::max(0, int(m_lanes.size()) - 1));
        update();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current < m_lanes.size())
            emit laneActivated(m_lanes[m_current]);
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    moved();
}

void LockTimeline::wheelEvent(QWheelEvent* event)
{
    const QRect plot = plotRect();
    const double anchor = (event->position().x() - plot.left()) / std::max(1, plot.width());
    m_view.zoom(std::pow(0.8, event->angleDelta().y() / 120.0), std::clamp(anchor, 0.0, 1.0));
    moved();
}

void LockTimeline::mousePressEvent(QMouseEvent* event)
{
    const int lane = (event->pos().y() - plotRect().top()) / laneHeight();
    if (lane >= 0 && lane < m_lanes.size())
        m_current = lane;
    if (event->button() == Qt::LeftButton && plotRect().contains(event->pos()))
        m_dragX = event->pos().x();
    update();
}

void LockTimeline::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_dragX || event->pos().x() == *m_dragX)
        return;
    setCursor(Qt::ClosedHandCursor);
    m_view.pan(double(*m_dragX - event->pos().x()) / std::max(1, plotRect().width()));
    m_dragX = event->pos().x();
    moved();
}

void LockTimeline::mouseReleaseEvent(QMouseEvent*)
{
    m_dragX.reset();
    unsetCursor();
}

void LockTimeline::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->pos().x() >= plotRect().left())
        follow();
    else if (m_current < m_lanes.size())
        emit laneActivated(m_lanes[m_current]);
}

void LockTimeline::contextMenuEvent(QContextMenuEvent* event)
{
    ChartMenu menu;
    menu.picture = [this] { return doubled(this); };
    menu.csv = [this] { return csv(); };
    menu.setSpan = [this](qint64 span) { setSpan(span); };
    menu.follow = [this] { follow(); };
    menu.spanMs = m_view.spanMs();
    menu.following = m_view.following();
    menu.fileStem = m_title;
    menu.popup(this, event->globalPos());
}

void LockTimeline::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        update();
    QWidget::changeEvent(event);
}

bool LockTimeline::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const HoldInterval* interval = intervalAt(help->pos());
        QToolTip::showText(help->globalPos(),
                           interval ? plainTip(intervalText(*interval)) : QString(), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace lk
