// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lk {

/// Tells a SCAN that goes on for ever from a long one. A cursor that comes again, far more names
/// than the server has keys, or a long row of calls without a name: none of these happens to a real
/// one.
class ScanEnd
{
public:
    void start();
    /// What DBSIZE said; as often as it is asked.
    void setExpected(qint64 keys) { m_expected = keys; }
    qint64 expected() const { return m_expected; } ///< 0: not known

    /// After each call of SCAN. True: it will not end.
    bool isEndless(const QByteArray& cursor, qint64 names);

private:
    QByteArray m_mark; ///< a cursor of before, moved on at each power of two (Brent)
    qint64 m_expected = 0;
    qint64 m_names = 0;
    qint64 m_calls = 0;
    qint64 m_markAt = 1;
    qint64 m_emptyCalls = 0;
};

} // namespace lk
