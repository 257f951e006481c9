// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// A tool tip that shows this text as it is, although a tip takes for markup what looks like it:
/// what a server holds is never markup.
QString plainTip(const QString& text);

} // namespace lk
