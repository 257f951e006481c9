// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/discovery/scan/scanend.h"

namespace lk {

namespace {

constexpr qint64 leastNames = 20'000; // the keyspace may grow while it is scanned
constexpr qint64 namesPerKey = 4;     // SCAN may return a name twice
// A table stays far larger than its contents until it shrinks. So many calls pass over half a
// billion empty slots.
constexpr qint64 mostEmptyCalls = 100'000;

} // namespace

void ScanEnd::start()
{
    *this = {};
}

bool ScanEnd::isEndless(const QByteArray& cursor, qint64 names)
{
    ++m_calls;
    m_names += names;
    m_emptyCalls = names > 0 ? 0 : m_emptyCalls + 1;
    if (cursor == "0")
        return false;
    if (cursor == m_mark)
        return true;
    if (m_calls == m_markAt) {
        m_mark = cursor;
        m_markAt *= 2;
    }
    return m_emptyCalls > mostEmptyCalls ||
           (m_expected > 0 && m_names > leastNames + namesPerKey * m_expected);
}

} // namespace lk
