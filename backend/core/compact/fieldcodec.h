// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"
#include "backend/core/compact/field.h"
#include "backend/core/compact/packedtext.h"
#include "backend/core/names/foreigntext.h"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <span>
#include <utility>

namespace lk {

// Writes and reads structs by their fields. A struct is a row of bits, which contains small values
// and the form of the others, followed by the other values.

/// How a number is written.
enum class NumberForm : quint8 { None, Zero, Usual, Other };
/// How a real number is written: most are 0, or seconds made of whole milliseconds.
enum class RealForm : quint8 { NoneOrUsual, Zero, Thousandths, Whole };

inline RealForm realFormOf(double value)
{
    constexpr double most = 1e12;
    if (std::bit_cast<quint64>(value) == 0)
        return RealForm::Zero;
    // Negated, because every comparison with NaN is false.
    if (!(std::abs(value) < most))
        return RealForm::Whole;
    const double back = double(qint64(std::round(value * 1000))) / 1000;
    const bool same = std::bit_cast<quint64>(back) == std::bit_cast<quint64>(value);
    return same ? RealForm::Thousandths : RealForm::Whole;
}

template<typename T> constexpr bool isChoice = std::is_enum_v<T> || std::same_as<T, bool>;
template<typename T>
concept IsArray = requires
{
    std::tuple_size<T>::value;
};
template<typename T> constexpr bool isNumber = std::integral<T> && !std::same_as<T, bool>;

/// The number of a type's values in the bits of a struct, minus one.
template<typename T> constexpr unsigned lastBits()
{
    if constexpr (std::same_as<T, bool>)
        return 1;
    else if constexpr (std::is_enum_v<T>)
        return unsigned(lastOf<T>);
    else if constexpr (isNumber<T> || std::floating_point<T>)
        return 3;
    else if constexpr (IsOptional<T>)
        return isChoice<ValueOf<T>> ? lastBits<ValueOf<T>>() + 1
               : isNumber<ValueOf<T>> || std::floating_point<ValueOf<T>> ? 3
                                                                         : 1;
    else
        return HasFields<T> ? 0 : 1; // whether a text or a list is not empty
}

/// The number of bytes of a struct's bits.
template<FieldForm form, typename S> constexpr size_t bitBytes()
{
    size_t bits = 0;
    eachField<S>([&]<typename F>(F) {
        using T = typename F::Type;
        bits += F::field.isIn(form) ? size_t(std::bit_width(lastBits<T>())) : 0;
    });
    return (bits + 7) / 8;
}

/// The number relative to which another is written.
template<FieldForm form, typename F, typename S> qint64 baseOf(const S& s, const FieldContext& of)
{
    if constexpr (form == FieldForm::Recorded)
        return F::field.is(Is::Left) ? -of.asOfMs : F::field.is(Is::Age) ? of.asOfMs : 0;
    else if constexpr (F::field.is(Is::Moment))
        return of.asOfMs;
    else if constexpr (F::field.is(Is::HasUsual))
        return F::field.usualOf(s, of).value_or(0);
    else
        return 0;
}

/// The number that is only a form.
template<FieldForm form, typename F, typename S>
std::optional<qint64> usualNumber(const S& s, const FieldContext& of)
{
    constexpr bool isUsed = form == FieldForm::Packed || !F::field.is(Is::UsualIfPacked);
    if constexpr (F::field.is(Is::Read))
        return of.asOfMs;
    else if constexpr (F::field.is(Is::HasUsual) && isUsed)
        return F::field.usualOf(s, of);
    else
        return std::nullopt;
}

/// Whether a state with that value can be packed: see Is::NeverPacked.
template<typename T> bool isEmptyField(const T& value)
{
    if constexpr (IsOptional<T>)
        return !value.has_value();
    else if constexpr (requires { value.isUsual(); })
        return value->isEmpty();
    else if constexpr (requires { value.empty(); })
        return value.empty();
    else
        return false;
}

/// Writes structs in a form.
template<FieldForm form> class FieldWriter
{
public:
    FieldWriter(ByteWriter& out, const FieldContext& of)
        : m_out(out)
        , m_of(of)
    {}

    template<typename S> void write(const S& s)
    {
        // One byte more, so that bits can always be added to two.
        std::array<char, bitBytes<form, S>() + 1> bits{};
        size_t used = 0;
        const qsizetype at = m_out.size();
        m_out.bytes(QByteArrayView(bits.data(), qsizetype(bits.size() - 1)));
        eachField<S>([&]<typename F>(F) {
            if constexpr (F::field.isIn(form)) {
                using T = typename F::Type;
                unsigned own = 0;
                if constexpr (form == FieldForm::Recorded && F::field.is(Is::HasOtherValue))
                    own = put<F>(s, F::field.recordedOf(s));
                else
                    own = put<F>(s, s.*F::field.member);
                own <<= used % 8;
                bits[used / 8] = char(bits[used / 8] | own);
                bits[used / 8 + 1] = char(own >> 8);
                used += size_t(std::bit_width(lastBits<T>()));
            }
        });
        m_out.replace(at, QByteArrayView(bits.data(), qsizetype(bits.size() - 1)));
    }

private:
    // Writes a value except for its part that is in the bits, which it returns.
    template<typename F, typename S, typename T> unsigned put(const S& s, const T& value)
    {
        if constexpr (isChoice<T>) {
            return unsigned(value);
        } else if constexpr (isNumber<T>) {
            return putNumber<F>(s, qint64(value));
        } else if constexpr (std::floating_point<T>) {
            const std::optional<qint64> usual = usualNumber<form, F>(s, m_of);
            return value != 0 && usual && value == double(*usual) / 1000 ? 0 : putReal(value);
        } else if constexpr (HasFields<T>) {
            write(value);
            return 0;
        } else if constexpr (IsOptional<T>) {
            using Value = ValueOf<T>;
            if (!value)
                return 0;
            if constexpr (isChoice<Value>)
                return unsigned(*value) + 1;
            else if constexpr (isNumber<Value>)
                return putNumber<F>(s, *value);
            else if constexpr (std::floating_point<Value>)
                return putReal(*value);
            else
                write(*value);
            return 1;
        } else if constexpr (IsList<T>) {
            return putList<F>(value);
        } else if constexpr (IsArray<T>) {
            if (value == T())
                return 0;
            for (const qint64 number : value)
                m_out.whole(number);
            return 1;
        } else {
            return putText(value);
        }
    }
    template<typename F, typename S> unsigned putNumber(const S& s, qint64 number)
    {
        if (number == 0)
            return unsigned(NumberForm::Zero);
        if (F::field.is(Is::Read) || number == usualNumber<form, F>(s, m_of))
            return unsigned(NumberForm::Usual);
        m_out.whole(qint64(quint64(number) - quint64(baseOf<form, F>(s, m_of))));
        return unsigned(NumberForm::Other);
    }
    unsigned putReal(double value)
    {
        const RealForm how = realFormOf(value);
        if (how == RealForm::Thousandths)
            m_out.whole(qint64(std::round(value * 1000)));
        else if (how == RealForm::Whole)
            m_out.real(value);
        return unsigned(how);
    }
    template<typename F, typename T> unsigned putList(const T& list)
    {
        if (list.empty())
            return 0;
        const size_t n =
            form == FieldForm::Recorded ? std::min(list.size(), F::field.most) : list.size();
        m_out.number(n);
        const auto* first = &*list.begin() + (F::field.is(Is::Last) ? list.size() - n : 0);
        qint64 before = 0;
        for (const auto& item : std::span(first, n)) {
            if constexpr (HasFields<std::remove_cvref_t<decltype(item)>>)
                write(item);
            else // times, each relative to the one before
                m_out.whole(item - std::exchange(before, item));
        }
        return 1;
    }
    template<typename Text> unsigned putText(const Text& value)
    {
        if constexpr (std::same_as<Text, QString>)
            return putText(value.toUtf8());
        else if constexpr (requires { value.isUsual(); })
            return putText(*value);
        else if (value.isEmpty())
            return 0;
        else if constexpr (form == FieldForm::Packed)
            writePacked(m_out, value);
        else
            m_out.text(value);
        return 1;
    }

    ByteWriter& m_out;
    FieldContext m_of;
};

/// Reads what a FieldWriter wrote, in the same order.
template<FieldForm form> class FieldReader
{
public:
    FieldReader(ByteReader& in, const FieldContext& of)
        : m_in(in)
        , m_of(of)
    {}

    template<typename S> void read(S& s)
    {
        constexpr size_t size = bitBytes<form, S>();
        std::array<quint8, size + 1> bits{};
        for (size_t i = 0; i < size; ++i)
            bits[i] = m_in.byte();
        size_t used = 0;
        eachField<S>([&]<typename F>(F) {
            if constexpr (F::field.isIn(form)) {
                constexpr unsigned last = lastBits<typename F::Type>();
                constexpr auto width = std::bit_width(last);
                const unsigned both = bits[used / 8] | unsigned(bits[used / 8 + 1]) << 8;
                const unsigned own = (both >> used % 8) & ((1U << width) - 1);
                used += size_t(width);
                if (own > last)
                    m_in.fail();
                if (m_in.ok())
                    take<F>(s, s.*F::field.member, own);
            }
        });
    }

private:
    template<typename F, typename S, typename T> void take(const S& s, T& value, unsigned own)
    {
        if constexpr (isChoice<T>) {
            value = T(own);
        } else if constexpr (isNumber<T>) {
            value = T(number<F>(s, NumberForm(own)));
        } else if constexpr (std::floating_point<T>) {
            const bool isUsual = RealForm(own) == RealForm::NoneOrUsual;
            value = isUsual ? double(usualNumber<form, F>(s, m_of).value_or(0)) / 1000
                            : real(RealForm(own));
        } else if constexpr (HasFields<T>) {
            read(value);
        } else if (own == 0) {
            value = T();
        } else if constexpr (IsOptional<T>) {
            using Value = ValueOf<T>;
            if constexpr (isChoice<Value>) {
                value = Value(own - 1);
            } else if constexpr (isNumber<Value>) {
                value = number<F>(s, NumberForm(own));
            } else if constexpr (std::floating_point<Value>) {
                value = real(RealForm(own));
            } else {
                Value read;
                this->read(read);
                value = std::move(read);
            }
        } else if constexpr (IsList<T>) {
            takeList(value);
        } else if constexpr (IsArray<T>) {
            for (qint64& number : value)
                number = m_in.whole();
        } else if constexpr (std::same_as<T, QString>) {
            value = foreignText(QString::fromUtf8(text()));
        } else {
            value = text();
        }
    }
    template<typename F, typename S> qint64 number(const S& s, NumberForm how)
    {
        if (how == NumberForm::Usual)
            return usualNumber<form, F>(s, m_of).value_or(0);
        return how == NumberForm::Other ? m_in.after(baseOf<form, F>(s, m_of)) : 0;
    }
    double real(RealForm how)
    {
        return how == RealForm::Thousandths ? double(m_in.whole()) / 1000
               : how == RealForm::Whole     ? m_in.real()
                                            : 0;
    }
    template<typename T> void takeList(T& list)
    {
        using Item = typename T::value_type;
        list.clear();
        qint64 before = 0;
        for (size_t n = m_in.count(); n > 0 && m_in.ok(); --n) {
            list.emplace_back();
            if constexpr (HasFields<Item>)
                read(list.back());
            else
                list.back() = before = m_in.after(before);
        }
    }
    QByteArray text() { return form == FieldForm::Packed ? readPacked(m_in) : m_in.text(); }

    ByteReader& m_in;
    FieldContext m_of;
};

} // namespace lk
