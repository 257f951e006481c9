// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/names/textfinder.h"

#include <deque>

namespace lk {

TextFinder::TextFinder(const std::vector<Text>& texts)
{
    for (const Text& text : texts) {
        for (const char c : text.text) {
            quint16& column = m_column[uchar(c)];
            if (column == 0)
                column = quint16(m_columns++);
        }
    }
    m_ends.push_back(0);
    m_next.resize(m_columns);
    for (const Text& text : texts)
        addText(text);
    link();
}

void TextFinder::addText(const Text& text)
{
    size_t node = 0;
    for (const char c : text.text) {
        const size_t column = m_column[uchar(c)];
        if (next(node, column) == 0) {
            m_ends.push_back(0);
            m_next.resize(m_ends.size() * m_columns);
            next(node, column) = quint32(m_ends.size() - 1);
        }
        node = next(node, column);
    }
    if (m_ends[node] == 0) {
        m_found.emplace_back();
        m_ends[node] = quint32(m_found.size());
    }
    m_found[m_ends[node] - 1] |= text.numbers;
}

// Sets the fallback of each node: the longest suffix of the text read that begins another text.
// Goes by length, so that a node's fallback is complete before the node.
void TextFinder::link()
{
    std::vector<quint32> fallback(m_ends.size());
    std::deque<quint32> row;
    for (size_t column = 1; column < m_columns; ++column) {
        if (next(0, column) != 0)
            row.push_back(next(0, column));
    }
    while (!row.empty()) {
        const quint32 node = row.front();
        row.pop_front();
        const quint32 shorter = fallback[node];
        if (const quint32 also = m_ends[shorter]; also != 0) {
            Numbers numbers = m_found[also - 1];
            if (m_ends[node] != 0)
                numbers |= m_found[m_ends[node] - 1];
            m_found.push_back(numbers);
            m_ends[node] = quint32(m_found.size());
        }
        for (size_t column = 1; column < m_columns; ++column) {
            const quint32 otherwise = next(shorter, column);
            if (quint32& child = next(node, column); child != 0) {
                fallback[child] = otherwise;
                row.push_back(child);
            } else {
                child = otherwise;
            }
        }
    }
}

TextFinder::Numbers TextFinder::find(QByteArrayView name) const
{
    Numbers numbers;
    if (m_ends.empty())
        return numbers;
    size_t node = 0;
    for (const char c : name) {
        node = m_next[node * m_columns + m_column[uchar(c)]];
        if (const quint32 found = m_ends[node]; found != 0)
            numbers |= m_found[found - 1];
    }
    return numbers;
}

} // namespace lk
