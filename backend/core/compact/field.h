// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <concepts>
#include <optional>
#include <tuple>
#include <utility>

namespace lk {

/// The two forms in which fields are stored.
enum class FieldForm : quint8 {
    Packed,   ///< in memory: short, with numbers relative to each other
    Recorded, ///< in a file: the same bytes as long as nothing is written to the server
};

/// The state whose fields are stored.
struct FieldContext
{
    qint64 asOfMs = 0;
    std::optional<qint64> ttlMs = {};
};

/// The traits of a field. A field without any is stored in both forms, and a state in which only
/// such fields differ has not changed.
struct Is
{
    enum : unsigned {
        Compared = 1, ///< a difference is a change
        Moment = 2,   ///< a time of the server's clock; recorded as it is, packed as its age
        Left = 4,     ///< a remaining duration; recorded as the moment of its end
        Age = 8,      ///< a growing duration; recorded as the moment of its begin
        Read = 16,    ///< when a part of a state was read; recorded as the time of the state
        OnlyRecorded = 32,
        NotRecorded = 64,
        NeverPacked = 128 | OnlyRecorded, ///< a state is not packed if this field has a value
        Last = 256,                       ///< a list whose last elements matter most
        UsualIfPacked = 512,              ///< see Field::usual(); else in both forms
        NotStored = OnlyRecorded | NotRecorded,
        HasUsual = 1024,      ///< set by Field::usual()
        HasOtherValue = 2048, ///< set by Field::recordedAs()
    };
};

/// A member of a struct, and how to store and compare it.
template<typename S, typename T> struct Field
{
    using Type = T;
    using Usual = std::optional<qint64> (*)(const S&, const FieldContext&);
    using Recorded = T (*)(const S&);

    T S::*member;
    unsigned traits = 0;
    Usual usualOf = nullptr;
    Recorded recordedOf = nullptr;
    size_t most = ~size_t(0);

    /// The number that takes no space, in thousandths for a real one. It may depend on the fields
    /// before this one.
    constexpr Field usual(Usual of) const
    {
        return {member, traits | Is::HasUsual, of, recordedOf, most};
    }
    /// The value to record instead, for what is secret or truncated.
    constexpr Field recordedAs(Recorded of) const
    {
        return {member, traits | Is::HasOtherValue, usualOf, of, most};
    }
    /// How many elements of a list are recorded.
    constexpr Field atMost(size_t n) const { return {member, traits, usualOf, recordedOf, n}; }

    constexpr bool is(unsigned trait) const { return (traits & trait) == trait; }
    constexpr bool isIn(FieldForm form) const
    {
        return !is(form == FieldForm::Packed ? Is::OnlyRecorded : Is::NotRecorded);
    }
};

template<typename S, typename T> constexpr Field<S, T> field(T S::*member, unsigned traits = 0)
{
    return {member, traits};
}

/// The fields of a struct, a std::tuple. Structs with fields specialize it.
template<typename S> inline constexpr std::tuple<> fieldsOf;
template<typename S>
concept HasFields = !std::same_as<std::remove_cvref_t<decltype(fieldsOf<S>)>, std::tuple<>>;

// The sorts of fields that hold other values.
template<typename T>
concept IsOptional = requires(const T& value)
{
    value.has_value();
    *value;
};
template<typename T> using ValueOf = std::remove_cvref_t<decltype(*std::declval<const T&>())>;
template<typename T>
concept IsList = requires(T& list)
{
    list.emplace_back();
    list.begin();
};

/// The last value of an enumeration. Enumerations in fields specialize it.
template<typename Enum> inline constexpr Enum lastOf{};

/// One field of a struct, as a type.
template<typename S, size_t at> struct FieldAt
{
    static constexpr const auto& field = std::get<at>(fieldsOf<S>);
    using Type = typename std::remove_cvref_t<decltype(field)>::Type;
};

/// Calls the function with the FieldAt of each field of a struct. It can be read at compile time.
template<typename S, typename Function> constexpr void eachField(Function&& function)
{
    constexpr size_t count = std::tuple_size_v<std::remove_cvref_t<decltype(fieldsOf<S>)>>;
    [&]<size_t... at>(std::index_sequence<at...>)
    {
        (function(FieldAt<S, at>()), ...);
    }
    (std::make_index_sequence<count>());
}

} // namespace lk
