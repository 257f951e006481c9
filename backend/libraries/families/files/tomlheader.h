// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The only header that includes toml++: with errors as values, and with its parser compiled once,
// in tomlparser.cpp, which saves most of the compile time.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>
