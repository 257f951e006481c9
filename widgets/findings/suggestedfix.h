// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "backend/libraries/api/action.h"

namespace lk {

class Session;

/// The action that fixes a finding, from the primitive's layout.
struct SuggestedFix
{
    const Action* action = nullptr; ///< null: no action of the console fixes it
    StatePtr target;                ///< null if the finding is not about a primitive
    QString whyNot;                 ///< empty: it can be done
};
SuggestedFix suggestedFixFor(const LiveFinding& live, const Session& session);

/// "[check]\nsilence = [...]" with that code and those that are silenced already.
QString silencingToml(const QByteArray& code, const QByteArrayList& silenced);

} // namespace lk
