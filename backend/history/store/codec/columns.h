// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

namespace lk {

// Numbers of one sort that stand one after the other, compressed by themselves: times beside times
// and values beside values take a third less than points do.

/// What a column is like, which decides how it is compressed.
enum class ColumnOf : quint8 {
    Numbers, ///< hardly two stretches are the same
    Texts,   ///< or whatever repeats itself
};

/// Appends it, compressed where that is shorter.
void writeColumn(ByteWriter& out, const QByteArray& column, ColumnOf of);
/// What is broken makes the reader fail, and is empty.
QByteArray readColumn(ByteReader& in);

/// A time, value or owner against the one before goes into one of these.
template<size_t Count> class ColumnSet
{
public:
    ByteWriter& operator[](size_t i) { return m_columns[i]; }
    qsizetype size() const
    {
        qsizetype all = 0;
        for (const ByteWriter& column : m_columns)
            all += column.size();
        return all;
    }
    /// Appends them all; they are empty afterwards. texts: how many of the first are no numbers.
    void take(ByteWriter& out, size_t texts)
    {
        for (size_t i = 0; i < Count; ++i) {
            writeColumn(out, m_columns[i].take(), i < texts ? ColumnOf::Texts : ColumnOf::Numbers);
            m_columns[i] = ByteWriter();
        }
    }

private:
    ByteWriter m_columns[Count];
};

} // namespace lk
