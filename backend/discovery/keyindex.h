// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <utility>
#include <vector>

namespace lk {

/// Maps keys to the indexes of their primitives. Stores hashes instead of names, in about
/// twenty-four bytes per key. Names with the same hash collide, so a caller that needs certainty
/// checks the primitive itself. Used by one thread.
class KeyIndex
{
public:
    void reserve(size_t keys);
    /// Removes all keys and frees the memory.
    void clear();
    size_t size() const { return m_used; }

    /// Must not be called for a pair that is already present.
    void insert(QByteArrayView key, quint32 place);
    /// Removes a pair that insert() added; ignores any other.
    void remove(QByteArrayView key, quint32 place);

    /// Prefetches the slot of a key that is about to be looked up: the slots of a million keys are
    /// spread over memory.
    void expect(QByteArrayView key) const
    {
#ifdef __GNUC__
        if (!m_slots.empty())
            __builtin_prefetch(&m_slots[homeOf(hashOf(key))], 1);
#endif
    }

    static constexpr quint32 none = ~0U;
    /// Whether the key is present, without access to the primitives, which are spread over memory.
    /// With a million keys, about one other name in ten trillion is mistaken for one of them.
    bool contains(QByteArrayView key) const
    {
        return find(key, [](quint32) { return true; }) != none;
    }
    /// The first place for the key's hash for which isMeant(place) is true; or none.
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
    using Hash = std::pair<quint32, quint32>; ///< the first half selects the home slot
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
    /// Uses the highest bits: they depend on all of the name.
    size_t homeOf(Hash hash) const
    {
        return hash.first >> m_shift;
    }
    size_t slotOf(Hash hash, quint32 place) const;
    void put(Slot slot);
    void resize(size_t count);

    std::vector<Slot> m_slots; ///< a power of two, at least a quarter of them free; or none
    int m_shift = 0;           ///< leaves as many of 32 bits as index the slots
    size_t m_used = 0;
};

} // namespace lk
