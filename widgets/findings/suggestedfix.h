// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "backend/libraries/api/action.h"

namespace lk {

class Session;

/// What is chosen to fix a finding: an action of the primitive's layout.
struct SuggestedFix
{
    const Action* action = nullptr; ///< null: none of the console's fixes it
    StatePtr target;                ///< null where it is none primitive's
    QString whyNot;                 ///< empty: it can be done
};
SuggestedFix suggestedFixFor(const LiveFinding& live, const Session& session);

/// "[check]\nsilence = [...]" with that code and those that are silenced already.
QString silencingToml(const QByteArray& code, const QByteArrayList& silenced);

} // namespace lk
