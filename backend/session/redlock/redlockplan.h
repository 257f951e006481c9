// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/planset.h"

#include <QMap>
#include <QStringList>

namespace lk {

/// What is to be done on all servers of a group.
struct RedlockRequest
{
    QByteArray name;  ///< of the lock
    QByteArray owner; ///< whose it is to be; others' stay
    /// To be undone instead: the receipts on each server, by its endpoint, the last step first.
    QMap<QString, QByteArrayList> receipts = {};
};

/// The same, planned: one guarded step on each server that has it, and why the others are left.
struct RedlockPlan
{
    /// A server on which nothing is going to be done.
    struct Left
    {
        QString endpoint;
        Error why;
        bool isFailure = false; ///< it may be there: the server could not be asked, or refuses
    };

    PlanSet set;              ///< in the group's order; those left are among the refused
    QStringList endpoints;    ///< of set.plans
    std::vector<Left> left;   ///< in the same order as set.refused
    int failures() const;     ///< of those left
    QStringList rows() const; ///< all endpoints: of the plans, then of those left
};

} // namespace lk

Q_DECLARE_METATYPE(lk::RedlockPlan)
