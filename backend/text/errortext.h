// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

namespace lk {

/// A sentence for the user that describes the error. Translated.
QString errorText(const Error& error);

/// A sentence for the user with the next step; empty if there is none. Translated.
QString errorAdvice(const Error& error);

} // namespace lk
