// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/families/files/layoutfile.h"

namespace lk {

/// Parses the TOML text of a layout file. Strict: the first problem refuses the whole file
/// (BadConfig, "file:line: problem, correct form"). fileName is used in that text and as
/// LayoutFile::source.
Result<LayoutFile> parseLayoutFile(const QByteArray& toml, const QString& fileName);

/// Reads and parses a file of at most 64 KiB; Fails with FileError if it cannot be read.
Result<LayoutFile> loadLayoutFile(const QString& path);

} // namespace lk
