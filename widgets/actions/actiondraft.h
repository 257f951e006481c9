// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/preflight.h"
#include "backend/libraries/api/action.h"

namespace lk {

/// Jobs that were chosen in a list.
struct JobChoice
{
    JobRole role = JobRole::Processing; ///< the role of the jobs' state
    QByteArray fingerprints;            ///< in hex, separated by commas; may repeat
    QByteArray key;                     ///< which holds them
    /// Further parameters of their actions: for jobs that their library names, and for groups.
    std::map<QByteArray, QByteArray> given = {};
    int count = 0;
    bool inSeveralKeys = false;
};

/// An action that the user wants, before it is planned.
struct ActionDraft
{
    const Action* action = nullptr; ///< null: steps are to be undone
    std::vector<StatePtr> targets;  ///< as they were when chosen; empty for something new
    QByteArray layout;              ///< only for a new primitive
    QByteArray items;               ///< rows chosen in a list, by fingerprint; may be empty
    QByteArrayList receipts = {};   ///< the steps to undo, the last one first
    std::map<QByteArray, QByteArray> given = {}; ///< by parameter: what is to be filled in
    /// By parameter: where the chosen items are. Goes with them and is not asked beside them.
    std::map<QByteArray, QByteArray> withItems = {};
};

/// One entry of a menu of actions.
struct ActionOffer
{
    const Action* action = nullptr; ///< as the first target's layout defines it
    QString text;                   ///< "Release…", "Release for 3 selected…"
    QString whyNot;                 ///< empty: it can be done

    bool operator==(const ActionOffer&) const = default;
};

/// Returns the actions that apply to all the targets: those whose id every target's layout has. An
/// action that writes is unavailable if the server's limits forbid it.
std::vector<ActionOffer> offersFor(const std::vector<StatePtr>& targets,
                                   const ServerLimits& limits);
/// Returns why no action can write to the server, without a full stop. Empty if writing is
/// possible.
QString whyNothing(const ServerLimits& limits);

/// A layout of the kind, and its action that creates a primitive. Its id is empty if there is none.
struct CreateAction
{
    QByteArray layout;
    const Action* action = nullptr;
};
std::vector<CreateAction> createActionsOf(Kind kind);

/// Returns a parameter's value if it is known without asking, such as the owner of a lock.
std::optional<QByteArray> knownValue(const ActionParameter& parameter, const State& state);

} // namespace lk
