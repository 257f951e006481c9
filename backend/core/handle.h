// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHashFunctions>
#include <QMetaType>

#include <compare>
#include <functional>
#include <vector>

namespace lk {

/// A primitive's place in the session. Places are small and dense and used again; with the
/// generation, no handle is ever given to two primitives.
struct Handle
{
    quint32 index = ~0U;
    quint32 generation = 0; ///< how many had the place before

    constexpr Handle() = default;
    constexpr explicit Handle(quint32 place, quint32 before = 0)
        : index(place)
        , generation(before)
    {}
    constexpr auto operator<=>(const Handle&) const = default;
};

inline constexpr Handle noHandle;

inline size_t qHash(Handle handle, size_t seed = 0)
{
    return ::qHash(quint64(handle.generation) << 32 | handle.index, seed);
}

/// Values by handle, in one dense array. A value counts for its handle alone: whoever has the
/// place next does not find it, and replaces it.
template<typename T> class HandleTable
{
    struct Slot
    {
        T value{};
        quint32 generation = 0;
        bool used = false;
    };

public:
    /// A value and its handle; refers to the table, until that changes.
    struct Item
    {
        Handle handle;
        const T& value;
    };
    /// Over the values that are there, in the order of their places.
    class Iterator
    {
    public:
        Iterator(const HandleTable& table, quint32 index)
            : m_table(table)
            , m_index(index)
        {
            skip();
        }
        Item operator*() const
        {
            const Slot& slot = m_table.m_slots[m_index];
            return {Handle(m_index, slot.generation), slot.value};
        }
        Iterator& operator++()
        {
            ++m_index;
            skip();
            return *this;
        }
        bool operator==(const Iterator& other) const { return m_index == other.m_index; }

    private:
        void skip()
        {
            while (m_index < m_table.places() && !m_table.m_slots[m_index].used)
                ++m_index;
        }

        const HandleTable& m_table;
        quint32 m_index;
    };

    void reserve(size_t places) { m_slots.reserve(places); }
    /// Null: nothing is stored for it.
    T* find(Handle handle) { return const_cast<T*>(std::as_const(*this).find(handle)); }
    const T* find(Handle handle) const
    {
        if (handle.index >= m_slots.size())
            return nullptr;
        const Slot& slot = m_slots[handle.index];
        return slot.used && slot.generation == handle.generation ? &slot.value : nullptr;
    }
    bool contains(Handle handle) const { return find(handle) != nullptr; }
    /// Not for noHandle. A new value where there is none, or another primitive's.
    T& operator[](Handle handle)
    {
        if (handle.index >= m_slots.size())
            m_slots.resize(size_t(handle.index) + 1);
        Slot& slot = m_slots[handle.index];
        if (!slot.used || slot.generation != handle.generation)
            slot = {T{}, handle.generation, true};
        return slot.value;
    }
    void erase(Handle handle)
    {
        if (contains(handle))
            m_slots[handle.index] = {};
    }

    /// One more than the largest index ever used.
    quint32 places() const { return quint32(m_slots.size()); }
    /// Whose value is at that place; noHandle: nobody's.
    Handle at(quint32 index) const
    {
        return index < m_slots.size() && m_slots[index].used
                   ? Handle(index, m_slots[index].generation)
                   : noHandle;
    }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, places()}; }

private:
    std::vector<Slot> m_slots;
};

} // namespace lk

template<> struct std::hash<lk::Handle>
{
    size_t operator()(lk::Handle handle) const noexcept { return lk::qHash(handle); }
};

Q_DECLARE_METATYPE(lk::Handle)
