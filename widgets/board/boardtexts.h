// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <optional>

namespace lk {

class Session;

/// The text of a board without rows.
struct EmptyText
{
    QString icon;
    QString headline;
    QString text;
    QString example;
    std::optional<int> percent = {}; ///< progress of a running scan
};

/// Returns "read 12 s ago" while reading is behind the changes and the state was not read just now.
/// Otherwise empty: a state that was read long ago has not changed since.
QString readAgoText(const State& state, const Session& session);
/// Returns "An estimate: 12,000 changes are not read yet." Empty while reading keeps up.
QString estimateText(const Session& session);

/// The progress of a session that has not read all keys: the rest may still hold problems.
struct ScanSoFar
{
    QString text;               ///< "1 % of the keys read"
    std::optional<int> percent; ///< empty: the number of keys is unknown
    bool isRunning = false;     ///< else it was stopped, or could not read all

    bool operator==(const ScanSoFar&) const = default;
};
/// Returns the progress. Nothing once all keys were read, without a connection, and in the past.
std::optional<ScanSoFar> scanSoFar(const Session& session);
/// "Nothing found so far, 1 % of the keys read."
QString nothingSoFarText(const ScanSoFar& soFar);

/// session may be null. filtered: there are primitives, but the filter shows none of them.
EmptyText emptyText(Kind kind, const Session* session, bool filtered);

} // namespace lk
