// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/layouts/layout.h"

namespace lk {

/// The primitive that a key of that name is by the layout's word alone: a person says so, and no
/// scan has seen it. assumed: there is no such key yet, so that nothing takes from it.
PrimitivePtr undetected(const Layout& layout, const QByteArray& name, bool assumed);

} // namespace lk
