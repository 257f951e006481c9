// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

class QSqlDatabase;

namespace lk {

/// What this program writes. A file of a newer one is only read.
inline constexpr int recordingSchema = 1;

/// 0: the file is empty. Errors: FileError.
Result<int> schemaOf(const QSqlDatabase& db);

/// Makes the tables of an empty file, all or none. Errors: FileError.
Result<void> makeSchema(QSqlDatabase& db);

} // namespace lk
