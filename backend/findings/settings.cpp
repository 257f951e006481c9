// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/findings/settings.h"

#include "backend/core/names/glob.h"

#include <algorithm>

namespace lk {

bool CheckSettings::isSilenced(const Finding& finding) const
{
    return silence.contains(finding.code) ||
           std::any_of(rules.begin(), rules.end(), [&](const SilenceRule& rule) {
               return rule.code == finding.code &&
                      (rule.match.isEmpty() || globMatches(rule.match, finding.name) ||
                       globMatches(rule.match, finding.key));
           });
}

} // namespace lk
