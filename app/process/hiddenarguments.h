// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

// Hides secrets from other processes. Call first, in the main thread, once the arguments have been
// copied.

/// Overwrites secrets in the arguments, which other users of the machine can read: the password of
/// every address, with or without a scheme and also after "--option=", the code in a token's name,
/// and the values of --payload and --owner.
void hideSecrets(int argc, char** argv);

/// A word as it may be repeated in an error: the password of an address is overwritten.
QString shownArgument(const QString& word);

} // namespace lk
