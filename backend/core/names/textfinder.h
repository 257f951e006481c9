// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <array>
#include <bitset>
#include <vector>

namespace lk {

/// Finds which of a fixed set of texts occur in a name, in one pass (Aho-Corasick). Each text has a
/// set of numbers; the result is the union of the sets of the texts found. Immutable after
/// construction; threads may share one.
class TextFinder
{
public:
    /// Sets contain numbers below this.
    static constexpr size_t capacity = 256;
    using Numbers = std::bitset<capacity>;

    /// A text to find and its numbers.
    struct Text
    {
        QByteArray text; ///< not empty
        Numbers numbers;
    };

    TextFinder() = default;
    explicit TextFinder(const std::vector<Text>& texts);

    Numbers find(QByteArrayView name) const;

private:
    quint32& next(size_t node, size_t column) { return m_next[node * m_columns + column]; }
    void addText(const Text& text);
    void link();

    std::array<quint16, 256> m_column{}; ///< by byte; 0: the byte is in none of the texts
    size_t m_columns = 1;
    std::vector<quint32> m_next; ///< the next node by node and column
    std::vector<quint32>
        m_ends; ///< by node: 0 if no text ends there, else an index in m_found plus one
    std::vector<Numbers> m_found;
};

} // namespace lk
