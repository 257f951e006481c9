// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <algorithm>

namespace lk {

// Names of one keyspace share a prefix. The bytes after it, taken as a number, distinguish nearly
// all names without access to the names themselves, which takes longer than sorting.

/// Shortens common to the prefix that it shares with other.
template<typename Text> void shortenToCommon(Text& common, const Text& other)
{
    const qsizetype most = std::min(common.size(), other.size());
    qsizetype same = 0;
    while (same < most && common[same] == other[same])
        ++same;
    common.truncate(same);
}

/// The eight bytes after the common prefix, as a number that sorts like the names.
inline quint64 bytesAfter(const QByteArray& name, qsizetype common)
{
    quint64 bytes = 0;
    for (qsizetype i = common; i < common + 8; ++i)
        bytes = bytes << 8 | (i < name.size() ? quint8(name.at(i)) : 0);
    return bytes;
}

} // namespace lk
