// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one way in which toml++ is included: header only, and errors as values.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>
