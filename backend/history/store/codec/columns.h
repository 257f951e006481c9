// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/compact/bytes.h"

namespace lk {

// Columns contain numbers of one sort and are compressed separately: times beside times and values
// beside values take a third less space than points.

/// The content of a column, which decides how it is compressed.
enum class ColumnOf : quint8 {
    Numbers, ///< sequences hardly repeat
    Texts,   ///< or other data with repeated sequences
};

/// Appends the column, compressed if that is shorter.
void writeColumn(ByteWriter& out, const QByteArray& column, ColumnOf of);
/// Returns the next column. If it is broken, returns an empty one and makes the reader fail.
QByteArray readColumn(ByteReader& in);

/// A set of columns. Each contains values of one sort, such as times or owners, relative to the
/// previous one.
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
    /// Appends all columns and clears them. texts: how many of the first columns are not numbers.
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
