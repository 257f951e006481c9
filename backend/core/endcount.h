// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lk {

/// The number of leases or tokens that end at about that moment.
struct EndCount
{
    qint64 atMs = 0; ///< server time
    qint64 count = 1;

    EndCount(qint64 endMs, qint64 many = 1)
        : atMs(endMs)
        , count(many)
    {}
    bool operator==(const EndCount&) const = default;
};

} // namespace lk
