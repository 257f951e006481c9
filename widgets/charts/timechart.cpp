// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/timechart.h"

#include "backend/core/duration.h"
#include "widgets/charts/chartdata.h"
#include "widgets/charts/chartformat.h"
#include "widgets/charts/chartheader.h"
#include "widgets/charts/chartmenu.h"
#include "widgets/charts/chartpaint.h"
#include "widgets/charts/redrawgate.h"
#include "widgets/charts/timeplot.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <cmath>

namespace lk {

namespace {

constexpr qint64 firstSpanMs = 5 * 60 * 1000;
constexpr double panShare = 0.2;
constexpr double zoomFactor = 0.7;

} // namespace

TimeChart::TimeChart(QWidget* parent)
    : QWidget(parent)
    , m_data(std::make_unique<ChartData>())
    , m_view(firstSpanMs)
    , m_header(new ChartHeader(this))
    , m_plot(new TimePlot(*m_data, m_view, this))
    , m_gate(new RedrawGate(this, [this] { redraw(); }))
{
    setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2, 2, 2, 2); // room for the focus frame
    column->setSpacing(2);
    column->addWidget(m_header);
    column->addWidget(m_plot, 1);
    connect(m_header, &ChartHeader::followWanted, this, &TimeChart::follow);
    connect(m_plot, &TimePlot::followWanted, this, &TimeChart::follow);
    connect(m_plot, &TimePlot::moved, this, &TimeChart::moved);
}

TimeChart::~TimeChart() = default;

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
    m_data->lines.push_back({label, color, shape == Shape::Step, {}});
    return int(m_data->lines.size()) - 1;
}

void TimeChart::clearSeries()
{
    m_data->lines.clear();
    m_gate->request();
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
    m_gate->request();
}

void TimeChart::setNow(qint64 serverNowMs)
{
    m_view.setNow(serverNowMs);
    m_gate->request();
}

void TimeChart::addFlag(qint64 tMs, const QString& text)
{
    m_data->flags.push_back({tMs, text});
    m_gate->request();
}

void TimeChart::clearFlags()
{
    m_data->flags.clear();
    m_gate->request();
}

void TimeChart::setSpan(qint64 spanMs)
{
    m_view.setSpan(spanMs);
    moved();
}

void TimeChart::setTimeLabels(TimeLabels labels)
{
    m_plot->setTimeLabels(labels);
    m_gate->request();
}

void TimeChart::follow()
{
    m_view.follow();
    moved();
}

bool TimeChart::following() const
{
    return m_view.following();
}

qint64 TimeChart::fromMs() const
{
    return m_view.fromMs();
}

qint64 TimeChart::toMs() const
{
    return m_view.toMs();
}

qint64 TimeChart::spanMs() const
{
    return m_view.spanMs();
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

QImage TimeChart::picture()
{
    layout()->activate();
    m_plot->setResolution(2);
    QImage image = doubled(this);
    m_plot->setResolution(devicePixelRatioF());
    return image;
}

bool TimeChart::writePng(QIODevice* device)
{
    return picture().save(device, "PNG");
}

void TimeChart::moved()
{
    emit rangeChanged(m_view.fromMs(), m_view.toMs(), m_view.following());
    m_gate->request();
}

void TimeChart::redraw()
{
    const bool single = m_data->lines.size() == 1 && !m_data->isEmpty();
    m_header->setValue(single ? valueText(latest(m_data->lines.front().points), m_data->unit)
                              : QString());
    m_header->setFollowing(m_view.following());
    m_plot->refresh();
    setAccessibleDescription(description());
}

QString TimeChart::description() const
{
    if (m_data->isEmpty())
        return tr("No samples yet");
    QStringList parts;
    for (const ChartData::Line& line : m_data->lines) {
        const QString value = valueText(latest(line.points), m_data->unit);
        parts += line.label.isEmpty() ? value : line.label + QLatin1Char(' ') + value;
    }
    if (m_data->limit)
        parts += m_data->limitLabel;
    const int gaps = int(m_data->gaps(m_view.nowMs()).size());
    if (gaps > 0)
        parts += tr("%Ln gap(s) without data", nullptr, gaps);
    if (!m_data->flags.empty())
        parts += tr("%Ln flag(s)", nullptr, int(m_data->flags.size()));
    parts += m_view.following() ? tr("the last %1").arg(formatDuration(m_view.spanMs()))
                                : tr("%1 from %2")
                                      .arg(formatDuration(m_view.spanMs()),
                                           clockText(m_view.fromMs(), m_view.nowMs()));
    return m_data->unitInWords + QStringLiteral(": ") + parts.join(QStringLiteral(", "));
}

void TimeChart::keyPressEvent(QKeyEvent* event)
{
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
        m_view.moveTo(m_data->firstMs());
        break;
    case Qt::Key_End:
        m_view.follow();
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    moved();
}

void TimeChart::contextMenuEvent(QContextMenuEvent* event)
{
    ChartMenu menu;
    menu.picture = [this] { return picture(); };
    menu.csv = [this] { return csv(); };
    menu.setSpan = [this](qint64 span) { setSpan(span); };
    menu.follow = [this] { follow(); };
    menu.spanMs = m_view.spanMs();
    menu.following = m_view.following();
    menu.fileStem = m_data->title;
    menu.popup(this, event->globalPos());
}

void TimeChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        m_gate->request();
    QWidget::changeEvent(event);
}

void TimeChart::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void TimeChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void TimeChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), themeColors(palette()).surface);
    if (hasFocus())
        paintFocus(painter, rect(), palette());
}

} // namespace lk
