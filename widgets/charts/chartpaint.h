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

// Drawing that all charts share.

inline constexpr int chartMargin = 2; ///< around a chart, in pixels: room for the focus frame

/// The room beside the plotted time, equal for all charts, so that charts above each other align.
/// Pixels, without chartMargin.
int roomLeftOfTime();
inline constexpr int roomRightOfTime = 62;

/// Returns the label of the time axis at now, or at the moment that is shown.
QString nowLabel(const TimeView& view);
/// Whether a label with that middle would stand in now's, at nowX.
bool besideNow(qreal x, qreal nowX, const QString& label, const TimeView& view);

/// Returns the notes for a chart that shows a moment of the past, the longest first.
QStringList pastTexts(qint64 tMs, qint64 nowMs);
/// Returns the notes for a chart that is not live, the longest first. Empty if it is live.
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
