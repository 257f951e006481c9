// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHashFunctions>
#include <QMetaType>

#include <compare>
#include <functional>
#include <vector>

namespace lk {

/// A primitive's index in the session. Indexes are small, dense and reused. The generation keeps
/// every handle unique: no two primitives ever get the same one.
struct Handle
{
    quint32 index = ~0U;
    quint32 generation = 0; ///< how many primitives had the index before

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

/// Values by handle, in one dense array. A value belongs to its handle alone: the next handle with
/// the same index does not find it, and replaces it.
template<typename T> class HandleTable
{
    static constexpr quint32 free = ~0U; ///< the generation of an index without a value

public:
    /// A value and its handle. Refers to the table; valid until the table changes.
    struct Item
    {
        Handle handle;
        const T& value;
    };
    /// Iterates over the stored values in the order of their indexes.
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
            return {Handle(m_index, m_table.m_generations[m_index]), m_table.m_values[m_index]};
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
            while (m_index < m_table.places() && m_table.m_generations[m_index] == free)
                ++m_index;
        }

        const HandleTable& m_table;
        quint32 m_index;
    };

    void reserve(size_t places)
    {
        m_values.reserve(places);
        m_generations.reserve(places);
    }
    /// Null if nothing is stored for the handle.
    T* find(Handle handle) { return const_cast<T*>(std::as_const(*this).find(handle)); }
    const T* find(Handle handle) const
    {
        return handle.index < m_values.size() && handle.generation != free &&
                       m_generations[handle.index] == handle.generation
                   ? &m_values[handle.index]
                   : nullptr;
    }
    bool contains(Handle handle) const { return find(handle) != nullptr; }
    /// Inserts T{} if there is no value or the value is another primitive's. Must not be called
    /// with noHandle.
    T& operator[](Handle handle)
    {
        if (handle.index >= m_values.size()) {
            m_values.resize(size_t(handle.index) + 1);
            m_generations.resize(m_values.size(), free);
        }
        quint32& generation = m_generations[handle.index];
        if (generation != handle.generation) {
            m_values[handle.index] = T{};
            generation = handle.generation;
        }
        return m_values[handle.index];
    }
    void erase(Handle handle)
    {
        if (!contains(handle))
            return;
        m_values[handle.index] = T{};
        m_generations[handle.index] = free;
    }

    /// One more than the largest index ever used.
    quint32 places() const { return quint32(m_values.size()); }
    /// The handle of the value at that index; noHandle if there is none.
    Handle at(quint32 index) const
    {
        return index < m_values.size() && m_generations[index] != free
                   ? Handle(index, m_generations[index])
                   : noHandle;
    }
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, places()}; }

private:
    // Two arrays: a struct of both could pad the generation to eight bytes instead of four.
    std::vector<T> m_values;
    std::vector<quint32> m_generations; ///< generation of the stored value's handle
};

} // namespace lk

template<> struct std::hash<lk::Handle>
{
    size_t operator()(lk::Handle handle) const noexcept { return lk::qHash(handle); }
};

Q_DECLARE_METATYPE(lk::Handle)
