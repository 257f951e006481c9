// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "widgets/actions/actiondraft.h"

namespace lk {

class Session;

// The texts of a plan dialog. All use the same number: the number of steps, or for a single step
// the number of things that it changes.

QString titleOf(const ActionDraft& draft); ///< "Release for 45 selected"
QString headingOf(const ActionDraft& draft,
                  const PlanSet& set); ///< "Release for 5 of 45 selected?"
QString verbOf(const PlanSet& set);    ///< "Release (5)"; the set has plans
/// Returns the text that the user must type first. Empty if there is none.
QString toBeTyped(const PlanSet& set, const Session& session);
/// Returns "orders-eu, 10.0.0.1:6379/0". For a deployment with several servers, includes the node
/// that has the keys, if it is a single one.
QString serverOf(const Session& session, const PlanSet& set);

} // namespace lk
