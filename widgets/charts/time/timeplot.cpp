// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time/timeplot.h"

#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/timeaxis.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <qcustomplot.h>

#include <cmath>

namespace lk {

namespace {

constexpr int rowHeight = 34;   // between two labels of the value axis
constexpr int columnWidth = 84; // between two labels of the time axis

/// Lets a function draw at its place among the plot's layers.
class PaintedItem final : public QCPAbstractItem
{
public:
    using Paint = std::function<void(QPainter&, const QRect&)>;
    PaintedItem(QCustomPlot* plot, const QString& layer, bool clipped, Paint paint)
        : QCPAbstractItem(plot)
        , m_paint(std::move(paint))
    {
        setLayer(layer);
        setSelectable(false);
        setClipToAxisRect(clipped);
    }
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override { m_paint(*painter, mParentPlot->axisRect()->rect()); }

private:
    Paint m_paint;
};

/// Shows exactly the places it is given.
class FixedTicker final : public QCPAxisTicker
{
public:
    QVector<double> places;
    QVector<QString> texts;
    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override
    {
        ticks = places;
        if (subTicks)
            subTicks->clear();
        if (labels)
            *labels = texts;
    }
};

// Without transparency, which noisy lines are slow with.
QColor faint(const QColor& color, const QColor& ground)
{
    const auto mixed = [](int a, int b) { return (a * 2 + b * 3) / 5; };
    return {mixed(color.red(), ground.red()), mixed(color.green(), ground.green()),
            mixed(color.blue(), ground.blue())};
}

FixedTicker& tickerOf(QCPAxis* axis)
{
    return static_cast<FixedTicker&>(*axis->ticker());
}

} // namespace

TimePlot::TimePlot(const ChartData& shown, QWidget* parent)
    : QWidget(parent)
    , m_data(shown)
    , m_plot(new QCustomPlot(this))
{
    rowIn(this, {}, 0, {m_plot});
    m_plot->setFocusPolicy(Qt::NoFocus); // the chart around it has the keys
    m_plot->setMouseTracking(true);
    // The plot keeps to itself what the chart and the page are to get: menu and wheel.
    m_plot->setAttribute(Qt::WA_NoMousePropagation, false);
    m_plot->setPlottingHints(QCP::phCacheLabels);
    m_plot->setNoAntialiasingOnDrag(true);
    m_plot->axisRect()->setAutoMargins(QCP::msNone);
    m_plot->addLayer(QStringLiteral("crosshair"));
    m_crosshair = m_plot->layer(QStringLiteral("crosshair"));
    m_crosshair->setMode(QCPLayer::lmBuffered);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis})
        axis->setTicker(QSharedPointer<FixedTicker>::create());

    const auto item = [this](const char* layer, bool clipped, auto member) {
        new PaintedItem(m_plot, QLatin1String(layer), clipped, // owned by the plot
                        [this, member](QPainter& p, const QRect& r) { (this->*member)(p, r); });
    };
    item("background", true, &TimePlot::paintGround);
    item("overlay", false, &TimePlot::paintMarks);
    item("crosshair", false, &TimePlot::paintCrosshair);
    m_plot->installEventFilter(this);
    // The plot learns its size only as it is drawn: labels made for another one stand wrong.
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
        if (m_axis && m_plot->axisRect()->width() != m_preparedWidth)
            QMetaObject::invokeMethod(this, &TimePlot::refresh, Qt::QueuedConnection);
    });
}

void TimePlot::setAxis(TimeAxis* axis)
{
    if (m_axis)
        m_axis->disconnect(this);
    m_axis = axis;
    connect(axis, &TimeAxis::cursorChanged, this, [this] {
        if (isVisible())
            m_crosshair->replot(); // its own buffer: the lines are not drawn again
    });
    restyle();
    refresh();
}

const TimeView& TimePlot::view() const
{
    return m_axis->view();
}

qint64 TimePlot::endMs() const
{
    return std::min(view().toMs(), view().nowMs());
}

qint64 TimePlot::lineEndMs() const
{
    return view().knownToMs();
}

