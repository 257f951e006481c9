// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Slots of a cluster whose keys no node answers for.
struct UnservedSlots
{
    int count = 0;
    /// Which, and whose they are: "it cannot reach 127.0.0.1:7003 (slots 10923-16383)". Translated.
    QString text;

    bool operator==(const UnservedSlots&) const = default;
};

/// Slots of a cluster that are on their way from one node to another, by what the nodes that give
/// them say.
struct OpenSlots
{
    int count = 0;
    QString text; ///< "93 from 127.0.0.1:7001 to 127.0.0.1:7003"; "; " between pairs. Translated.

    bool operator==(const OpenSlots&) const = default;
};

} // namespace lk
