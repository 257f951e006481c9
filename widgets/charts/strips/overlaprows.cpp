// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/strips/overlaprows.h"

#include <algorithm>

namespace lk {

namespace {
// One that took a lock over may begin before the end of the other was read.
constexpr qint64 readTogetherMs = 1500;
} // namespace

int OverlapRows::add(qint64 fromMs, qint64 toMs)
{
    auto row = std::ranges::find_if(
        m_untilMs, [&](qint64 untilMs) { return untilMs <= fromMs + readTogetherMs; });
    if (row == m_untilMs.end())
        row = m_untilMs.insert(row, toMs);
    *row = toMs;
    return int(row - m_untilMs.begin());
}

} // namespace lk
