// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/names/textfinder.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/detect/keyhints.h"
#include "backend/libraries/detect/siblingkeys.h"

#include <array>
#include <bit>

namespace lk {

/// Tells which layouts may have to do with a key, from its type and its name alone: nearly none of
/// the hundred that there are. Unchanging after construction; threads share it.
class LayoutIndex
{
public:
    explicit LayoutIndex(std::span<const Layout* const> layouts);

    /// Whether any layout looks at keys of that type.
    bool wants(KeyType type) const { return m_types[size_t(type)].isWanted; }

    /// Those of SiblingKeys::siblings() that bear on the claim of that key, each name once; all of
    /// them while nothing is known of it but its name.
    std::vector<QByteArray> siblingsOf(const Probe& probe) const;

    /// Calls visit(const Layout&) for those that may claim such a key, in the order of the list.
    template<typename Visit>
    void forEach(KeyType type, QByteArrayView name, const Visit& visit) const
    {
        each(type, concerned(type, name), [&](const Known& known) { visit(*known.layout); });
    }

private:
    struct Known
    {
        const Layout* layout;
        const KeyHints* hints;       ///< of the same; null: it gives none
        const SiblingKeys* siblings; ///< of the same; null: there are none
    };
    struct Type
    {
        bool isWanted = false;
        TextFinder::Numbers anyName;      ///< the layouts that say nothing of their keys' names
        TextFinder finder;                ///< the others, by the parts of these
        TextFinder::Numbers withSiblings; ///< of both those that may name some
    };

    // The numbers of those that the name does not rule out.
    TextFinder::Numbers concerned(KeyType type, QByteArrayView name) const
    {
        const Type& index = m_types[size_t(type)];
        return name.size() <= KeyHints::longestName ? index.anyName | index.finder.find(name)
                                                    : index.anyName;
    }
    template<typename Visit>
    void each(KeyType type, const TextFinder::Numbers& asked, const Visit& visit) const
    {
        // Word by word: asked of every key, a bitset's own search costs as much as most answers.
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

/// That of allLayouts().
const LayoutIndex& layoutIndex();

} // namespace lk
