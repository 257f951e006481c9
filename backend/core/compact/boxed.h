// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace lk {

/// A value that allocates only if it differs from T(). Copies are deep. * and -> read it; edit()
/// changes it.
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
    /// Returns the value for changes. Allocates it if needed.
    T& edit()
    {
        if (!m_value)
            m_value = std::make_unique<T>();
        return *m_value;
    }
    void reset() { m_value.reset(); }
    /// True if no value is allocated: none was stored, or it was reset.
    bool isUsual() const { return !m_value; }

    bool operator==(const Boxed& other) const { return **this == *other; }

private:
    std::unique_ptr<T> m_value;
};

/// An optional value that allocates only if it is set.
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
    /// Requires a value.
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
