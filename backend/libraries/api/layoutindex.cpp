// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/api/layoutindex.h"

#include <algorithm>

namespace lk {

LayoutIndex::LayoutIndex(std::span<const Layout* const> layouts)
{
    for (const Layout* layout : layouts)
        m_layouts.push_back({layout, dynamic_cast<const KeyHints*>(layout),
                             dynamic_cast<const SiblingKeys*>(layout)});
    for (int type = 0; type <= int(KeyType::Other); ++type) {
        m_types.push_back(indexOf(KeyType(type)));
        m_types.back().isWanted =
            std::any_of(m_layouts.begin(), m_layouts.end(),
                        [type](const Known& k) { return k.layout->wants(KeyType(type)); });
    }
}

LayoutIndex::Type LayoutIndex::indexOf(KeyType type) const
{
    Type made;
    std::vector<TextFinder::Text> texts;
    for (size_t i = 0; i < std::min(m_layouts.size(), TextFinder::capacity); ++i) {
        const auto [layout, hints, siblings] = m_layouts[i];
        if (!layout->wants(type))
            continue;
        if (siblings && siblings->hasSiblings(type))
            made.withSiblings.set(i);
        const std::vector<QByteArray> parts =
            hints ? hints->nameParts(type) : std::vector<QByteArray>();
        if (parts.empty())
            made.anyName.set(i);
        for (const QByteArray& part : parts) {
            TextFinder::Text& text = texts.emplace_back();
            text.text = part;
            text.numbers.set(i);
        }
    }
    made.finder = TextFinder(texts);
    return made;
}

std::vector<QByteArray> LayoutIndex::siblingsOf(const Probe& probe) const
{
    const bool isKnown = !probe.replies.empty();
    std::vector<QByteArray> names;
    const auto add = [&](std::vector<QByteArray>&& siblings) {
        for (QByteArray& sibling : siblings) {
            if (sibling != probe.name &&
                std::find(names.begin(), names.end(), sibling) == names.end())
                names.push_back(std::move(sibling));
        }
    };
    const auto asked = concerned(probe.type, probe.name);
    each(probe.type, asked & m_types[size_t(probe.type)].withSiblings, [&](const Known& known) {
        if (!known.siblings)
            return;
        auto bearing = isKnown ? known.siblings->siblingsOf(probe) : std::nullopt;
        add(bearing ? std::move(*bearing) : known.siblings->siblings(probe.name, probe.type));
    });
    return names;
}

const LayoutIndex& layoutIndex()
{
    static const LayoutIndex index(allLayouts());
    return index;
}

} // namespace lk
