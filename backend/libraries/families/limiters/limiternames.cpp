// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/limiters/limiternames.h"
#include "backend/libraries/detect/wordlists.h"

#include "backend/core/names/namewords.h"
#include "backend/libraries/detect/periodname.h"

namespace lk {

LimiterHint limiterHint(const QByteArray& name)
{
    const bool strong =
        hasWord(name, wordsIn<"limiters">()) ||
        (hasWord(name, words<"rate">) && hasWord(name, words<"limit", "limits", "limited">));
    if (strong)
        return LimiterHint::Strong;
    const bool calls =
        hasWord(name, words<"requests", "req", "calls">) && hasWord(name, words<"api">);
    const bool weak = calls || hasWord(name, words<"rate", "limit", "limits", "quota", "window">);
    return weak ? LimiterHint::Weak : LimiterHint::None;
}

bool measuresOtherwise(const QByteArray& name)
{
    // Money and trade, bodies and signals, shops and sites, settings, statistics.
    return hasWord(name, wordsIn<"measures">()) || hasWord(name, wordsIn<"limit-settings">()) ||
           !periodForm(name).isEmpty();
}

bool isEventLogName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"event-logs">());
}

} // namespace lk
