// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>

namespace lk {

/// The folder of the operator's layout files: "layouts" beside the default configuration file.
QString defaultLayoutsFolder();

/// Adds the layout files (*.toml) of the default folder, if it exists, and of the given folder
/// (empty: none) to the layouts of this process. main() calls it before any use of layouts. The
/// first invalid file refuses all: BadConfig, FileError.
Result<void> addOwnLayouts(const QString& given);

} // namespace lk
