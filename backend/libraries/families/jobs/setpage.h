// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/jobs.h"
#include "backend/libraries/api/read.h"

namespace lk {

// The members of a set in the order of SSCAN, each once.

/// The first SSCAN of the set.
Command firstSetPage(const QByteArray& key);
/// The members in one reply of SSCAN.
std::vector<QByteArray> scannedMembers(const Reply& reply);
/// True if that reply to the first SSCAN has the whole set.
bool isWholeSet(const Reply& reply);

/// Reads the members of that page. The scan starts anew for each page and runs to the end of the
/// page, within bounds. Members that are added or removed meanwhile may be missed.
Read<std::vector<QByteArray>> readSetPage(QByteArray key, JobQuery query);

} // namespace lk
