// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/locks/locktimeline.h"

#include "backend/text/csv.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <limits>
#include <numeric>

namespace lk {

namespace {

constexpr qint64 firstSpanMs = 5 * 60 * 1000;
constexpr double futureShare = 0.22; // room for the rest of the leases
constexpr int margin = chartMargin;
constexpr int widestNames = 180;
constexpr int clickReach = 3; // pixels that a click may move
constexpr int mostFullRows = 4;
constexpr int rowGap = 2;

} // namespace

LockTimeline::LockTimeline(QWidget* parent)
    : ChartWidget(parent)
    , m_axis(new TimeAxis(firstSpanMs, futureShare, this))
    , m_header(new ChartHeader(this))
    , m_gate(new RedrawGate(this, [this] { redraw(); }))
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); // below the lanes there is nothing
    columnIn(this, {margin, margin, margin, margin}, 0, {m_header, BoxStretch{}});
    connect(m_header, &ChartHeader::followWanted, this, &LockTimeline::follow);
    setTitle(tr("Holders"));
    setAxis(m_axis);
}

void LockTimeline::setAxis(TimeAxis* axis)
{
    if (axis != m_axis) {
        m_axis->disconnect(this);
        if (m_axis->parent() == this)
            m_axis->deleteLater();
    }
    m_axis = axis;
    connect(axis, &TimeAxis::rangeChanged, this, &LockTimeline::moved);
    connect(axis, &TimeAxis::nowChanged, this, [this] { m_gate->request(); });
    connect(axis, &TimeAxis::cursorChanged, this, qOverload<>(&QWidget::update));
    connect(axis, &TimeAxis::marksChanged, this, qOverload<>(&QWidget::update));
    m_gate->request();
}

bool LockTimeline::following() const
{
    return m_axis->view().following();
}

qint64 LockTimeline::fromMs() const
{
    return m_axis->view().fromMs();
}

qint64 LockTimeline::toMs() const
{
    return m_axis->view().toMs();
}

ChartWidget::Shown LockTimeline::shown() const
{
    return {fromMs(), toMs()};
}

void LockTimeline::setTitle(const QString& title)
{
    m_title = title;
    m_header->setTitle(title, tr("who held the lock, and until when"));
    setAccessibleName(title);
}

void LockTimeline::setIntervals(std::vector<HoldInterval> intervals)
{
    const int heightBefore = minimumSizeHint().height();
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
    place();
    m_current = std::clamp(m_current, 0, std::max(0, int(m_lanes.size()) - 1));
    const auto first = std::ranges::min_element(m_intervals, {}, &HoldInterval::fromMs);
    if (m_axis->parent() == this)
        m_axis->setFirst(first == m_intervals.end() ? 0 : first->fromMs);
    if (heightBefore != minimumSizeHint().height())
        updateGeometry();
    m_gate->request();
}

// Several may hold a lock that is shared.
void LockTimeline::place()
{
    std::vector<size_t> order(m_intervals.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::stable_sort(order, {}, [this](size_t i) { return m_intervals[i].fromMs; });
    m_rows.assign(size_t(m_lanes.size()), {});
    m_rowOf.resize(m_intervals.size());
    for (const size_t i : order) {
        const HoldInterval& interval = m_intervals[i];
        m_rowOf[i] = m_rows[size_t(m_laneOf[i])].add(
            interval.fromMs, interval.open ? std::numeric_limits<qint64>::max() : interval.toMs);
    }
}

void LockTimeline::setNow(qint64 serverNowMs)
{
    m_axis->setNow(serverNowMs);
}

void LockTimeline::setSpan(qint64 spanMs)
{
    m_axis->setSpan(spanMs);
}

void LockTimeline::follow()
{
    m_axis->follow();
}

void LockTimeline::moved()
{
    emit rangeChanged(fromMs(), toMs(), following());
    m_gate->requestFrame();
}

void LockTimeline::redraw()
{
    m_header->setStill(stillTexts(*m_axis), !following() && !m_axis->isPast(), m_axis->isPast());
    setAccessibleDescription(description());
    update();
}

QRect LockTimeline::plotRect() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    return QRect(margin, margin + m_header->sizeHint().height() + 4, width() - 2 * margin,
                 height() - 2 * margin - m_header->sizeHint().height() - caption - 12)
        .adjusted(namesWidth(), 0, m_lanes.size() == 1 ? -roomRightOfTime : 0, 0);
}

