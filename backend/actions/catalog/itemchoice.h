// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/actions/action.h"

namespace lk::actions {

/// The parameters by which items of a list are chosen: --item, --older-than, --all, --items,
/// of which --from and how many at --most.
std::vector<ActionParameter> itemParameters();

/// --to: at which end of a list items are put, "next" or "back".
ActionParameter endParameter(const QByteArray& preset);
QByteArray endOf(const ActionRequest& request, const QByteArray& preset);

/// The list of that role which the request means: the only one, or the one that --from names.
Result<QByteArray> listFor(const State& state, const ActionRequest& request, const char* role);

/// Asks for the items, oldest (right end) first within bounds: one, or as many as a plan takes. Of
/// the role "delayed", a sorted set, what is due first.
std::vector<Command> prefetchItems(const State& state, const ActionRequest& request,
                                   const char* role, std::span<const Reply> prefetched);

/// The chosen items, oldest first, exactly as they are stored.
struct ItemsRead
{
    QByteArray list;
    std::vector<QByteArray> items;
    std::vector<QByteArray> scores; ///< of delayed ones, as the server writes them; else empty
    qint64 length = 0;              ///< of the whole list
    qint64 unknown = 0;             ///< left out by --older-than, because their age is not known
};
/// Errors: BadArgument if nothing chooses, NotPossible if nothing is chosen.
Result<ItemsRead> itemsSeen(const ActionContext& context, const char* role);

/// The most items of one plan.
inline constexpr qint64 mostItems = 1000;

} // namespace lk::actions
