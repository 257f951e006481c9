// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/asynq/asynqnames.h"

#include <algorithm>
#include <iterator>

namespace lk {

namespace {

constexpr const char* asynqnamesQueueParts[] = {
    "pending",  "active", "lease",     "scheduled", "retry",
    "archived", "paused", "completed", "t",         "unique",
    "g",        "groups", "processed", "failed",    "aggregation_sets"};
// A part that something follows is in braces, except for a scheduler's history.
constexpr const char* sharedParts[] = {"queues", "servers", "workers", "schedulers",
                                       "scheduler_history"};

template<size_t N> bool asynqnamesIsOneOf(const QByteArray& word, const char* const (&words)[N])
{
    return std::any_of(std::begin(words), std::end(words),
                       [&](const char* w) { return word == w; });
}

} // namespace

AsynqName asynqNameOf(const QByteArray& name)
{
    const qsizetype open = name.indexOf('{');
    const qsizetype close = open < 0 ? -1 : name.indexOf("}:", open);
    if (open > 0 && close > open + 1 && name[open - 1] == ':') {
        AsynqName found{name.left(open), name.mid(open + 1, close - open - 1), {}, {}};
        const QByteArray tail = name.mid(close + 2);
        const qsizetype colon = tail.indexOf(':');
        found.part = colon < 0 ? tail : tail.left(colon);
        found.rest = colon < 0 ? QByteArray() : tail.mid(colon + 1);
        return asynqnamesIsOneOf(found.part, asynqnamesQueueParts) ? found : AsynqName();
    }
    if (name.endsWith('}') && open > 1 && name[open - 1] == ':') { // a queue's own name
        const qsizetype before = name.lastIndexOf(':', open - 2);
        const QByteArray part = name.mid(before + 1, open - before - 2);
        if (asynqnamesIsOneOf(part, sharedParts))
            return {name.left(before + 1), {}, part, name.mid(open)};
        return {name.left(open), name.mid(open + 1, name.size() - open - 2), {}, {}};
    }
    const qsizetype history = name.indexOf(":scheduler_history:");
    const qsizetype colon = history >= 0 ? history : name.lastIndexOf(':');
    const QByteArray part = history >= 0 ? QByteArray("scheduler_history") : name.mid(colon + 1);
    return colon > 0 && asynqnamesIsOneOf(part, sharedParts)
               ? AsynqName{name.left(colon + 1), {}, part, {}}
               : AsynqName();
}

} // namespace lk
