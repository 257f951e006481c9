// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"

namespace lk {

/// "declared", "certain", "likely", "possible". Translated.
QString certaintyWord(Certainty certainty);

/// How a primitive was proven that no key proves by itself, as a sentence; empty if a key does.
/// Translated.
QString provenText(ProvenBy provenBy);

/// Why a primitive is merely possible, as a sentence. Translated.
QString doubtText(Doubt doubt);

} // namespace lk
