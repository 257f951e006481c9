// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

#include <QWidget>

namespace lk {

class SeriesFeed;
class TimeChart;

/// A chart for each number over time that only the layout of the shown primitive has; none for most
/// layouts. They share the stretch of time of the charts that its kind has.
class LayoutCharts final : public QWidget
{
    Q_OBJECT

public:
    /// feed: of the kind's charts; not owned, outlives this.
    explicit LayoutCharts(SeriesFeed& feed, QWidget* parent = nullptr);

    void show(const Primitive& primitive);

private:
    SeriesFeed& m_feed;
    QByteArray m_layout; ///< whose charts these are
    std::vector<TimeChart*> m_charts;
};

} // namespace lk
