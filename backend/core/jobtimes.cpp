// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/jobtimes.h"

#include <algorithm>

namespace lk {

std::optional<DurationSpread> spreadOf(std::vector<qint64> durations)
{
    if (durations.empty())
        return std::nullopt;
    std::sort(durations.begin(), durations.end());
    const auto rank = [&](size_t percent) {
        return durations[(durations.size() * percent + 99) / 100 - 1];
    };
    return DurationSpread{rank(50), rank(95), rank(99), qint64(durations.size())};
}

} // namespace lk
