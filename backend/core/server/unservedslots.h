// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Slots of a cluster that no node serves.
struct UnservedSlots
{
    int count = 0;
    /// The slots and their node: "it cannot reach 127.0.0.1:7003 (slots 10923-16383)". Translated.
    QString text;

    bool operator==(const UnservedSlots&) const = default;
};

/// Slots of a cluster that are migrating from one node to another, as their source nodes report.
struct OpenSlots
{
    int count = 0;
    QString text; ///< "93 from 127.0.0.1:7001 to 127.0.0.1:7003"; "; " between pairs. Translated.

    bool operator==(const OpenSlots&) const = default;
};

} // namespace lk
