// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/pane/layoutcharts.h"

#include "backend/libraries/api/layout.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/theme/boxlayout.h"

#include <utility>

namespace lk {

namespace {

ColorRole colorOf(Metric::Tone tone)
{
    switch (tone) {
    case Metric::Tone::Second:
        return ColorRole::Violet;
    case Metric::Tone::Third:
        return ColorRole::Warning;
    case Metric::Tone::Good:
        return ColorRole::Ok;
    case Metric::Tone::Bad:
        return ColorRole::Danger;
    case Metric::Tone::Plain:
        break;
    }
    return ColorRole::Accent;
}

} // namespace

LayoutCharts::LayoutCharts(SeriesFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
{
    columnIn(this, {}, 12);
    hide();
}

void LayoutCharts::show(const State& state)
{
    const Primitive& primitive = *state.primitive;
    if (std::exchange(m_layout, primitive.id.layout) != primitive.id.layout)
        build(primitive);
    for (Shared& shared : m_shared) {
        const QString unit = shared.what->unit(state);
        if (std::exchange(shared.unitInWords, unit) != unit)
            shared.chart->setTitle(title(*shared.what), unit, shared.unit);
    }
    setVisible(!m_charts.empty());
}

void LayoutCharts::build(const Primitive& primitive)
{
    m_shared.clear();
    for (TimeChart* chart : std::exchange(m_charts, {})) {
        m_feed.remove(chart);
        delete chart;
    }
    const auto all = metricsOf(primitive);
    for (size_t i = metrics(primitive.kind).size(); i < all.size(); ++i) {
        const Metric& metric = all[i];
        const bool shared =
            metric.chart && !m_shared.empty() && m_shared.back().what == metric.chart;
        if (!shared) {
            auto* chart = new TimeChart;
            layout()->addWidget(chart);
            m_charts.push_back(chart);
            if (metric.chart)
                m_shared.push_back({chart, metric.chart, metric.unit, {}});
            else
                chart->setTitle(title(metric), layoutTitle(primitive.id.layout), metric.unit);
        }
        TimeChart* chart = m_charts.back();
        const auto shape = metric.chart ? TimeChart::Shape::Line : TimeChart::Shape::Step;
        m_feed.add(chart, chart->addSeries(lineLabel(metric), colorOf(metric.tone), shape), int(i));
    }
}

} // namespace lk
