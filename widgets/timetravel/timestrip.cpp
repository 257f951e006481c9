// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timetravel/timestrip.h"

#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace lk {

namespace {

constexpr qint64 second = 1000;
constexpr qint64 shortestSpanMs = 5 * 60 * second;
constexpr qint64 longestSpanMs = 24 * 3600 * second; // until a person zooms out
constexpr double room = 1.03;                        // so that the beginning is seen as one
constexpr int stepShare = 120;                       // of what is seen, for an arrow key
constexpr int pageShare = 6;
constexpr double zoomFactor = 0.7;
constexpr double notch = 120.0; // of a wheel, in eighths of a degree
constexpr int reach = 4;        // pixels beside a tick that still mean it
constexpr int sidePad = 8;      // the handle is whole at either end

} // namespace

TimeStrip::TimeStrip(QWidget* parent)
    : QWidget(parent)
    , m_view(shortestSpanMs)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setLayoutDirection(Qt::LeftToRight); // time goes from left to right in every language
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time"));
    describe();
}

void TimeStrip::setRecorded(qint64 firstMs, qint64 nowMs)
{
    const bool moved = m_firstMs != firstMs || m_view.following();
    m_firstMs = firstMs;
    m_view.setNow(nowMs);
    if (!m_chosen)
        m_view.setSpan(
            qint64(double(std::clamp(nowMs - firstMs, shortestSpanMs, longestSpanMs)) * room));
    describe();
    update();
    if (moved)
        emit rangeChanged();
}

void TimeStrip::setMoment(std::optional<qint64> momentMs)
{
    m_momentMs = momentMs;
    if (!momentMs && !m_dragging)
        m_view.follow();
    if (!m_dragging)
        showMoment();
    describe();
    update();
}

void TimeStrip::setMarks(std::vector<TimeMark> marks)
{
    m_marks = std::move(marks);
    describe();
    update();
}

// Keeps the shown moment visible on the strip.
void TimeStrip::showMoment()
{
    if (!m_momentMs || (*m_momentMs >= m_view.fromMs() && *m_momentMs <= m_view.toMs()))
        return;
    m_view.moveTo(*m_momentMs - m_view.spanMs() / 2);
    m_chosen = true;
    emit rangeChanged();
}

QRect TimeStrip::track() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    return rect().adjusted(sidePad, 4, -sidePad, -caption - 4);
}

QSize TimeStrip::sizeHint() const
{
    return {480, minimumSizeHint().height()};
}

QSize TimeStrip::minimumSizeHint() const
{
    return {160, 26 + QFontMetrics(uiFont(TextSize::Caption)).height() + 4};
}

qreal TimeStrip::xOf(qint64 tMs) const
{
    const QRect plot = track();
    return plot.left() +
           double(tMs - m_view.fromMs()) / double(m_view.spanMs()) * double(plot.width());
}

qint64 TimeStrip::timeAt(qreal x) const
{
    const QRect plot = track();
    return m_view.fromMs() +
           qint64((x - plot.left()) / std::max(1, plot.width()) * double(m_view.spanMs()));
}

// The most important of those below the pointer; a gap only where nothing else is.
const TimeMark* TimeStrip::markAt(const QPoint& place) const
{
    const TimeMark* found = nullptr;
    for (const TimeMark& mark : m_marks) {
        const bool below = mark.sort == TimeMark::Sort::Gap
                               ? place.x() >= xOf(mark.tMs) && place.x() <= xOf(mark.toMs)
                               : std::abs(place.x() - xOf(mark.tMs)) <= reach;
        if (below && (!found || mark.sort >= found->sort))
            found = &mark;
    }
    return found;
}

// The right end is now.
void TimeStrip::want(qint64 tMs)
{
    if (m_firstMs <= 0)
        return;
    const qint64 pixelMs = m_view.spanMs() / std::max(1, track().width());
    if (tMs >= m_view.nowMs() - pixelMs)
        return emit liveWanted();
    emit momentWanted(std::max(tMs, m_firstMs));
}

void TimeStrip::step(qint64 byMs)
{
    want(m_momentMs.value_or(m_view.nowMs()) + byMs);
}

void TimeStrip::zoom(double factor, double anchor)
{
    m_chosen = true;
    m_view.zoom(factor, anchor);
    describe();
    update();
    emit rangeChanged();
}

void TimeStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragging = true;
    const TimeMark* mark = markAt(event->pos());
    // A click on a tick means that moment, not the pixel's.
    want(mark && mark->sort != TimeMark::Sort::Gap ? mark->tMs : timeAt(event->position().x()));
}

void TimeStrip::mouseMoveEvent(QMouseEvent* event)
{
    m_hoverX = event->pos().x();
    if (m_dragging && (event->buttons() & Qt::LeftButton))
        want(timeAt(event->position().x()));
    update();
}

void TimeStrip::mouseReleaseEvent(QMouseEvent*)
{
    m_dragging = false;
    showMoment();
}

void TimeStrip::leaveEvent(QEvent*)
{
    m_hoverX.reset();
    update();
}

void TimeStrip::wheelEvent(QWheelEvent* event)
{
    const double notches = event->angleDelta().y() / notch;
    if (notches == 0)
        return event->ignore();
    const QRect plot = track();
    if (event->modifiers().testFlag(Qt::ControlModifier))
        return zoom(std::pow(0.8, notches),
                    std::clamp((event->position().x() - plot.left()) / std::max(1, plot.width()),
                               0.0, 1.0));
    m_chosen = true;
    m_view.pan(-notches / 10);
    update();
    emit rangeChanged();
}

void TimeStrip::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const qint64 arrow = shift ? second : std::max(second, m_view.spanMs() / stepShare);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const bool next = event->key() == Qt::Key_Right;
        if (control)
            return emit eventWanted(next);
        return step(next ? arrow : -arrow);
    }
    case Qt::Key_PageUp: // back, as in a text
        return step(-m_view.spanMs() / pageShare);
    case Qt::Key_PageDown:
        return step(m_view.spanMs() / pageShare);
    case Qt::Key_Home:
        if (m_firstMs > 0)
            emit momentWanted(m_firstMs);
        return;
    case Qt::Key_End:
        return emit liveWanted();
    case Qt::Key_Space:
        return emit playWanted();
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift on many keyboards
        return zoom(zoomFactor, 0.5);
    case Qt::Key_Minus:
        return zoom(1 / zoomFactor, 0.5);
    default:
        QWidget::keyPressEvent(event);
    }
}

bool TimeStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const TimeMark* mark = markAt(help->pos());
    const qint64 tMs = mark ? mark->tMs : timeAt(help->pos().x());
    QStringList lines{clockText(tMs, m_view.nowMs()) + QStringLiteral("  \u00b7  ") +
                      relativeText(tMs, m_view.nowMs())};
    if (mark)
        lines << mark->text;
    QToolTip::showText(help->globalPos(), plainTip(lines.join(QLatin1Char('\n'))), this);
    return true;
}

void TimeStrip::describe()
{
    QStringList parts;
    parts << (m_momentMs ? tr("showing %1").arg(momentText(*m_momentMs)) : tr("live"));
    if (m_firstMs > 0)
        parts << tr("recorded since %1").arg(momentText(m_firstMs));
    const auto events = std::ranges::count_if(
        m_marks, [](const TimeMark& mark) { return mark.sort != TimeMark::Sort::Gap; });
    parts << tr("%Ln event(s) in view", nullptr, int(events));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

} // namespace lk
