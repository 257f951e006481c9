// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

namespace lk {

/// "declared", "certain", "likely", "possible". Translated.
QString certaintyWord(Certainty certainty);

/// The proof of a primitive that no key proves by itself, as a sentence; empty where a key does.
/// Translated.
QString provenText(ProvenBy provenBy);

/// Why something is no more than possible, as a sentence. Translated.
QString doubtText(Doubt doubt);

} // namespace lk
