// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/detect/wordlists.h"

#include "backend/core/names/namewords.h"
#include "backend/libraries/families/locks/ownershape.h"

#include <algorithm>

namespace lk {

namespace {

struct Part
{
    std::string_view name; ///< as a segment of the key
    bool atEnd;            ///< true if nothing may follow it
    const char* library;
};

constexpr Part parts[] = {
    {"unacked_mutex", true, "Celery"},
    {"redbeat::lock", true, "RedBeat"},
    {"rq:scheduler-lock:", false, "RQ"},
    {"rq:clean_registries:", false, "RQ"},
    {"reliable-fetcher-cleanup-lock", true, "Sidekiq reliable fetch"},
    {"resque_scheduler_leader_lock", true, "node-resque"},
    {"pruning_dead_workers_in_progress", true, "Resque"},
    {"autoclaim:", false, "taskiq"},
    {"illuminate:queue:restart", true, "Laravel"},
};

bool isDigits(QByteArrayView text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "<prefix>:<queue>:<job>:lock" with the worker's UUID, and in BullMQ its count of tokens.
QByteArray queueOfJobLock(const QByteArray& name, const QByteArray& value)
{
    constexpr QByteArrayView end = ":lock";
    if (!QByteArrayView(name).endsWith(end))
        return {};
    const OwnerInfo owner = ownerInfoOf(value, 0);
    if (owner.form == OwnerForm::UuidAndCount)
        return QByteArrayLiteral("BullMQ");
    const QByteArrayView job = QByteArrayView(name).chopped(end.size());
    const qsizetype colon = job.lastIndexOf(':');
    const bool ofJob = colon > 0 && isDigits(job.sliced(colon + 1)) && name.startsWith("bull:");
    return ofJob && owner.form == OwnerForm::Uuid ? QByteArrayLiteral("Bull") : QByteArray();
}

} // namespace

qsizetype segmentAt(QByteArrayView name, std::string_view text)
{
    const std::string_view whole(name.data(), size_t(name.size()));
    const auto isInWord = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    for (size_t at = whole.find(text); at != whole.npos; at = whole.find(text, at + 1)) {
        if (at == 0 || !isInWord(whole[at - 1]) || !isInWord(whole[at]))
            return qsizetype(at);
    }
    return -1;
}

bool isLockName(const QByteArray& name)
{
    return hasWord(name, wordsIn<"locks">());
}

QByteArray lockPartOf(const QByteArray& name, const QByteArray& value)
{
    for (const Part& part : parts) {
        if (size_t(name.size()) < part.name.size() ||
            (part.atEnd && !QByteArrayView(name).endsWith(QByteArrayView(part.name))))
            continue;
        const qsizetype at = segmentAt(name, part.name);
        if (at >= 0 && (!part.atEnd || at + qsizetype(part.name.size()) == name.size()))
            return part.library;
    }
    return queueOfJobLock(name, value);
}

} // namespace lk
