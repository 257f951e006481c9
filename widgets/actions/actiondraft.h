// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/planning/preflight.h"
#include "backend/libraries/api/action.h"

namespace lk {

/// Jobs that were chosen in a list.
struct JobChoice
{
    JobRole role = JobRole::Processing; ///< of their state
    QByteArray fingerprints; ///< in hex, separated by commas; one that is chosen twice stands twice
    QByteArray key;          ///< which holds them
    /// Where their library names them, or they are a group: what their actions are told.
    std::map<QByteArray, QByteArray> given = {};
    int count = 0;
    bool inSeveralKeys = false;
};

/// What a person wants done, before it is planned.
struct ActionDraft
{
    const Action* action = nullptr; ///< null: steps are to be undone
    std::vector<StatePtr> targets;  ///< as they were when chosen; empty for something new
    QByteArray layout;              ///< of something new
    QByteArray items;               ///< rows chosen in a list, by fingerprint; may be empty
    QByteArrayList receipts = {};   ///< of the steps to be undone, the last step first
    std::map<QByteArray, QByteArray> given = {}; ///< by parameter: what is to be filled in
    /// By parameter: where the chosen items are. Goes with them and is not asked beside them.
    std::map<QByteArray, QByteArray> withItems = {};
};

/// One entry of a menu of actions.
struct ActionOffer
{
    const Action* action = nullptr; ///< of the first target's layout
    QString text;                   ///< "Release…", "Release for 3 selected…"
    QString whyNot;                 ///< empty: it can be done

    bool operator==(const ActionOffer&) const = default;
};

/// What can be done to all of these: the actions that every one's layout has by that id. What
/// writes is not available where the server's limits say so.
std::vector<ActionOffer> offersFor(const std::vector<StatePtr>& targets,
                                   const ServerLimits& limits);
/// Why nothing that writes can be done on that server, without full stop; empty: it can.
QString whyNothing(const ServerLimits& limits);

/// A layout of that kind and what it has to make something new; a layout's id is empty where there
/// is none.
struct CreateAction
{
    QByteArray layout;
    const Action* action = nullptr;
};
std::vector<CreateAction> createActionsOf(Kind kind);

/// What is known of a parameter without asking: a lock's owner as it is on the screen.
std::optional<QByteArray> knownValue(const ActionParameter& parameter, const State& state);

} // namespace lk
