// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/strips/windowstrip.h"

#include "backend/text/statewords.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/charts/strips/stripgeometry.h"
#include "widgets/charts/strips/striplayout.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QLocale>
#include <QToolTip>

#include <utility>

namespace lk {

namespace {

constexpr int frameMs = 100;
constexpr qint64 guessedAtMostMs = 3000; // without news the strip stands still after that
constexpr qint64 futureKeptMs = 5000;    // room beyond now after the last reservation

} // namespace

WindowStrip::WindowStrip(QWidget* parent)
    : ChartWidget(parent)
    , m_header(new ChartHeader(this))
    , m_gate(new RedrawGate(this, [this] { refresh(); }))
{
    columnIn(this, {stripMargin, stripMargin, stripMargin, stripMargin}, 0,
             {m_header, BoxStretch{}});
    m_header->setTitle(tr("Window"), {});
    setAccessibleName(tr("Window of the limiter"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_frames.setInterval(frameMs);
    connect(&m_frames, &QTimer::timeout, this, [this] { m_gate->request(); });
}

void WindowStrip::setState(const LimiterState& state, qint64 asOfServerMs,
                           std::optional<qint64> ttlMs)
{
    m_state = state;
    m_asOfMs = asOfServerMs;
    m_ttlMs = ttlMs;
    if (m_nowMs < asOfServerMs)
        setServerNow(asOfServerMs);
    if (!state.reserved.empty() || state.retryAfterMs.value_or(0) > 0)
        m_futureSeenMs = asOfServerMs;
    animate();
    m_gate->request();
}

void WindowStrip::clear()
{
    m_state.reset();
    m_futureSeenMs = 0;
    animate();
    m_gate->request();
}

void WindowStrip::setServerNow(qint64 ms)
{
    m_nowMs = ms;
    m_sinceNow.start();
    m_gate->request();
}

void WindowStrip::setPaused(bool paused)
{
    if (std::exchange(m_paused, paused) == paused)
        return;
    animate();
    m_gate->request();
}

void WindowStrip::animate()
{
    if (isVisible() && !m_paused && m_state)
        m_frames.start();
    else
        m_frames.stop();
}

qint64 WindowStrip::shownNow() const
{
    if (m_paused || !m_frames.isActive() || !m_sinceNow.isValid())
        return m_nowMs;
    return m_nowMs + std::min(m_sinceNow.elapsed(), guessedAtMostMs);
}

StripLayout WindowStrip::layoutNow() const
{
    const qint64 now = shownNow();
    const bool wantFuture = m_futureSeenMs > 0 && now - m_futureSeenMs < futureKeptMs;
    return layoutStrip(*m_state, m_asOfMs, now, laneRect().width(), wantFuture);
}

QRect WindowStrip::laneRect() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    const int top = stripMargin + m_header->sizeHint().height() + caption + stripLeader;
    return {stripMargin, top, width() - 2 * stripMargin, stripLaneHeight};
}

QSize WindowStrip::sizeHint() const
{
    const int caption = QFontMetrics(uiFont(TextSize::Caption)).height();
    return {560, laneRect().bottom() + 1 + stripTick + caption + stripMargin};
}

QSize WindowStrip::minimumSizeHint() const
{
    return {240, sizeHint().height()};
}

std::optional<qint64> WindowStrip::resetInMs() const
{
    if (!m_ttlMs)
        return std::nullopt;
    return std::max<qint64>(0, m_asOfMs + *m_ttlMs - shownNow());
}

QString WindowStrip::usedText(qint64 used) const
{
    if (m_state->algorithm == Algorithm::Gate)
        return used > 0 ? tr("closed") : tr("open");
    const QLocale locale;
    const QString count = m_state->occupancyIsUpperBound
                              ? tr("at most %1").arg(locale.toString(used))
                              : locale.toString(used);
    if (!m_state->limit)
        return tr("%1 used, limit unknown").arg(count);
    return tr("%1 of %2").arg(count, locale.toString(*m_state->limit));
}

void WindowStrip::refresh()
{
    setAccessibleDescription(description());
    m_header->setStill(m_paused && m_state
                           ? QStringList{tr("Paused at %1").arg(clockText(m_nowMs, m_nowMs))}
                           : QStringList(),
                       false);
    update();
    if (!m_state) {
        m_header->setValue({});
        return;
    }
    QString caption = algorithmTitle(m_state->algorithm);
    if (m_state->windowMs)
        caption = formatDuration(*m_state->windowMs) + QStringLiteral(", ") + caption;
    if (!m_state->windowMs && hasMarks(m_state->algorithm))
        caption = tr("window unknown: scaled to fit the stored marks");
    m_header->setTitle(tr("Window"), caption);
    const qint64 used =
        hasMarks(m_state->algorithm) ? layoutNow().used : m_state->occupancy.value_or(0);
    const bool full = m_state->limit && used >= *m_state->limit;
    const bool said = m_state->algorithm == Algorithm::Gate; // "closed" says it
    m_header->setValue(full && !said ? usedText(used) + QStringLiteral(", ") + tr("full")
                                     : usedText(used),
                       full && !said ? ColorRole::Warning : ColorRole::Text);
}

QString WindowStrip::description() const
{
    if (!m_state)
        return tr("Nothing to show yet");
    QStringList parts;
    if (!hasMarks(m_state->algorithm)) {
        parts += usedText(m_state->occupancy.value_or(0));
        if (const auto reset = resetInMs())
            parts += tr("resets in %1").arg(formatDuration(*reset));
        return parts.join(QStringLiteral(", "));
    }
    const StripLayout strip = layoutNow();
    parts += m_state->windowMs ? tr("window %1").arg(formatDuration(*m_state->windowMs))
                               : tr("window unknown");
    parts += usedText(strip.used);
    parts += tr("%Ln mark(s)", nullptr, int(strip.accepted.size()));
    if (!strip.reserved.empty())
        parts += tr("%Ln reservation(s)", nullptr, int(strip.reserved.size()));
    if (strip.nextFreeInMs)
        parts += tr("next free in %1").arg(formatDuration(*strip.nextFreeInMs));
    if (strip.retryInMs)
        parts += tr("retry after %1").arg(formatDuration(*strip.retryInMs));
    return parts.join(QStringLiteral(", "));
}

QString WindowStrip::textAt(const QPoint& position) const
{
    const QRect lane = laneRect();
    if (!m_state || !hasMarks(m_state->algorithm) || !lane.contains(position))
        return {};
    const StripLayout strip = layoutNow();
    const qreal x = position.x() - lane.left();
    for (const StripLayout::Mark& mark : strip.reserved) {
        if (std::abs(mark.x - x) <= strip.reservedWidth)
            return tr("reserved: retry in %1").arg(formatDuration(mark.tMs - strip.nowMs));
    }
    for (const StripLayout::Mark& mark : strip.accepted) {
        if (std::abs(mark.x - x) > strip.markWidth)
            continue;
        const QString accepted = tr("accepted %1 ago").arg(formatDuration(strip.nowMs - mark.tMs));
        if (!strip.windowKnown)
            return accepted;
        return accepted + QStringLiteral(", ") +
               tr("leaves the window in %1")
                   .arg(formatDuration(mark.tMs + strip.pastMs - strip.nowMs));
    }
    return {};
}

bool WindowStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

QString WindowStrip::csv() const
{
    if (!m_state)
        return {};
    if (!hasMarks(m_state->algorithm)) {
        const auto cell = [](std::optional<qint64> n) {
            return n ? QString::number(*n) : QString();
        };
        return QStringLiteral("time_utc,used,limit,resets_in_ms\n%1,%2,%3,%4\n")
            .arg(utcText(m_asOfMs), cell(m_state->occupancy), cell(m_state->limit), cell(m_ttlMs));
    }
    QString out = QStringLiteral("kind,time_utc\n");
    for (const qint64 tMs : m_state->accepted)
        out += QStringLiteral("accepted,") + utcText(tMs) + QLatin1Char('\n');
    for (const qint64 tMs : m_state->reserved)
        out += QStringLiteral("reserved,") + utcText(tMs) + QLatin1Char('\n');
    return out;
}

void WindowStrip::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    animate();
}

void WindowStrip::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    animate();
}

} // namespace lk
