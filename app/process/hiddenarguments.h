// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

// What other processes can see of this one. To be called first thing, in the main thread, once the
// arguments have been copied.

/// Other users of the machine read a process's arguments: overwrites, in place, the password of
/// every address, with or without a scheme and also after "--option=", the code in a token's name,
/// and the values of --payload and --owner.
void hideSecrets(int argc, char** argv);

/// A word as it may be repeated in an error: the password of an address is overwritten.
QString shownArgument(const QString& word);

} // namespace lk
