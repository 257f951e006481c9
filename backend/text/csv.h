// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// One cell of a CSV table: quoted where it has to be, and never what a spreadsheet would run as a
/// formula.
QString csvCell(const QString& text);
/// The same, quoted in any case: columns of free text look alike then.
QString quotedCsvCell(const QString& text);

} // namespace lk
