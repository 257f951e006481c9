// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/process/commandspec.h"
#include "backend/libraries/api/action.h"

namespace lk {

/// Of all actions of that id: layouts may differ in what theirs take.
std::vector<ActionParameter> parametersOf(const QByteArray& action);

/// What may be secret, or tells who works on what: it can be read from a file, --owner-file.
bool isSensitive(const ActionParameter& parameter);

/// All options of all actions, as the action is yet to be found among the words.
CommandSpec actSpec();

/// The options of one action ("lock.release"), or of "queue.auto-requeue", "undo" or "journal".
CommandSpec actSpec(const QByteArray& action);

/// What --help prints of one of these; of any other word, and of none, about all. Translated; ends
/// with a line feed.
QString actHelpText(const QByteArray& action = {});

} // namespace lk
