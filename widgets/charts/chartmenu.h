// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

#include <functional>

class QPoint;
class QWidget;

namespace lk {

/// What a chart's context menu offers. What a chart cannot do is left empty.
struct ChartMenu
{
    std::function<QImage()> picture;
    std::function<QString()> csv;
    std::function<void(qint64)> setSpan;
    std::function<void()> follow;
    std::function<void(qint64)> setCompare; ///< with what was so long before; 0: nothing
    qint64 compareMs = 0;
    qint64 spanMs = 0;
    bool following = true;
    std::function<QString()> fileStem; ///< what a saved file is called at first

    /// Opens it; it lives until it is closed, at the latest with the chart.
    void popup(QWidget* chart, const QPoint& globalPosition) const;
};

} // namespace lk