int LockTimeline::namesWidth() const
{
    if (m_lanes.size() == 1)
        return roomLeftOfTime();
    const QFontMetrics metrics(monoFont(TextSize::Caption));
    int widest = 0;
    for (const QString& lane : m_lanes)
        widest = std::max(widest, metrics.horizontalAdvance(lane));
    return std::min({widest + 16, widestNames, width() / 3});
}

int LockTimeline::barHeight() const
{
    return QFontMetrics(monoFont(TextSize::Caption)).height() + 8;
}

// Beyond a few the bars get thinner.
int LockTimeline::laneHeight(int lane) const
{
    const int rows = lane < int(m_rows.size()) ? m_rows[size_t(lane)].count() : 1;
    return std::clamp(rows, 1, mostFullRows) * (barHeight() + rowGap) - rowGap + 8;
}

int LockTimeline::laneTop(int lane) const
{
    int top = plotRect().top();
    for (int above = 0; above < lane; ++above)
        top += laneHeight(above);
    return top;
}

qreal LockTimeline::xOf(qint64 tMs) const
{
    const QRect plot = plotRect();
    return plot.left() + double(tMs - fromMs()) / double(m_axis->view().spanMs()) * plot.width();
}

qint64 LockTimeline::timeAt(int x) const
{
    const QRect plot = plotRect();
    return fromMs() + qint64(double(x - plot.left()) / std::max(1, plot.width()) *
                             double(m_axis->view().spanMs()));
}

qint64 LockTimeline::endOf(const HoldInterval& interval) const
{
    return isFresh(interval) ? std::max(m_axis->view().knownToMs(), interval.fromMs)
                             : interval.toMs;
}

bool LockTimeline::isFresh(const HoldInterval& interval) const
{
    return interval.open && m_axis->view().knownToMs() - interval.toMs <= m_staleAfterMs;
}

// The lock was held when last seen: its lease goes on, or did until it ended unseen.
bool LockTimeline::hasOpenEnd(const HoldInterval& interval) const
{
    return interval.open || !interval.endKnown;
}

QRectF LockTimeline::barRect(size_t number) const
{
    const HoldInterval& interval = m_intervals[number];
    const int lane = m_laneOf[number];
    const int rows = m_rows[size_t(lane)].count();
    const qreal rowHeight = (laneHeight(lane) - 8.0 + rowGap) / rows;
    const qreal gap = std::min<qreal>(rowGap, rowHeight / 3);
    const qreal left = xOf(interval.fromMs);
    const qreal right = std::max(xOf(endOf(interval)), left + 2); // the shortest is seen, too
    return {left, laneTop(lane) + 4.0 + m_rowOf[number] * rowHeight, right - left, rowHeight - gap};
}

const HoldInterval* LockTimeline::intervalAt(const QPoint& position) const
{
    if (!plotRect().contains(position))
        return nullptr;
    for (size_t i = m_intervals.size(); i-- > 0;) {
        const HoldInterval& interval = m_intervals[i];
        QRectF place = barRect(i);
        if (interval.open && interval.noTtl)
            place.setRight(plotRect().right());
        else if (hasOpenEnd(interval) && interval.leaseEndMs)
            place.setRight(std::max(place.right(), xOf(*interval.leaseEndMs)));
        if (place.adjusted(-1, 0, 1, 0).contains(position))
            return &interval;
    }
    return nullptr;
}

