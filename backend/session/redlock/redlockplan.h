// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/planset.h"

#include <QMap>
#include <QStringList>

namespace lk {

/// An action on all servers of a group.
struct RedlockRequest
{
    QByteArray name;  ///< the lock's name
    QByteArray owner; ///< the expected owner; locks of other owners are left alone
    /// The receipts to undo instead, for each server by its endpoint, the last step first.
    QMap<QString, QByteArrayList> receipts = {};
};

/// A planned RedlockRequest: one guarded step on each server that has the lock, and why the other
/// servers are left out.
struct RedlockPlan
{
    /// A server on which no step will run.
    struct Left
    {
        QString endpoint;
        Error why;
        bool isFailure = false; ///< the lock may be there: the server is unreachable or refuses
    };

    PlanSet set;              ///< in the group's order; servers left out are among the refused
    QStringList endpoints;    ///< the endpoints of set.plans
    std::vector<Left> left;   ///< in the same order as set.refused
    int failures() const;     ///< the number of failures in left
    QStringList rows() const; ///< all endpoints: those of the plans, then those in left
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RedlockPlan)