void TimePlot::restyle()
{
    const ThemeColors& colors = themeColors(palette());
    const QColor gridColor = colors.tint(ColorRole::Second);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabelFont(uiFont(TextSize::Caption));
        axis->setTickLabelColor(colors.second);
        axis->setBasePen(axis == m_plot->xAxis ? QPen(colors.border, 1) : QPen(Qt::NoPen));
        axis->setTickPen(axis == m_plot->xAxis ? QPen(colors.border, 1) : QPen(Qt::NoPen));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(axis == m_plot->xAxis ? 3 : 0);
        axis->setTickLabelPadding(4);
        axis->grid()->setPen(QPen(gridColor, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    m_plot->xAxis->grid()->setVisible(false);
}

void TimePlot::refresh()
{
    prepare();
    if (m_plot->size().isEmpty())
        return;
    if (m_hover)
        m_axis->setCursor(timeAt(m_hover->x())); // what is live moves on below the pointer
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void TimePlot::prepare()
{
    m_plot->setBackground(chartGround(*m_axis, palette()));
    prepareMargins();
    m_plot->xAxis->setRange(double(view().fromMs()), double(view().toMs()));
    prepareTimes();

    const double smallest = m_data.unit == Metric::Unit::Milliseconds ? 100 : 4;
    const double top = std::max(m_data.largest(view().fromMs(), view().toMs()) * 1.08, smallest);
    const int rows = std::max(1, m_plot->axisRect()->height() / rowHeight);
    const double step = roundStep(top, rows, m_data.unit);
    const double end = std::ceil(top / step) * step;
    // A little below 0, so that a line along 0 is seen above the axis.
    m_plot->yAxis->setRange(-0.015 * end, end);
    FixedTicker& values = tickerOf(m_plot->yAxis);
    values.places.clear();
    values.texts.clear();
    for (double value = 0; value <= end + step / 2; value += step) {
        values.places.append(value);
        values.texts.append(axisText(value, m_data.unit));
    }
    prepareLines();
}

void TimePlot::prepareTimes()
{
    m_preparedWidth = m_plot->axisRect()->width();
    FixedTicker& times = tickerOf(m_plot->xAxis);
    times.places.clear();
    times.texts.clear();
    const bool hasNow = view().nowMs() <= view().toMs();
    for (const TimeTick& tick : timeTicks(view(), m_labels, plotWidth() / columnWidth)) {
        if (hasNow && besideNow(xOf(tick.tMs), xOf(view().nowMs()), tick.label, view()))
            continue;
        times.places.append(double(tick.tMs));
        times.texts.append(tick.label);
    }
}

void TimePlot::prepareMargins()
{
    const QFontMetrics metrics(uiFont(TextSize::Caption));
    int right = roomRightOfTime;
    for (const EndLabel& label : endLabels())
        right = std::max(right, metrics.horizontalAdvance(label.name + label.text) + 14);
    m_plot->axisRect()->setMargins({roomLeftOfTime(), metrics.height() / 2 + 2,
                                    std::min(right, width() / 3), metrics.height() + 9});
}

void TimePlot::prepareLines()
{
    const ThemeColors& colors = themeColors(palette());
    int graphs = 0;
    const auto draw = [&](const std::vector<SeriesPoint>& drawn, const QColor& color,
                          bool stepped) {
        QCPGraph* graph =
            graphs < m_plot->graphCount() ? m_plot->graph(graphs) : m_plot->addGraph();
        ++graphs;
        // Width 1: a wider pen goes through the stroker and costs a hundred times as much.
        graph->setPen(QPen(color, 1));
        graph->setLineStyle(stepped ? QCPGraph::lsStepLeft : QCPGraph::lsLine);
        graph->setAntialiased(!stepped);
        QVector<QCPGraphData> points;
        points.reserve(qsizetype(drawn.size()));
        for (const SeriesPoint& point : drawn)
            points.append({double(point.tMs), point.value});
        graph->data()->set(points, true);
    };
    // The comparison is drawn below the lines.
    for (const ChartData::Line& line : m_data.lines) {
        if (!line.before.empty())
            draw(line.before, faint(colors.of(line.color), colors.surface), line.stepped);
    }
    m_drawn.clear();
    for (const ChartData::Line& line : m_data.lines) {
        m_drawn.push_back(m_data.ended(line, lineEndMs()));
        draw(m_drawn.back(), colors.of(line.color), line.stepped);
    }
    while (m_plot->graphCount() > graphs)
        m_plot->removeGraph(m_plot->graphCount() - 1);
}

std::vector<TimePlot::EndLabel> TimePlot::endLabels() const
{
    const ThemeColors& colors = themeColors(palette());
    std::vector<EndLabel> labels;
    if (m_data.limit && !m_data.limitLabel.isEmpty())
        labels.push_back({{}, m_data.limitLabel, colors.danger, *m_data.limit});
    if (m_data.lines.size() < 2)
        return labels; // the title names it and shows its value
    for (const ChartData::Line& line : m_data.lines) {
        const double value = m_data.valueOf(line, endMs(), view().nowMs());
        if (!std::isnan(value))
            labels.push_back({line.label + QLatin1Char(' '), valueText(value, m_data.unit),
                              colors.of(line.color), value});
    }
    return labels;
}

void TimePlot::setResolution(double pixelRatio)
{
    setHover(std::nullopt);
    prepare();
    m_plot->setBufferDevicePixelRatio(pixelRatio);
    m_plot->replot(QCustomPlot::rpQueuedRefresh); // drawn now, shown later
}

int TimePlot::plotWidth() const
{
    const QMargins margins = m_plot->axisRect()->margins();
    return std::max(1, width() - margins.left() - margins.right());
}

qreal TimePlot::xOf(qint64 tMs) const
{
    return m_plot->xAxis->coordToPixel(double(tMs));
}

qreal TimePlot::yOf(double value) const
{
    return m_plot->yAxis->coordToPixel(value);
}

qint64 TimePlot::timeAt(int x) const
{
    return qint64(m_plot->xAxis->pixelToCoord(x));
}

// Redraws at once, because the surroundings have the new colours in the next frame. A hidden plot
// is drawn when it is shown.
void TimePlot::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_axis)
        return;
    restyle();
    if (!isVisible() || m_plot->size().isEmpty())
        return;
    prepare();
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void TimePlot::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_axis)
        refresh();
}

} // namespace lk
