// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/actioneffect.h"

#include <algorithm>
#include <iterator>

namespace lk {

namespace {

struct Effect
{
    const char* action;
    ActionEffect effect;
};

constexpr Effect effects[]{
    {"lock.release", ActionEffect::Releases},   {"lock.clear", ActionEffect::Deletes},
    {"lock.takeover", ActionEffect::TakesOver}, {"token.consume", ActionEffect::Consumes},
    {"token.revoke", ActionEffect::Deletes},    {"key.delete", ActionEffect::Deletes},
};

} // namespace

ActionEffect effectOf(const QByteArray& action)
{
    const auto it =
        std::ranges::find_if(effects, [&](const Effect& e) { return action == e.action; });
    return it == std::end(effects) ? ActionEffect::None : it->effect;
}

} // namespace lk
