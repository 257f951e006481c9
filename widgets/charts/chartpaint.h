// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QRectF>
#include <QStringList>

#include <vector>

class QPainter;

namespace lk {

// What the charts draw alike.

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
