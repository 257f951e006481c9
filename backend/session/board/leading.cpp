// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/leading.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t keptForEach = 4; // wanted primitive

} // namespace

Leading::Leading(size_t wanted)
    : m_wanted(wanted)
{
    m_kept.reserve(wanted * keptForEach + 1);
}

void Leading::change(Handle handle, double before, double now)
{
    if (before > 0 && !m_kept.empty() && !m_kept.back().leads({before, handle}))
        std::erase_if(m_kept, [handle](const Candidate& kept) { return kept.handle == handle; });
    if (now <= 0)
        return;
    if (m_ceiling && m_ceiling->leads({now, handle}))
        return; // others that were not kept may lead it
    const Candidate candidate{now, handle};
    m_kept.insert(
        std::ranges::find_if(m_kept, [&](const auto& kept) { return candidate.leads(kept); }),
        candidate);
    if (m_kept.size() > m_wanted * keptForEach) {
        m_ceiling = m_kept.back(); // it leads all others that are not kept
        m_kept.pop_back();
    }
}

void Leading::startOver()
{
    m_kept.clear();
    m_ceiling.reset();
}

std::vector<Handle> Leading::leaders() const
{
    std::vector<Handle> leaders;
    for (size_t i = 0; i < std::min(m_wanted, m_kept.size()); ++i)
        leaders.push_back(m_kept[i].handle);
    return leaders;
}

} // namespace lk
