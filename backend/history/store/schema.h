// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

class QSqlDatabase;

namespace lk {

/// What this program writes. A file of a newer one is only read.
inline constexpr int recordingSchema = 7;

/// 0: the file is empty. Errors: FileError.
Result<int> schemaOf(const QSqlDatabase& db);

/// Brings the file to that schema, one step after the other, each whole or not at all. Nothing
/// happens to one that has it, or a newer one. Errors: FileError.
Result<void> migrateSchema(QSqlDatabase& db, int to = recordingSchema);

} // namespace lk
