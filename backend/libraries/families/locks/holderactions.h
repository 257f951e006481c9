// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/libraries/api/action.h"

namespace lk::actions {

/// Takes a lock, or its place in a semaphore, from one of its holders. The base of these actions:
/// parameters, texts and undo.
class ReleaseHolder : public Action
{
public:
    QByteArray id() const override { return QByteArrayLiteral("lock.release"); }
    QString title() const override;
    QString summary() const override;
    std::vector<ActionParameter> parameters() const override;
    bool removes() const override { return true; }
    QString unavailable(const State& state) const override;
    Result<Plan> plan(const ActionContext& context) const override;

protected:
    /// Fills in keys, script, arguments and commands; plan already has the rest. Errors:
    /// NotPossible.
    virtual Result<Plan> releasePlan(const ActionContext& context, const LockHolder& holder,
                                     Plan plan) const = 0;
};

} // namespace lk::actions
