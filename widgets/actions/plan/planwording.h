// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/executor/actionexecutor.h"
#include "widgets/actions/actiondraft.h"

namespace lk {

class Session;

// How a dialog speaks of what it is for. One number is said everywhere: how many steps there are,
// of one step how many things it changes.

QString titleOf(const ActionDraft& draft); ///< "Release for 45 selected"
QString headingOf(const ActionDraft& draft,
                  const PlanSet& set); ///< "Release for 5 of 45 selected?"
QString verbOf(const PlanSet& set);    ///< "Release (5)"; the set has plans
/// Before it can be done; empty: nothing.
QString toBeTyped(const PlanSet& set, const Session& session);
/// "orders-eu, 10.0.0.1:6379/0"; of a deployment with several servers also which node has the keys,
/// if that is one.
QString serverOf(const Session& session, const PlanSet& set);

} // namespace lk
