// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <QWidget>

namespace lk {

class SeriesFeed;
class TimeChart;

/// The numbers over time that only the layout of the shown primitive has, a chart for each, or for
/// those that share one; none for most layouts. They share the stretch of time of the charts that
/// its kind has.
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
    QByteArray m_layout; ///< whose charts these are
    std::vector<TimeChart*> m_charts;
    std::vector<Shared> m_shared; ///< those of several numbers: what they are of changes
};

} // namespace lk
