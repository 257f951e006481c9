// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/layouts/layoutindex.h"

#include <algorithm>

namespace lk {

LayoutIndex::LayoutIndex(std::span<const Layout* const> layouts)
{
    for (const Layout* layout : layouts)
        m_layouts.push_back({layout, dynamic_cast<const KeyHints*>(layout)});
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
        const auto [layout, hints] = m_layouts[i];
        if (!layout->wants(type))
            continue;
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
    eachKnown(probe.type, probe.name, [&](const Known& known) {
        auto bearing = isKnown && known.hints ? known.hints->siblingsOf(probe) : std::nullopt;
        if (bearing)
            add(std::move(*bearing));
        else
            add(known.layout->siblings(probe.name, probe.type));
    });
    return names;
}

const LayoutIndex& layoutIndex()
{
    static const LayoutIndex index(allLayouts());
    return index;
}

} // namespace lk
