// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/leading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t keptForEach = 4; // wanted one

} // namespace

Leading::Leading(size_t wanted)
    : m_wanted(wanted)
{
    m_kept.reserve(wanted * keptForEach + 1);
}

void Leading::change(Handle handle, double before, double now)
{
    if (before > 0 && !m_kept.empty() && before >= m_kept.back().value) {
        const auto at = std::ranges::find(m_kept, handle, &Kept::handle);
        if (at != m_kept.end())
            m_kept.erase(at);
    }
    if (now <= 0)
        return;
    if (m_declined && now < m_floor) // others that were not kept may be greater
        return;
    const auto at =
        std::ranges::find_if(m_kept, [now](const Kept& kept) { return kept.value < now; });
    m_kept.insert(at, {now, handle});
    if (m_kept.size() > m_wanted * keptForEach) {
        m_floor = std::max(m_floor, m_kept.back().value);
        m_declined = true;
        m_kept.pop_back();
    }
}

void Leading::startOver()
{
    m_kept.clear();
    m_floor = 0;
    m_declined = false;
}

std::vector<Handle> Leading::leaders() const
{
    std::vector<Handle> leaders;
    for (size_t i = 0; i < std::min(m_wanted, m_kept.size()); ++i)
        leaders.push_back(m_kept[i].handle);
    return leaders;
}

} // namespace lk
