// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/core/primitive.h"
#include "backend/core/result.h"

namespace lk::actions {

/// The first of the queue's keys that holds jobs of that role; empty if none does.
QByteArray listOf(const Primitive& queue, JobRole role);

/// The list of jobs of that role that an action may write to: one that was seen or is
/// declared, never one whose name is only assumed. Errors: NotPossible, with what to declare.
Result<QByteArray> writableList(const Primitive& queue, JobRole role);

} // namespace lk::actions
