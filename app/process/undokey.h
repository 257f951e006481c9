// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/secrets/secretstore.h"

namespace lk {

/// The key that undo records are encrypted with, of FolderUndoShelf::keyBytes; made and kept at its
/// first use. Comes later, once, in the calling thread; not if the context is gone. An error: there
/// is no keyring, or it is locked.
void fetchUndoKey(SecretStore& keyring, QObject* context,
                  std::function<void(const Result<QByteArray>&)> handler);

} // namespace lk
