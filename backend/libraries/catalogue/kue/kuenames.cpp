// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/kue/kuenames.h"

#include <algorithm>

namespace lk {

QByteArray kueIdOf(const QByteArray& member)
{
    if (member.size() < 4 || member[2] != '|')
        return {};
    const QByteArray id = member.mid(3);
    bool fine = false;
    const bool fits =
        member.left(2).toInt(&fine) == id.size() && fine &&
        std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
    return fits ? id : QByteArray();
}

QByteArray kuePrefixOf(const QByteArray& queue)
{
    return queue.left(queue.lastIndexOf(":jobs:"));
}

QByteArray kueJobKey(const QByteArray& prefix, const QByteArray& id)
{
    return prefix + ":job:" + id;
}

} // namespace lk
