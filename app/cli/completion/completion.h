// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"

#include <QByteArray>

namespace lk {

/// Returns the completions of both programs for "bash", "zsh" or "fish", made from the commands'
/// own options and usages. Errors: BadArgument for another shell.
Result<QByteArray> completionScript(const QString& shell);

} // namespace lk
