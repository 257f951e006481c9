// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

/// The primitive that the layout would declare for a key of that name. The user names it; no scan
/// has seen it. assumed: no such key exists yet.
PrimitivePtr undetected(const Layout& layout, const QByteArray& name, bool assumed);

/// The layout of a lock that consists of one key of that type, with its owner as the value or as a
/// hash's field. Null if no such layout exists.
const Layout* ownerLockLayout(KeyType type);

} // namespace lk
