// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/redactedname.h"
#include "backend/core/snapshot.h"
#include "backend/report/snapshot/statesequence.h"

#include <QStringList>

#include <map>
#include <span>

namespace lk {

/// The states that findings are about: of a whole snapshot few, and only these are kept.
class FindingStates final
{
public:
    FindingStates(const StateSequence& states, std::span<const Finding* const> findings);

    /// Null: it concerns several, or the server.
    const State* of(const Finding& finding) const;

private:
    std::map<std::pair<Kind, QByteArray>, StatePtr> m_states;
};

/// What to type to fix findings of one code: a line for each kind of action that their layouts
/// have. Words in capitals are left to be filled in; with these it runs. NAME stands for the
/// object, and KEY for its key, where there are several. Empty: nothing fixes it.
QStringList suggestedCommands(std::span<const Finding* const> group, const FindingStates& states,
                              Codes codes);

} // namespace lk
