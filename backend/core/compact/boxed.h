// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace lk {

/// A value that is mostly as T() makes it: then it takes a pointer's room, else its own in
/// addition. A value as others: a copy has its own. Read by * and ->, changed by edit().
template<typename T> class Boxed
{
public:
    Boxed() = default;
    Boxed(T value)
        : m_value(value == T() ? nullptr : std::make_unique<T>(std::move(value)))
    {}
    Boxed(const Boxed& other)
        : m_value(other.m_value ? std::make_unique<T>(*other.m_value) : nullptr)
    {}
    Boxed(Boxed&&) noexcept = default;
    Boxed& operator=(const Boxed& other)
    {
        if (this != &other)
            m_value = other.m_value ? std::make_unique<T>(*other.m_value) : nullptr;
        return *this;
    }
    Boxed& operator=(Boxed&&) noexcept = default;
    ~Boxed() = default;

    const T& operator*() const
    {
        static const T usual{};
        return m_value ? *m_value : usual;
    }
    const T* operator->() const { return &**this; }
    /// For changes: has a value of its own from now on.
    T& edit()
    {
        if (!m_value)
            m_value = std::make_unique<T>();
        return *m_value;
    }
    void reset() { m_value.reset(); }
    /// It takes no room of its own: nothing was stored, or that was reset.
    bool isUsual() const { return !m_value; }

    bool operator==(const Boxed& other) const { return **this == *other; }

private:
    std::unique_ptr<T> m_value;
};

/// A value that is mostly missing: as std::optional, in a pointer's room where there is none.
template<typename T> class RareOptional
{
public:
    RareOptional() = default;
    RareOptional(std::nullopt_t) {}
    RareOptional(T value)
        : m_value(std::make_unique<T>(std::move(value)))
    {}
    RareOptional(std::optional<T> value)
        : m_value(value ? std::make_unique<T>(std::move(*value)) : nullptr)
    {}
    RareOptional(const RareOptional& other)
        : m_value(other.m_value ? std::make_unique<T>(*other.m_value) : nullptr)
    {}
    RareOptional(RareOptional&&) noexcept = default;
    RareOptional& operator=(const RareOptional& other)
    {
        if (this != &other)
            m_value = other.m_value ? std::make_unique<T>(*other.m_value) : nullptr;
        return *this;
    }
    RareOptional& operator=(RareOptional&&) noexcept = default;
    ~RareOptional() = default;
    operator std::optional<T>() const
    {
        return m_value ? std::optional<T>(*m_value) : std::nullopt;
    }

    bool has_value() const { return m_value != nullptr; }
    explicit operator bool() const { return has_value(); }
    /// Only where there is one.
    const T& operator*() const { return *m_value; }
    T& operator*() { return *m_value; }
    const T* operator->() const { return m_value.get(); }
    T* operator->() { return m_value.get(); }
    void reset() { m_value.reset(); }

    bool operator==(const RareOptional& other) const
    {
        return m_value && other.m_value ? *m_value == *other.m_value : !m_value && !other.m_value;
    }

private:
    std::unique_ptr<T> m_value;
};

} // namespace lk
