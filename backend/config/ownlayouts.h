// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QString>

namespace lk {

/// Where an operator's layout files are looked for: "layouts" beside the default configuration
/// file.
QString defaultLayoutsFolder();

/// Adds the layout files (*.toml) of the default folder, if there is one, and of the given folder
/// (empty: none) to the layouts of this process. For main(), before anything asks for a layout.
/// The first file that is wrong refuses all: BadConfig, FileError.
Result<void> addOwnLayouts(const QString& given);

} // namespace lk
