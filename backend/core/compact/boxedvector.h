// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace lk {

/// A vector that takes one pointer instead of three while it is empty. Reads like a std::vector and
/// converts from and to it. edit() returns the vector itself.
template<typename T> class BoxedVector
{
public:
    using value_type = T;
    using const_iterator = const T*;
    using iterator = T*;

    BoxedVector() = default;
    BoxedVector(std::vector<T> all)
        : m_all(all.empty() ? nullptr : std::make_unique<std::vector<T>>(std::move(all)))
    {}
    BoxedVector(std::initializer_list<T> all)
        : BoxedVector(std::vector<T>(all))
    {}
    BoxedVector(const BoxedVector& other)
        : BoxedVector(other.all())
    {}
    BoxedVector(BoxedVector&&) noexcept = default;
    BoxedVector& operator=(const BoxedVector& other)
    {
        if (this != &other)
            *this = BoxedVector(other);
        return *this;
    }
    BoxedVector& operator=(BoxedVector&&) noexcept = default;
    ~BoxedVector() = default;

    const std::vector<T>& all() const
    {
        static const std::vector<T> none;
        return m_all ? *m_all : none;
    }
    operator const std::vector<T>&() const { return all(); }
    std::vector<T>& edit()
    {
        if (!m_all)
            m_all = std::make_unique<std::vector<T>>();
        return *m_all;
    }

    bool empty() const { return !m_all || m_all->empty(); }
    size_t size() const { return m_all ? m_all->size() : 0; }
    const T* begin() const { return m_all ? m_all->data() : nullptr; }
    const T* end() const { return begin() + size(); }
    T* begin() { return m_all ? m_all->data() : nullptr; }
    T* end() { return begin() + size(); }
    const T& operator[](size_t i) const { return (*m_all)[i]; }
    T& operator[](size_t i) { return (*m_all)[i]; }
    const T& front() const { return m_all->front(); }
    T& front() { return m_all->front(); }
    const T& back() const { return m_all->back(); }
    T& back() { return m_all->back(); }

    void push_back(T value) { edit().push_back(std::move(value)); }
    template<typename... Parts> T& emplace_back(Parts&&... parts)
    {
        return edit().emplace_back(std::forward<Parts>(parts)...);
    }
    void clear() { m_all.reset(); }

    bool operator==(const BoxedVector& other) const { return all() == other.all(); }

private:
    std::unique_ptr<std::vector<T>> m_all;
};

} // namespace lk
