// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <vector>

namespace lk {

/// Where the bars of one lane stand that lie over each other: each in the first row that is free.
class OverlapRows
{
public:
    /// In the order in which they begin. Returns its row.
    int add(qint64 fromMs, qint64 toMs);
    int count() const { return int(m_untilMs.size()); }

private:
    std::vector<qint64> m_untilMs; ///< by row
};

} // namespace lk
