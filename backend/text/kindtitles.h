// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

namespace lk {

/// "Limiters", "Locks", ...: as a board is called. Translated.
QString kindPluralTitle(Kind kind);

/// "limiters", "locks", ...: the same inside a sentence. Translated.
QString kindPluralWord(Kind kind);

/// "inferred", "declared", ...: beside the number. Translated.
QString sourceText(Source source);

} // namespace lk
