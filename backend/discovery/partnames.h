// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>

namespace lk {

/// Tells which keys may be a part of some primitive by their names alone: see Layout::ownersOf().
/// Of names that differ in nothing but their digits one is asked about: every layout looks at every
/// name, and an application has millions that are alike. Used by one thread.
class PartNames
{
public:
    bool mayBePart(const QByteArray& name);

private:
    QHash<QByteArray, bool> m_known; ///< by the name with a 0 for each of its digits
};

} // namespace lk
