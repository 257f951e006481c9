// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"

namespace lk::test {

/// 7_h: the first handle with index 7.
constexpr Handle operator""_h(unsigned long long index)
{
    return Handle(quint32(index));
}

} // namespace lk::test
