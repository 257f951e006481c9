// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one way in which toml++ is included: errors as values, and its parser compiled once, in
// tomlparser.cpp, which is most of what it costs to include.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>
