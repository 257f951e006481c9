// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/columns/column.h"

namespace lk {

class Session;

/// What a board says while it has no rows.
struct EmptyText
{
    QString icon;
    QString headline;
    QString text;
    QString example;
};

/// "read 12 s ago", while more changes than is read at once; empty of what was read just now. Else
/// what was read long ago has not changed since.
QString readAgoText(const State& state, const Session& session);
/// "An estimate: 12,000 changes are not read yet."; empty while nothing is.
QString estimateText(const Session& session);

/// session may be null. filtered: there are primitives, but the filter shows none of them.
EmptyText emptyText(Kind kind, const Session* session, bool filtered);

} // namespace lk
