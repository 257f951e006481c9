// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Distinguishes an endless SCAN from a long one. An endless one repeats a cursor, returns far more
/// names than the server has keys, or makes very many calls without a name.
class ScanEnd
{
public:
    void start();
    /// Sets the result of DBSIZE; may be called repeatedly.
    void setExpected(qint64 keys) { m_expected = keys; }
    qint64 expected() const { return m_expected; } ///< 0: not known

    /// Call it after each SCAN. Returns true if the SCAN will not end.
    bool isEndless(const QByteArray& cursor, qint64 names);

private:
    QByteArray m_mark; ///< an earlier cursor, replaced at each power of two (Brent)
    qint64 m_expected = 0;
    qint64 m_names = 0;
    qint64 m_calls = 0;
    qint64 m_markAt = 1;
    qint64 m_emptyCalls = 0;
};

} // namespace lk
