// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/layoutcharts.h"

#include "backend/layouts/layout.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/detail/seriesfeed.h"

#include <QVBoxLayout>

#include <utility>

namespace lk {

LayoutCharts::LayoutCharts(SeriesFeed& feed, QWidget* parent)
    : QWidget(parent)
    , m_feed(feed)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    hide();
}

void LayoutCharts::show(const Primitive& primitive)
{
    if (std::exchange(m_layout, primitive.id.layout) == primitive.id.layout)
        return;
    for (TimeChart* chart : std::exchange(m_charts, {})) {
        m_feed.remove(chart);
        delete chart;
    }
    const auto all = metricsOf(primitive);
    for (size_t i = metrics(primitive.kind).size(); i < all.size(); ++i) {
        auto* chart = new TimeChart;
        chart->setTitle(title(all[i]), layoutTitle(primitive.id.layout), all[i].unit);
        m_feed.add(chart, chart->addSeries({}, ColorRole::Accent), int(i));
        layout()->addWidget(chart);
        m_charts.push_back(chart);
    }
    setVisible(!m_charts.empty());
}

} // namespace lk
