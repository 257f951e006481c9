// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHashFunctions>

#include <utility>

namespace lk {

/// A text of which there are few, and which a million values have each, as a layout's id or the
/// part that a key plays: kept once for the program, in a pointer's room here. What is long, or
/// would make many of them (a ":" in it: a part for each client), each value keeps by itself. Read
/// as a QByteArray is, which it turns into and is made from. Any thread.
class InternedString
{
public:
    InternedString() = default;
    InternedString(const QByteArray& text)
        : m_bits(bitsOf(text))
    {}
    InternedString(const char* text)
        : InternedString(QByteArray(text))
    {}
    InternedString(const InternedString& other)
        : m_bits(other.isOwn() ? bitsOf(other.text()) : other.m_bits)
    {}
    InternedString(InternedString&& other) noexcept
        : m_bits(std::exchange(other.m_bits, 0))
    {}
    InternedString& operator=(InternedString other) noexcept
    {
        std::swap(m_bits, other.m_bits);
        return *this;
    }
    ~InternedString()
    {
        if (isOwn())
            delete &text();
    }

    const QByteArray& text() const { return m_bits == 0 ? none() : *kept(); }
    operator const QByteArray&() const { return text(); }
    bool isEmpty() const { return m_bits == 0; }
    const char* constData() const { return text().constData(); }
    bool startsWith(QByteArrayView start) const { return text().startsWith(start); }

    friend bool operator==(const InternedString& a, const InternedString& b)
    {
        return a.m_bits == b.m_bits || (a.isOwn() && b.isOwn() && a.text() == b.text());
    }
    friend bool operator==(const InternedString& a, const QByteArray& b) { return a.text() == b; }
    friend bool operator==(const InternedString& a, const char* b) { return a.text() == b; }

private:
    static constexpr quintptr own = 1;

    /// 0: it is empty.
    static quintptr bitsOf(const QByteArray& text);
    static const QByteArray& none();
    bool isOwn() const { return m_bits & own; }
    const QByteArray* kept() const { return reinterpret_cast<const QByteArray*>(m_bits & ~own); }

    quintptr m_bits = 0; ///< where the text is; with own set it is this value's alone
};

inline size_t qHash(const InternedString& word, size_t seed = 0)
{
    return qHash(word.text(), seed);
}

} // namespace lk
