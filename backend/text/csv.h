// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Returns the text as a CSV cell, quoted if needed. The cell is never a formula that a spreadsheet
/// would run.
QString csvCell(const QString& text);
/// The same, always quoted, for uniform columns of free text.
QString quotedCsvCell(const QString& text);

} // namespace lk
