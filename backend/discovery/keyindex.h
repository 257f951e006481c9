// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <utility>
#include <vector>

namespace lk {

/// At which place the primitive stands that has a key: in some twenty-four bytes a key, since no
/// name is kept. Whoever needs to be sure looks at the primitive itself whether a place is meant:
/// names with the same hash share what is kept. Used by one thread.
class KeyIndex
{
public:
    void reserve(size_t keys);
    /// None stands anywhere any more, and the room is given back.
    void clear();
    size_t size() const { return m_used; }

    /// Not for one that stands there already.
    void insert(QByteArrayView key, quint32 place);
    /// What insert() was called with; else nothing happens.
    void remove(QByteArrayView key, quint32 place);

    /// The key is about to be looked for: what is kept of a million lies anywhere in memory, and is
    /// on its way from now on.
    void expect(QByteArrayView key) const
    {
#ifdef __GNUC__
        if (!m_slots.empty())
            __builtin_prefetch(&m_slots[homeOf(hashOf(key))], 1);
#endif
    }

    static constexpr quint32 none = ~0U;
    /// Whether it stands somewhere, without a look at the primitives, which lie anywhere in memory.
    /// Among a million keys one other name of some ten trillion is taken for one of them.
    bool contains(QByteArrayView key) const
    {
        return find(key, [](quint32) { return true; }) != none;
    }
    /// The first place of which isMeant(place) is true, of those that the key may have; or none.
    template<typename IsMeant> quint32 find(QByteArrayView key, IsMeant isMeant) const
    {
        if (m_slots.empty())
            return none;
        const Hash hash = hashOf(key);
        for (size_t at = homeOf(hash); m_slots[at].place != none; at = (at + 1) & mask()) {
            if (m_slots[at].hash == hash && isMeant(m_slots[at].place))
                return m_slots[at].place;
        }
        return none;
    }

private:
    using Hash = std::pair<quint32, quint32>; ///< the first tells where it may stand
    struct Slot
    {
        Hash hash;
        quint32 place = none; ///< none: free
    };

    static Hash hashOf(QByteArrayView key);
    size_t mask() const
    {
        return m_slots.size() - 1;
    }
    /// By its first bits: those depend on all of the name's.
    size_t homeOf(Hash hash) const
    {
        return hash.first >> m_shift;
    }
    size_t slotOf(Hash hash, quint32 place) const;
    void put(Slot slot);
    void resize(size_t count);

    std::vector<Slot> m_slots; ///< a power of two, a quarter of them free or more; or none
    int m_shift = 0;           ///< leaves as many bits of 32 as tell slots apart
    size_t m_used = 0;
};

} // namespace lk
