// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QRectF>
#include <QStringList>

#include <vector>

class QPainter;

namespace lk {

class TimeAxis;
class TimeView;

// What the charts draw alike.

inline constexpr int chartMargin = 2; ///< around a chart, in pixels: room for the focus frame

/// What lies beside the stretch of time, so that charts one above the other begin and end at the
/// same place. Pixels, without chartMargin.
int roomLeftOfTime();
inline constexpr int roomRightOfTime = 62;

/// What stands at the time axis below now, or below the moment that is shown.
QString nowLabel(const TimeView& view);
/// Whether a label with that middle would stand in now's, at nowX.
bool besideNow(qreal x, qreal nowX, const QString& label, const TimeView& view);

/// What to say of a chart that shows that moment of the past, the longest first.
QStringList pastTexts(qint64 tMs, qint64 nowMs);
/// What to say of a chart that is not live, the longest first; empty: it is live.
QStringList stillTexts(const TimeAxis& axis);
/// The surface; tinted while it is not live.
QColor chartGround(const TimeAxis& axis, const QPalette& palette);

/// A text in the middle of a band on a small plate of its own, if it fits.
void paintPlate(QPainter& painter, const QRectF& band, const QString& text, const QColor& color,
                const QColor& plate);

/// The box beside a crosshair: a heading, then one line per key with the key's colour before it,
/// then what is left. Stays inside the area.
void paintValueBox(QPainter& painter, const QRect& area, int x, const QStringList& lines,
                   const std::vector<QColor>& keys, const QPalette& palette);

/// The frame that says where the keyboard is.
void paintFocus(QPainter& painter, const QRect& rect, const QPalette& palette);

} // namespace lk
