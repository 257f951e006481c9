// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/result.h"
#include "backend/libraries/api/action.h"

#include <QMetaType>

namespace lk {

/// Plans of one action on one or many primitives. Frozen: later changes are not in it. A window
/// shows a copy; the executor runs the plans that it keeps under the ticket.
struct PlanSet
{
    quint64 ticket = 0; ///< of planning, and of running
    QByteArray action;
    std::vector<Plan> plans;
    /// The primitives that could not be planned, by their displayable names.
    std::vector<std::pair<QByteArray, Error>> refused;
};

/// True if all of them are steps of one plan, for one primitive.
bool isOfOne(const PlanSet& set);

/// A request to plan an action.
struct PlanRequest
{
    /// One primitive to act on; null for an action that creates one.
    struct Target
    {
        PrimitivePtr primitive;
        std::map<QByteArray, QByteArray> own = {}; ///< its own arguments, besides the request's
    };
    /// The limit of targets. Each is read, held in a plan and run in its turn.
    static constexpr size_t mostTargets = 10'000;
    /// The limit of undo plans compared at a time: the first of their set.
    static constexpr size_t mostCompared = 50;

    quint64 ticket = 0;
    QByteArray action;            ///< an id; "undo" with receipts
    std::vector<Target> targets;  ///< empty for an action that makes something new
    QByteArray layout;            ///< for such an action: the layout's id
    QByteArrayList receipts = {}; ///< with "undo": in the order of undoing
    ActionRequest request;
    /// The ticket of displayed plans to compare with; 0 if the plans are to be run. Plans for
    /// comparison are not kept. With "undo", the plans of that ticket are returned unchanged; those
    /// that would end as a conflict are in refused, by their names.
    quint64 compares = 0;
};

} // namespace lk

Q_DECLARE_METATYPE(lk::PlanSet)
