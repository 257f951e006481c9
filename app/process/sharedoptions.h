// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"

namespace lk {

/// --config FILE, of every command that reads a server.
CommandOption configOption();

/// --layouts DIR, of every command that detects.
CommandOption layoutsOption();

/// --undo-key FILE, of every command that can be undone.
CommandOption undoKeyOption();

/// Where URL is described, and how to keep a password out of it; a line.
QString aboutUrl();

} // namespace lk
