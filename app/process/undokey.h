// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undostore.h"
#include "backend/secrets/secretstore.h"

namespace lk {

/// Lets the store keep undo data in its folder, encrypted with a key that is made at its first use
/// and found again:
/// 1. the key that the user gave: the path of a file with it, made if it is missing (mode 600), or
///    the key itself, 32 bytes in base64;
/// 2. else a key in the desktop's keyring;
/// 3. else a key in the kernel's memory, until the user logs out.
/// The store stays as it is if no key can be kept. Records encrypted with the kernel's key stay
/// readable. Calls the handler later, once, in the calling thread, unless the context is gone. It
/// gets an error if the key that the user gave cannot be used.
void fetchUndoKey(const QString& given, SecretStore& keyring, UndoStore store, QObject* context,
                  std::function<void(const Result<void>&)> handler);

} // namespace lk
