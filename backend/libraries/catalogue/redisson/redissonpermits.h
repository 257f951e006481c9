// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <optional>

namespace lk {

/// How a version of Redisson packs an acquire into a member of its permits set (struct.pack):
/// random bytes that make it unique, then the number of permits in the last four bytes.
struct PermitPacking
{
    const char* format;   ///< the format for struct.pack
    const char* versions; ///< Redisson's versions, first to last
};

/// Returns null if the member has none of the known formats.
const PermitPacking* packingOf(const QByteArray& member);

/// Returns the number of permits, or nothing if the packing is unknown.
std::optional<quint32> permitsOf(const QByteArray& member);

} // namespace lk
