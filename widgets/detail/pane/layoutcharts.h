// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <QWidget>

namespace lk {

class SeriesFeed;
class TimeChart;

/// The charts of numbers that only the layout of the shown primitive has: a chart for each number,
/// or for several that share one. Most layouts have none. The charts share the span of the kind's
/// charts.
class LayoutCharts final : public QWidget
{
    Q_OBJECT

public:
    /// feed: of the kind's charts; not owned, outlives this.
    explicit LayoutCharts(SeriesFeed& feed, QWidget* parent = nullptr);

    void show(const State& state);

private:
    void build(const Primitive& primitive);

    struct Shared
    {
        TimeChart* chart;
        const MetricChart* what;
        Metric::Unit unit;
        QString unitInWords; ///< as it stands there
    };

    SeriesFeed& m_feed;
    QByteArray m_layout; ///< the layout of these charts
    std::vector<TimeChart*> m_charts;
    std::vector<Shared> m_shared; ///< those of several numbers: what they are of changes
};

} // namespace lk
