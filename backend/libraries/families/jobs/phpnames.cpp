// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/jobs/phpnames.h"

namespace lk {

namespace {

constexpr qsizetype mostBytes = 4096;
constexpr qsizetype nameBytes = 128;

} // namespace

QByteArray phpClassIn(const QByteArray& serialized, const char* otherThan)
{
    // O:<length of the name>:"<name>":<number of properties>:
    const QByteArray text = serialized.left(mostBytes);
    for (qsizetype at = text.indexOf("O:"); at >= 0; at = text.indexOf("O:", at + 2)) {
        const qsizetype colon = text.indexOf(':', at + 2);
        bool known = false;
        const int length = colon < 0 ? 0 : text.mid(at + 2, colon - at - 2).toInt(&known);
        if (!known || length <= 0 || text.mid(colon + 1, 1) != "\"")
            continue;
        const QByteArray name = text.mid(colon + 2, length);
        if (!name.isEmpty() && !(otherThan && name.startsWith(otherThan)))
            return name.left(nameBytes);
    }
    return {};
}

} // namespace lk
