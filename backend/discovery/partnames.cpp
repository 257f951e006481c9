// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/partnames.h"

#include "backend/libraries/api/layout.h"

#include <algorithm>

namespace lk {

namespace {

constexpr qsizetype mostKnown = 10'000; // a limit, because each random name has its own shape

bool isOwned(const QByteArray& name)
{
    const auto all = allLayouts();
    return std::any_of(all.begin(), all.end(),
                       [&](const Layout* layout) { return !layout->ownersOf(name).empty(); });
}

} // namespace

bool PartNames::mayBePart(const QByteArray& name)
{
    QByteArray shape = name;
    for (char& c : shape) {
        if (c >= '0' && c <= '9')
            c = '0';
    }
    const auto known = m_known.constFind(shape);
    if (known != m_known.constEnd())
        return *known;
    const bool owned = isOwned(name);
    if (m_known.size() < mostKnown)
        m_known.insert(shape, owned);
    return owned;
}

} // namespace lk
