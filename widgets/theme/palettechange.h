// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

class QWidget;

namespace lk {

/// Calls it whenever the widget's colours have changed. Icons, among others, are drawn in them.
void onPaletteChange(QWidget* widget, std::function<void()> restyle);
/// Calls it now, too.
void followPalette(QWidget* widget, const std::function<void()>& restyle);

} // namespace lk
