// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <algorithm>

namespace lk {

// Names of one keyspace begin alike. What follows that beginning, as a number, tells nearly all of
// them apart without reaching for the names themselves, which takes longer than to sort them.

/// Leaves of common what other begins with as well.
template<typename Text> void shortenToCommon(Text& common, const Text& other)
{
    const qsizetype most = std::min(common.size(), other.size());
    qsizetype same = 0;
    while (same < most && common[same] == other[same])
        ++same;
    common.truncate(same);
}

/// The eight bytes after so many, ordered as the names are as far as these go.
inline quint64 bytesAfter(const QByteArray& name, qsizetype common)
{
    quint64 bytes = 0;
    for (qsizetype i = common; i < common + 8; ++i)
        bytes = bytes << 8 | (i < name.size() ? quint8(name.at(i)) : 0);
    return bytes;
}

} // namespace lk
