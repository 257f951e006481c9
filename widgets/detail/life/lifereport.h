// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/past/timeline.h"

#include <QImage>
#include <QPalette>

namespace lk {

/// A picture for a support ticket: title, subject and span, the chart, the lines.
struct LifeReport
{
    QString title;
    QString caption; ///< layout, server, from when to when, in which zone
    QImage chart;    ///< may be null
    Timeline life;
};

/// More lines than that are counted, not drawn.
inline constexpr int mostReportLines = 200;

QImage drawReport(const LifeReport& report, const QPalette& palette);

} // namespace lk
