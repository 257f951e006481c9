// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>

namespace lk {

/// Reports which keys may be a part of some primitive, by their names alone: see
/// Layout::ownersOf(). Asks once for all names that differ only in digits, because every layout
/// checks a name and an application has millions of similar ones. Used by one thread.
class PartNames
{
public:
    bool mayBePart(const QByteArray& name);

private:
    QHash<QByteArray, bool> m_known; ///< by the name with a 0 for each of its digits
};

} // namespace lk
