// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/error.h"

namespace lk {

/// One sentence for a person: what happened. Translated.
QString errorText(const Error& error);

/// One sentence for a person: what to do or what happens next; empty where nothing helps.
QString errorAdvice(const Error& error);

} // namespace lk
