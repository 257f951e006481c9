// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace lk {

/// A variant for types that differ much in size. It allocates only the size of the type that it
/// holds. Copies are deep. Initially it holds a default value of the first type. Its last seven
/// bytes are free for the members that follow it: [[no_unique_address]].
template<typename... Ts> class BoxedVariant
{
    template<typename T> static constexpr bool isOne = (std::same_as<T, Ts> || ...);
    template<typename T> static constexpr quint8 indexOf()
    {
        quint8 at = 0;
        (void)((std::same_as<T, Ts> || (++at, false)) || ...);
        return at;
    }

public:
    BoxedVariant() = default;
    template<typename T>
    requires isOne<std::remove_cvref_t<T>> BoxedVariant(T&& value)
        : m_value(new std::remove_cvref_t<T>(std::forward<T>(value)))
        , m_index(indexOf<std::remove_cvref_t<T>>())
    {}
    BoxedVariant(const BoxedVariant& other)
        : m_value(other.m_value ? copiers[other.m_index](other.m_value) : nullptr)
        , m_index(other.m_index)
    {}
    BoxedVariant(BoxedVariant&& other) noexcept
        : m_value(std::exchange(other.m_value, nullptr))
        , m_index(std::exchange(other.m_index, quint8(0)))
    {}
    BoxedVariant& operator=(BoxedVariant other) noexcept
    {
        std::swap(m_value, other.m_value);
        std::swap(m_index, other.m_index);
        return *this;
    }
    ~BoxedVariant()
    {
        if (m_value)
            deleters[m_index](m_value);
    }

    /// The index of the type that it holds, from 0.
    size_t index() const { return m_index; }
    template<typename T>
    requires isOne<T>
    bool holds() const { return m_index == indexOf<T>(); }
    /// Null if it holds another type.
    template<typename T> const T* find() const { return holds<T>() ? &known<T>() : nullptr; }
    template<typename T> T* find() { return holds<T>() ? &edit<T>() : nullptr; }
    /// Requires that it holds a T.
    template<typename T> const T& get() const
    {
        Q_ASSERT(holds<T>());
        return known<T>();
    }
    template<typename T> T& get()
    {
        Q_ASSERT(holds<T>());
        return edit<T>();
    }

    /// Calls the function with the value.
    template<typename Function> decltype(auto) visit(Function&& function) const
    {
        using Result = std::common_type_t<std::invoke_result_t<Function, const Ts&>...>;
        using Call = Result (*)(Function&, const BoxedVariant&);
        static constexpr std::array<Call, sizeof...(Ts)> calls{
            [](Function& f, const BoxedVariant& v) -> Result { return f(v.known<Ts>()); }...};
        return calls[m_index](function, *this);
    }
    template<typename Function> decltype(auto) visit(Function&& function)
    {
        using Result = std::common_type_t<std::invoke_result_t<Function, Ts&>...>;
        using Call = Result (*)(Function&, BoxedVariant&);
        static constexpr std::array<Call, sizeof...(Ts)> calls{
            [](Function& f, BoxedVariant& v) -> Result { return f(v.edit<Ts>()); }...};
        return calls[m_index](function, *this);
    }

private:
    template<typename T> const T& known() const
    {
        if constexpr (indexOf<T>() == 0) {
            static const T usual{};
            return m_value ? *static_cast<const T*>(m_value) : usual;
        } else {
            return *static_cast<const T*>(m_value);
        }
    }
    template<typename T> T& edit()
    {
        if (!m_value) // the first
            m_value = new T();
        return *static_cast<T*>(m_value);
    }

    static constexpr std::array<void* (*)(const void*), sizeof...(Ts)> copiers{
        [](const void* value) -> void* { return new Ts(*static_cast<const Ts*>(value)); }...};
    static constexpr std::array<void (*)(void*), sizeof...(Ts)> deleters{
        [](void* value) { delete static_cast<Ts*>(value); }...};

    void* m_value = nullptr; ///< owned; null: a default value of the first type
    quint8 m_index = 0;
};

} // namespace lk
