// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <array>
#include <bitset>
#include <vector>

namespace lk {

/// Finds which of a fixed set of texts occur in a name, all of them in one pass over it (Aho and
/// Corasick). Each text stands for a set of numbers; the answer is the union of the sets of those
/// that occur. Unchanging after construction; threads may share one.
class TextFinder
{
public:
    /// Numbers below this may be in a set.
    static constexpr size_t capacity = 256;
    using Numbers = std::bitset<capacity>;

    /// What to find, and the numbers that it stands for.
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

    std::array<quint16, 256> m_column{}; ///< of each byte; 0: it is in none of the texts
    size_t m_columns = 1;
    std::vector<quint32> m_next; ///< of each node and column the node that follows
    std::vector<quint32>
        m_ends; ///< of each node what ends there: 0, or a place in m_found plus one
    std::vector<Numbers> m_found;
};

} // namespace lk
