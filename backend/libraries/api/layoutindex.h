// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/textfinder.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"

#include <array>
#include <bit>

namespace lk {

/// Finds the layouts that may claim a key from its type and name alone: nearly none of the hundred
/// that exist. Immutable after construction; threads share it.
class LayoutIndex
{
public:
    explicit LayoutIndex(std::span<const Layout* const> layouts);

    /// Whether any layout looks at keys of that type.
    bool wants(KeyType type) const { return m_types[size_t(type)].isWanted; }

    /// The names of SiblingKeys::siblings() that bear on the claim of that key, each once. All of
    /// them if the probe has only the key's name.
    std::vector<QByteArray> siblingsOf(const Probe& probe) const;

    /// Calls visit(const Layout&) for the layouts that may claim such a key, in the list's order.
    template<typename Visit>
    void forEach(KeyType type, QByteArrayView name, const Visit& visit) const
    {
        each(type, concerned(type, name), [&](const Known& known) { visit(*known.layout); });
    }

private:
    struct Known
    {
        const Layout* layout;
        const KeyHints* hints;       ///< the same layout; null if it gives no hints
        const SiblingKeys* siblings; ///< the same layout; null if it has no siblings
    };
    struct Type
    {
        bool isWanted = false;
        TextFinder::Numbers anyName;      ///< the layouts without hints about names
        TextFinder finder;                ///< the others, by their name parts
        TextFinder::Numbers withSiblings; ///< the layouts that may name siblings
    };

    // The numbers of the layouts that the name does not rule out.
    TextFinder::Numbers concerned(KeyType type, QByteArrayView name) const
    {
        const Type& index = m_types[size_t(type)];
        return name.size() <= KeyHints::longestName ? index.anyName | index.finder.find(name)
                                                    : index.anyName;
    }
    template<typename Visit>
    void each(KeyType type, const TextFinder::Numbers& asked, const Visit& visit) const
    {
        // Word by word: this runs for every key, and a bitset's own search would be too slow.
        const auto words = std::bit_cast<std::array<quint64, TextFinder::capacity / 64>>(asked);
        for (size_t w = 0; w < words.size(); ++w) {
            for (quint64 rest = words[w]; rest != 0; rest &= rest - 1)
                visit(m_layouts[w * 64 + size_t(std::countr_zero(rest))]);
        }
        for (size_t i = TextFinder::capacity; i < m_layouts.size(); ++i) {
            if (m_layouts[i].layout->wants(type))
                visit(m_layouts[i]);
        }
    }
    Type indexOf(KeyType type) const;

    std::vector<Known> m_layouts;
    std::vector<Type> m_types; ///< by KeyType
};

/// The index of allLayouts().
const LayoutIndex& layoutIndex();

} // namespace lk
