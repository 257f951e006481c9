// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/layout.h"

namespace lk {

/// The primitive that a key of that name is by the layout's word alone: a person says so, and no
/// scan has seen it. assumed: there is no such key yet, so that nothing takes from it.
PrimitivePtr undetected(const Layout& layout, const QByteArray& name, bool assumed);

/// The layout of a lock that a key of that type alone is, with its owner as the value or as a
/// hash's field; null: it cannot be one.
const Layout* ownerLockLayout(KeyType type);

} // namespace lk
