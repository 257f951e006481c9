// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/primitive.h"
#include "backend/core/result.h"

namespace lk::actions {

/// The list of jobs of that role that an action may write to: one that was seen or is
/// declared, never one whose name is only assumed. Errors: NotPossible, with what to declare.
Result<QByteArray> writableList(const Primitive& queue, JobRole role);

} // namespace lk::actions
