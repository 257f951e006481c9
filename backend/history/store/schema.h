// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

class QSqlDatabase;

namespace lk {

/// The schema that this program writes. A file with a newer schema is only read.
inline constexpr int recordingSchema = 1;

/// Returns the file's schema; 0 if the file is empty. Errors: FileError.
Result<int> schemaOf(const QSqlDatabase& db);

/// Creates all tables of an empty file, or none. Errors: FileError.
Result<void> makeSchema(QSqlDatabase& db);

} // namespace lk
