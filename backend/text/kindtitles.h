// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

namespace lk {

/// "Limiters", "Locks", ...: the title of a board. Translated.
QString kindPluralTitle(Kind kind);

/// "limiters", "locks", ...: for use inside a sentence. Translated.
QString kindPluralWord(Kind kind);

/// "inferred", "declared", ...: shown beside a number. Translated.
QString sourceText(Source source);

} // namespace lk
