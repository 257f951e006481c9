// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/api/action.h"

#include <QMetaType>

namespace lk {

/// Plans of one action on one or many primitives, frozen: what comes later is not in it. A window
/// gets it to show; what runs is what the executor keeps under its ticket.
struct PlanSet
{
    quint64 ticket = 0; ///< of planning, and of running
    QByteArray action;
    std::vector<Plan> plans;
    /// What could not be planned, by its name as it may be told.
    std::vector<std::pair<QByteArray, Error>> refused;
};

/// Whether all of them are steps of one plan, of one primitive.
bool isOfOne(const PlanSet& set);

/// What is to be planned.
struct PlanRequest
{
    /// One primitive to act on; null for an action that makes something new.
    struct Target
    {
        PrimitivePtr primitive;
        std::map<QByteArray, QByteArray> own = {}; ///< what it is asked beside the request
    };
    /// More than so many are refused: each is read, held in a plan and run in its turn.
    static constexpr size_t mostTargets = 10'000;
    /// So many undo plans are compared at a time, the first of their set.
    static constexpr size_t mostCompared = 50;

    quint64 ticket = 0;
    QByteArray action;            ///< an id; "undo" with receipts
    std::vector<Target> targets;  ///< empty for an action that makes something new
    QByteArray layout;            ///< for such an action: of which layout
    QByteArrayList receipts = {}; ///< with "undo": in the order in which they are taken back
    ActionRequest request;
    /// The ticket of plans on the screen that these are compared with; 0: they are to be run. What
    /// is compared is not kept. With "undo" the plans of that ticket come again, as they were made;
    /// those that would end as a conflict are refused, by their names.
    quint64 compares = 0;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::PlanSet)
