// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHashFunctions>

#include <utility>

namespace lk {

/// A text with few distinct values that a million objects share, such as a layout's id or a key's
/// role. Each distinct text is stored once in the program; an object holds a pointer to it. Long
/// texts, and texts with a ":" (one per client), are stored in each object. Reads like a QByteArray
/// and converts from and to it. Safe from every thread.
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

    /// Returns 0 for an empty text.
    static quintptr bitsOf(const QByteArray& text);
    static const QByteArray& none();
    bool isOwn() const { return m_bits & own; }
    const QByteArray* kept() const { return reinterpret_cast<const QByteArray*>(m_bits & ~own); }

    quintptr m_bits = 0; ///< address of the text; with own set, only this object has it
};

inline size_t qHash(const InternedString& word, size_t seed = 0)
{
    return qHash(word.text(), seed);
}

} // namespace lk
