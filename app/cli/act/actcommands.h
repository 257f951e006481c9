// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"
#include "backend/libraries/api/action.h"

namespace lk {

/// The parameters of all actions with that id: layouts may differ in what their actions take.
std::vector<ActionParameter> parametersOf(const QByteArray& action);

/// True for a payload, which may be secret, and for an owner, which reveals who works on what.
/// Such a parameter can be read from a file (--owner-file).
bool isSensitive(const ActionParameter& parameter);

/// All options of all actions, as the action is yet to be found among the words.
CommandSpec actSpec();

/// The options of one action ("lock.release"), or of "queue.auto-requeue", "undo" or "journal".
CommandSpec actSpec(const QByteArray& action);

/// The options that all actions share, and then those of each.
std::vector<CommandSpec> actSpecs();

/// Returns the help of one of these, or of all for any other word and for none. Translated; ends
/// with a line feed.
QString actHelpText(const QByteArray& action = {});

} // namespace lk
