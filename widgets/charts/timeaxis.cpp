// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timeaxis.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QStyleHints>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lk {

namespace {

constexpr double panShare = 0.2;
constexpr double cursorShare = 0.02;
constexpr double zoomFactor = 0.7;
constexpr double notch = 120.0; // of a wheel, in eighths of a degree

} // namespace

TimeAxis::TimeAxis(qint64 spanMs, double futureShare, QObject* parent)
    : QObject(parent)
    , m_view(spanMs, futureShare)
{
    m_click.setSingleShot(true);
    connect(&m_click, &QTimer::timeout, this, [this] { choose(m_clickedMs); });
}

void TimeAxis::setNow(qint64 serverNowMs)
{
    m_view.setNow(serverNowMs);
    emit nowChanged();
}

void TimeAxis::setReading(bool reading)
{
    if (std::exchange(m_reading, reading) != reading)
        emit nowChanged();
}

void TimeAxis::setLoading(bool loading)
{
    if (std::exchange(m_loading, loading) != loading)
        emit nowChanged();
}

void TimeAxis::setPast(qint64 endMs)
{
    const bool was = isPast();
    m_view.setEnd(endMs);
    if (was != isPast())
        emit nowChanged();
}

void TimeAxis::setMarks(std::vector<TimeMark> marks)
{
    if (m_marks == marks)
        return;
    m_marks = std::move(marks);
    emit marksChanged();
}

void TimeAxis::setCompare(qint64 beforeMs)
{
    if (std::exchange(m_compareMs, beforeMs) != beforeMs)
        emit compareChanged();
}

void TimeAxis::choose(qint64 tMs)
{
    emit momentChosen(std::min(tMs, m_view.knownToMs()));
}

void TimeAxis::click(qint64 tMs)
{
    if (m_view.following() || isPast())
        return choose(tMs);
    m_clickedMs = tMs;
    m_click.start(QGuiApplication::styleHints()->mouseDoubleClickInterval());
}

void TimeAxis::setSpan(qint64 spanMs)
{
    m_view.setSpan(spanMs);
    moved();
}

void TimeAxis::follow()
{
    m_click.stop();
    m_view.follow();
    moved();
}

void TimeAxis::hold()
{
    m_view.hold();
    moved();
}

void TimeAxis::pan(double share)
{
    m_view.pan(share);
    moved();
}

void TimeAxis::zoom(double factor, std::optional<double> anchor)
{
    if (anchor || !m_view.following())
        m_view.zoom(factor, anchor.value_or(0.5));
    else
        m_view.setSpan(qint64(std::round(double(m_view.spanMs()) * factor)));
    moved();
}

void TimeAxis::setCursor(std::optional<qint64> tMs)
{
    if (std::exchange(m_cursorMs, tMs) != tMs)
        emit cursorChanged();
}

// Without one it begins at the end of what is known.
void TimeAxis::moveCursor(double share)
{
    const qint64 last = std::min(m_view.toMs(), m_view.knownToMs());
    const qint64 from = m_cursorMs.value_or(last);
    setCursor(std::clamp(from + qint64(double(m_view.spanMs()) * share), m_view.fromMs(),
                         std::max(m_view.fromMs(), last)));
}

bool TimeAxis::press(const QKeyEvent& event)
{
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int way = event.key() == Qt::Key_Left ? -1 : 1;
        if (shift)
            moveCursor(way * cursorShare);
        else
            pan(way * panShare);
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_cursorMs)
            return false;
        choose(*m_cursorMs);
        return true;
    case Qt::Key_C: {
        if (!m_comparable || event.modifiers() != Qt::NoModifier)
            return false;
        const auto* next = std::find(std::begin(compareSpans), std::end(compareSpans), m_compareMs);
        next = next == std::end(compareSpans) ? std::begin(compareSpans) : next + 1;
        setCompare(next == std::end(compareSpans) ? 0 : *next);
        return true;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the same key without Shift on many keyboards
        zoom(zoomFactor);
        return true;
    case Qt::Key_Minus:
        zoom(1 / zoomFactor);
        return true;
    case Qt::Key_Home:
        if (m_firstMs > 0) {
            m_view.moveTo(m_firstMs);
            moved();
        }
        return true;
    case Qt::Key_End:
        follow();
        return true;
    default:
        return false;
    }
}

bool TimeAxis::wheel(const QWheelEvent& event, double anchor)
{
    const double notches = event.angleDelta().y() / notch;
    if (notches == 0)
        return false;
    if (event.modifiers().testFlag(Qt::ControlModifier))
        zoom(std::pow(0.8, notches), std::clamp(anchor, 0.0, 1.0));
    else if (event.modifiers().testFlag(Qt::ShiftModifier))
        pan(-notches * panShare / 2);
    else
        return false;
    return true;
}

void TimeAxis::moved()
{
    emit rangeChanged(m_view.fromMs(), m_view.toMs(), m_view.following());
}

QString compareTitle(qint64 beforeMs)
{
    return beforeMs == compareSpans[0]
               ? QCoreApplication::translate("lk::Chart", "one day earlier")
               : QCoreApplication::translate("lk::Chart", "one week earlier");
}

} // namespace lk
