// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"
#include "backend/report/snapshot/statesequence.h"

#include <QStringList>

#include <map>
#include <span>

namespace lk {

/// The states that findings are about. Keeps only these, which are few of a snapshot.
class FindingStates final
{
public:
    FindingStates(const StateSequence& states, std::span<const Finding* const> findings);

    /// Returns the state of a finding. Null if it concerns several states, or the server.
    const State* of(const Finding& finding) const;

private:
    std::map<std::pair<Kind, QByteArray>, StatePtr> m_states;
};

/// Returns the commands that fix findings of one code: a line for each kind of action that their
/// layouts have. The user fills in the words in capitals. If there are several objects, NAME stands
/// for the object and KEY for its key. Empty if no command fixes it.
QStringList suggestedCommands(std::span<const Finding* const> group, const FindingStates& states,
                              Codes codes);

} // namespace lk
