// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time/timechart.h"

#include "backend/text/time/duration.h"
#include "widgets/charts/chartdata.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/charts/time/markpaint.h"
#include "widgets/charts/time/timeplot.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/palettechange.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace lk {

namespace {

constexpr qint64 firstSpanMs = 5 * 60 * 1000;

} // namespace

TimeChart::TimeChart(QWidget* parent)
    : ChartWidget(parent)
    , m_data(std::make_unique<ChartData>())
    , m_axis(new TimeAxis(firstSpanMs, 0, this))
    , m_header(new ChartHeader(this))
    , m_plot(new TimePlot(*m_data, this))
    , m_gate(new RedrawGate(this, [this] { redraw(); }))
{
    columnIn(this, {chartMargin, chartMargin, chartMargin, chartMargin}, 2,
             {m_header, {m_plot, 1}});
    connect(m_header, &ChartHeader::followWanted, this, &TimeChart::follow);
    connect(m_plot, &TimePlot::followWanted, this, &TimeChart::follow);
    setAxis(m_axis);
    onPaletteChange(this, [this] { m_gate->request(); });
}

TimeChart::~TimeChart() = default;

void TimeChart::setAxis(TimeAxis* axis)
{
    if (axis != m_axis) {
        m_axis->disconnect(this);
        if (m_axis->parent() == this)
            m_axis->deleteLater();
    }
    m_axis = axis;
    m_plot->setAxis(axis);
    connect(axis, &TimeAxis::rangeChanged, this, &TimeChart::moved);
    connect(axis, &TimeAxis::nowChanged, this, [this] { m_gate->request(); });
    connect(axis, &TimeAxis::marksChanged, this, [this] { m_gate->request(); });
    connect(axis, &TimeAxis::compareChanged, this, &TimeChart::onCompare);
    m_gate->request();
}

void TimeChart::setAbsentText(int series, const QString& text)
{
    m_data->lines[size_t(series)].absent = text;
}

void TimeChart::setStaleAfter(qint64 ms)
{
    if (std::exchange(m_data->staleAfterMs, ms) != ms)
        m_gate->request();
}

void TimeChart::setTitle(const QString& title, const QString& unitInWords, Metric::Unit unit)
{
    m_data->title = title;
    m_data->unitInWords = unitInWords;
    m_data->unit = unit;
    m_header->setTitle(title, unitInWords);
    setAccessibleName(title);
    m_gate->request();
}

int TimeChart::addSeries(const QString& label, ColorRole color, Shape shape)
{
    m_data->lines.push_back({label, color, shape == Shape::Step, {}, {}});
    return int(m_data->lines.size()) - 1;
}

void TimeChart::setLimit(std::optional<double> value, const QString& label)
{
    m_data->limit = value;
    m_data->limitLabel = label;
    m_gate->request();
}

void TimeChart::setPoints(int series, std::vector<SeriesPoint> points)
{
    if (series < 0 || size_t(series) >= m_data->lines.size())
        return;
    m_data->lines[size_t(series)].points = std::move(points);
    if (m_axis->parent() == this)
        m_axis->setFirst(m_data->firstMs());
    m_gate->request();
}

void TimeChart::setBefore(int series, std::vector<SeriesPoint> points)
{
    if (series < 0 || size_t(series) >= m_data->lines.size())
        return;
    m_data->lines[size_t(series)].before = std::move(points);
    m_gate->request();
}

// The old comparison is from another time.
void TimeChart::onCompare()
{
    m_data->beforeLabel = m_axis->compare() > 0 ? compareTitle(m_axis->compare()) : QString();
    for (ChartData::Line& line : m_data->lines)
        line.before.clear();
    m_gate->request();
}

void TimeChart::setNow(qint64 serverNowMs)
{
    m_axis->setNow(serverNowMs);
}

void TimeChart::setSpan(qint64 spanMs)
{
    m_axis->setSpan(spanMs);
}

void TimeChart::setTimeLabels(TimeLabels labels)
{
    m_plot->setTimeLabels(labels);
    m_gate->request();
}

void TimeChart::follow()
{
    m_axis->follow();
}

bool TimeChart::following() const
{
    return m_axis->view().following();
}

qint64 TimeChart::fromMs() const
{
    return m_axis->view().fromMs();
}

qint64 TimeChart::toMs() const
{
    return m_axis->view().toMs();
}

qint64 TimeChart::spanMs() const
{
    return m_axis->view().spanMs();
}

int TimeChart::wantedPoints() const
{
    return std::max(200, 2 * m_plot->plotWidth());
}

QString TimeChart::valuesAt(qint64 tMs) const
{
    return m_plot->valuesAt(tMs);
}

QString TimeChart::csv() const
{
    return m_data->csv();
}

ChartWidget::Shown TimeChart::shown() const
{
    const TimeView& view = m_axis->view();
    return {view.fromMs(), std::min(view.toMs(), view.nowMs())};
}

QString TimeChart::chartTitle() const
{
    return m_data->title;
}

QImage TimeChart::draw()
{
    layout()->activate();
    m_plot->setResolution(2);
    QImage image = ChartWidget::draw();
    m_plot->setResolution(devicePixelRatioF());
    return image;
}

void TimeChart::moved()
{
    const TimeView& view = m_axis->view();
    emit rangeChanged(view.fromMs(), view.toMs(), view.following());
    m_gate->requestFrame();
}

void TimeChart::redraw()
{
    const TimeView& view = m_axis->view();
    const bool single = m_data->lines.size() == 1 && !m_data->isEmpty();
    // The value is the one at the right end of the shown span.
    m_header->setValue(single ? m_data->textAt(m_data->lines.front(), shown().toMs, view.nowMs())
                              : QString());
    m_header->setStill(stillTexts(*m_axis), !view.following() && !view.isPast(), view.isPast());
    m_plot->refresh();
    setAccessibleDescription(description());
}

QString TimeChart::description() const
{
    if (m_data->isEmpty())
        return m_axis->isLoading() ? tr("Loading\u2026") : tr("No samples yet");
    const TimeView& view = m_axis->view();
    QStringList parts;
    for (const ChartData::Line& line : m_data->lines) {
        const QString value = m_data->textAt(line, shown().toMs, view.nowMs());
        parts += line.label.isEmpty() ? value : line.label + QLatin1Char(' ') + value;
    }
    if (m_data->limit)
        parts += m_data->limitLabel;
    const int gaps = int(m_data->gaps(view.nowMs()).size());
    if (gaps > 0)
        parts += tr("%Ln gap(s) without data", nullptr, gaps);
    parts += view.following()
                 ? tr("the last %1").arg(formatDuration(view.spanMs()))
                 : tr("%1 from %2")
                       .arg(formatDuration(view.spanMs()), clockText(view.fromMs(), view.nowMs()));
    parts += stillTexts(*m_axis).mid(0, 1);
    if (!m_data->beforeLabel.isEmpty())
        parts += tr("compared with %1").arg(m_data->beforeLabel);
    const auto marks = std::ranges::count_if(m_axis->marks(), [&](const TimeMark& mark) {
        return isFlag(mark) && mark.tMs >= view.fromMs() && mark.tMs <= view.toMs();
    });
    if (marks > 0)
        parts += tr("%Ln event(s)", nullptr, int(marks));
    return m_data->unitInWords + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

void TimeChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), chartGround(*m_axis, palette()));
    paintFocusFrame(painter);
}

} // namespace lk
