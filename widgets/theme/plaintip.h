// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Returns a tool tip that shows the text literally. A tip would treat text that looks like markup
/// as such, but text from a server is never markup.
QString plainTip(const QString& text);

} // namespace lk
