// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/primitive.h"
#include "backend/core/result.h"

namespace lk::actions {

/// The first of the queue's keys that holds jobs of that role. Empty if there is none.
QByteArray listOf(const Primitive& queue, JobRole role);

/// The list of jobs of that role that an action may write to: a key that was seen or is declared,
/// never one that is only assumed. Errors: NotPossible, with the declaration to add.
Result<QByteArray> writableList(const Primitive& queue, JobRole role);

} // namespace lk::actions
