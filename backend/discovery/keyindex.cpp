// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/keyindex.h"

#include <QHashFunctions>

#include <bit>
#include <utility>

namespace lk {

namespace {

constexpr size_t fewest = 16;

// The number of keys that fit: three quarters of the slots.
constexpr size_t roomOf(size_t count)
{
    return count - count / 4;
}

} // namespace

// The names are foreign input, so collisions must not be predictable. Qt's unseeded hash is
// multiplied by a random odd number: Qt's seeded hash takes several times as long on recent
// processors.
KeyIndex::Hash KeyIndex::hashOf(QByteArrayView key)
{
    static const quint64 odd = QHashSeed::globalSeed() | 1;
    const quint64 hash = quint64(qHash(key, 0)) * odd;
    return {quint32(hash >> 32), quint32(hash)};
}

void KeyIndex::reserve(size_t keys)
{
    const size_t count = std::bit_ceil(std::max(fewest, keys + keys / 3 + 1));
    if (count > m_slots.size())
        resize(count);
}

void KeyIndex::clear()
{
    std::vector<Slot>().swap(m_slots); // an assignment would keep the memory
    m_used = 0;
}

void KeyIndex::resize(size_t count)
{
    const std::vector<Slot> before = std::exchange(m_slots, std::vector<Slot>(count));
    m_shift = 32 - std::countr_zero(count);
    for (const Slot& slot : before) {
        if (slot.place != none)
            put(slot);
    }
}

void KeyIndex::put(Slot slot)
{
    size_t at = homeOf(slot.hash);
    while (m_slots[at].place != none)
        at = (at + 1) & mask();
    m_slots[at] = slot;
}

void KeyIndex::insert(QByteArrayView key, quint32 place)
{
    if (m_used >= roomOf(m_slots.size()))
        resize(std::max(fewest, m_slots.size() * 2));
    put({hashOf(key), place});
    ++m_used;
}

// Slots with the same hash and place are interchangeable.
size_t KeyIndex::slotOf(Hash hash, quint32 place) const
{
    if (m_slots.empty())
        return 0;
    size_t at = homeOf(hash);
    while (m_slots[at].place != none && (m_slots[at].hash != hash || m_slots[at].place != place))
        at = (at + 1) & mask();
    return m_slots[at].place == none ? m_slots.size() : at;
}

void KeyIndex::remove(QByteArrayView key, quint32 place)
{
    size_t hole = slotOf(hashOf(key), place);
    if (hole >= m_slots.size())
        return;
    --m_used;
    // Later slots move up, but never before their home slot.
    for (size_t at = (hole + 1) & mask(); m_slots[at].place != none; at = (at + 1) & mask()) {
        const size_t home = homeOf(m_slots[at].hash);
        if (((at - home) & mask()) < ((at - hole) & mask()))
            continue;
        m_slots[hole] = m_slots[at];
        hole = at;
    }
    m_slots[hole] = {};
}

} // namespace lk