QString LockTimeline::intervalText(const HoldInterval& interval) const
{
    const qint64 now = m_axis->view().nowMs();
    QStringList lines{interval.owner.isEmpty() ? tr("owner unknown") : interval.owner};
    lines += interval.fromKnown ? tr("from %1").arg(clockText(interval.fromMs, now))
                                : tr("already held at %1").arg(clockText(interval.fromMs, now));
    const QString held = formatDuration(endOf(interval) - interval.fromMs);
    if (isFresh(interval))
        lines += tr("held for %1").arg(held);
    else if (hasOpenEnd(interval))
        lines += tr("held when last read, at %1, for %2").arg(clockText(interval.toMs, now), held);
    else
        lines += tr("until %1, %2").arg(clockText(interval.toMs, now), held);
    if (interval.open && interval.noTtl)
        lines += tr("no TTL: it never expires");
    else if (interval.open && interval.leaseEndMs)
        lines += tr("expires %1").arg(relativeText(*interval.leaseEndMs, now));
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
        QStringLiteral("lock,owner,from_utc,to_utc,open,expires_utc,no_ttl,renewals,end_seen\n");
    const auto flag = [](bool on) { return on ? QStringLiteral("1") : QStringLiteral("0"); };
    for (const HoldInterval& interval : m_intervals) {
        out += csvLine({interval.lane, interval.owner, utcText(interval.fromMs),
                        interval.open ? QString() : utcText(interval.toMs), flag(interval.open),
                        interval.leaseEndMs ? utcText(*interval.leaseEndMs) : QString(),
                        flag(interval.noTtl), QString::number(interval.renewals),
                        flag(!hasOpenEnd(interval))});
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
    int lanes = laneHeight(0);
    for (int lane = 1; lane < m_lanes.size(); ++lane)
        lanes += laneHeight(lane);
    return {280, 2 * margin + m_header->sizeHint().height() + lanes + caption + 12};
}

void LockTimeline::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_current = std::clamp(m_current + (event->key() == Qt::Key_Up ? -1 : 1), 0,
                               std::max(0, int(m_lanes.size()) - 1));
        update();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_lanes.size() == 1 && m_axis->press(*event))
            return; // there is no other to go to, but a moment
        if (m_current < m_lanes.size())
            emit laneActivated(m_lanes[m_current]);
        return;
    default:
        ChartWidget::keyPressEvent(event);
    }
}

void LockTimeline::wheelEvent(QWheelEvent* event)
{
    const QRect plot = plotRect();
    const double anchor = (event->position().x() - plot.left()) / std::max(1, plot.width());
    event->setAccepted(m_axis->wheel(*event, anchor));
}

void LockTimeline::mousePressEvent(QMouseEvent* event)
{
    for (int lane = 0; lane < m_lanes.size(); ++lane) {
        if (event->pos().y() >= laneTop(lane) && event->pos().y() < laneTop(lane + 1))
            m_current = lane;
    }
    if (event->button() == Qt::LeftButton && plotRect().contains(event->pos()))
        m_dragX = m_pressX = event->pos().x();
    update();
}

void LockTimeline::mouseMoveEvent(QMouseEvent* event)
{
    const int x = event->pos().x();
    const QRect plot = plotRect();
    if (plot.contains(event->pos()))
        m_axis->setCursor(timeAt(x));
    else
        m_axis->setCursor(std::nullopt);
    if (!m_dragX || x == *m_dragX)
        return;
    setCursor(Qt::ClosedHandCursor);
    m_axis->pan(double(*m_dragX - x) / std::max(1, plot.width()));
    m_dragX = x;
}

void LockTimeline::leaveEvent(QEvent*)
{
    m_axis->setCursor(std::nullopt);
}

void LockTimeline::mouseReleaseEvent(QMouseEvent* event)
{
    const int x = event->pos().x();
    if (m_pressX && std::abs(x - *m_pressX) <= clickReach && plotRect().contains(event->pos()))
        m_axis->click(timeAt(x));
    m_pressX.reset();
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
