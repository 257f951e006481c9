// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// Adds the library's wake-up of waiters to the plan of a release. Appends the list on which
/// waiters block to the keys and its new element to the arguments, then each channel and its
/// message. value: the lock's value, or that of the field with its owner.
void addWakeUp(Plan& plan, const Primitive& lock, const QByteArray& value);

} // namespace lk::actions
