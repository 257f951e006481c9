// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/formernames.h"

namespace lk {

namespace {

struct Renamed
{
    const char* before;
    const char* now;
};

constexpr Renamed all[] = {
    {"queue.bury", "queue.dead-letter"},
    {"queue.unbury", "queue.retry"},
    {"queue.drop", "queue.discard"},
    {"queue.remove", "queue.discard"},
    {"queue.clean", "queue.discard-old"},
    {"queue.watch", "queue.auto-requeue"},
    {"token.sweep", "token.cleanup"},
    {"limiter.ask", "limiter.check"},
    {"lock.lease", "lock.ttl"},
    // Scripts that undo records name.
    {"queue-put-back", "queue-restore"},
    {"undo-drop-delayed", "undo-discard-delayed"},
};

} // namespace

QByteArray currentName(const QByteArray& name)
{
    for (const Renamed& renamed : all) {
        if (name == renamed.before)
            return renamed.now;
    }
    return name;
}

QStringList formerOptions(const QByteArray& option)
{
    if (option == "index")
        return {QStringLiteral("item")};
    return {};
}

} // namespace lk
