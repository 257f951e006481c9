// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

#include <optional>

namespace lk {

class Session;

/// What a board says while it has no rows.
struct EmptyText
{
    QString icon;
    QString headline;
    QString text;
    QString example;
    std::optional<int> percent = {}; ///< of a scan under way
};

/// "read 12 s ago", while more changes than is read at once; empty of what was read just now. Else
/// what was read long ago has not changed since.
QString readAgoText(const State& state, const Session& session);
/// "An estimate: 12,000 changes are not read yet."; empty while nothing is.
QString estimateText(const Session& session);

/// How far a session is whose keys were not all read: nothing calm is said of the rest.
struct ScanSoFar
{
    QString text;               ///< "1 % of the keys read"
    std::optional<int> percent; ///< empty: nobody told how many there are
    bool isRunning = false;     ///< else it was stopped, or could not read all

    bool operator==(const ScanSoFar&) const = default;
};
/// Empty once all keys were read, without a connection, and of the past.
std::optional<ScanSoFar> scanSoFar(const Session& session);
/// "Nothing found so far, 1 % of the keys read."
QString nothingSoFarText(const ScanSoFar& soFar);

/// session may be null. filtered: there are primitives, but the filter shows none of them.
EmptyText emptyText(Kind kind, const Session* session, bool filtered);

} // namespace lk
