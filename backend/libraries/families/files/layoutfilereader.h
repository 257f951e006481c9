// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/families/files/layoutfile.h"

namespace lk {

/// Reads the TOML text of a layout file. Strict: the first thing that is wrong refuses the whole
/// (BadConfig, "file:line: what is wrong, what would be right"). fileName is for that text and for
/// LayoutFile::source.
Result<LayoutFile> parseLayoutFile(const QByteArray& toml, const QString& fileName);

/// Reads and parses a file of at most 64 KiB; FileError if it cannot be read.
Result<LayoutFile> loadLayoutFile(const QString& path);

} // namespace lk
