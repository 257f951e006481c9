// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/undostore.h"
#include "backend/secrets/secretstore.h"

namespace lk {

/// Has what undo needs encrypted, and kept in the store's folder, with a key that is made at its
/// first use and found again:
/// 1. the one that a person gave: the path of a file with it, made if it is missing (mode 600), or
///    the key itself, 32 bytes in base64;
/// 2. else one in the desktop's keyring;
/// 3. else one in the kernel's memory, until the user logs out.
/// The store stays as it is where no key can be kept. Records encrypted with the kernel's key stay
/// readable. The handler comes later, once, in the calling thread, not if the context is gone;
/// an error: what the person gave cannot be used.
void fetchUndoKey(const QString& given, SecretStore& keyring, UndoStore store, QObject* context,
                  std::function<void(const Result<void>&)> handler);

} // namespace lk
