// SPDX-License-Identifier: GPL-3.0-or-later

// The only source that compiles toml++ itself.
#define TOML_IMPLEMENTATION
#include "backend/libraries/families/files/tomlheader.h"
