// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/text/column.h"

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

/// session may be null. filtered: there are primitives, but the filter shows none of them.
EmptyText emptyText(Kind kind, const Session* session, bool filtered);

} // namespace lk
