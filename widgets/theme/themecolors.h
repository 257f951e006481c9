// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QColor>
#include <QPalette>

namespace lk {

/// A colour by its meaning.
enum class ColorRole : quint8 {
    Ground,  ///< behind panes
    Surface, ///< panes, tables, charts
    Border,
    Text,
    Second, ///< captions, axis labels
    Accent,
    Ok,
    Warning,
    Danger,
    Violet,
    Teal,
};

/// The colours of one theme. Every text colour reaches 4.5 to 1 on surface and ground.
struct ThemeColors
{
    QColor ground;
    QColor surface;
    QColor border;
    QColor text;
    QColor second;
    QColor accent;
    QColor ok;
    QColor warning;
    QColor danger;
    QColor violet;
    QColor teal;
    bool dark = false;

    QColor of(ColorRole role) const;
    /// A faint ground for a badge or band of that colour.
    QColor tint(ColorRole role) const;
};

/// The colours that belong to a widget's palette: the dark ones if its window is dark. Ask again
/// on QEvent::PaletteChange.
const ThemeColors& themeColors(const QPalette& palette);
bool isDark(const QPalette& palette);

/// The palettes that give Fusion these colours.
QPalette lightPalette();
QPalette darkPalette();

ColorRole healthRole(Health health);
/// Returns the same colour for the same owner or name in every chart: one of eight that are
/// distinct in this theme. No owner is grey.
QColor ownerColor(const QString& owner, const QPalette& palette);

} // namespace lk
