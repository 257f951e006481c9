// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

#include <functional>

class QPoint;
class QWidget;

namespace lk {

/// The entries of a chart's context menu. Functions that a chart lacks are left empty.
struct ChartMenu
{
    std::function<QImage()> picture;
    std::function<QString()> csv;
    std::function<void(qint64)> setSpan;
    std::function<void()> follow;
    std::function<void(qint64)> setCompare; ///< with the values from so long before; 0: none
    qint64 compareMs = 0;
    qint64 spanMs = 0;
    bool following = true;
    std::function<QString()> fileStem; ///< the proposed name of a saved file

    /// Opens it; it lives until it is closed, at the latest with the chart.
    void popup(QWidget* chart, const QPoint& globalPosition) const;
};

} // namespace lk
