// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/rq/rqnames.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lk {

namespace {

using namespace std::string_view_literals;

// The parts that precede a queue's name, and those that precede the id of a job or worker.
constexpr std::array ofQueue{
    "queue"sv,    "wip"sv,   "scheduled"sv, "deferred"sv,       "finished"sv,        "failed"sv,
    "canceled"sv, "ready"sv, "workers"sv,   "scheduler-lock"sv, "clean_registries"sv};
constexpr std::array ofOthers{"job"sv, "worker"sv, "results"sv, "executions"sv, "execution"sv};
constexpr std::array alone{"queues"sv, "workers"sv, "suspended"sv};

template<size_t N> bool isOneOf(QByteArrayView word, const std::array<std::string_view, N>& words)
{
    return std::find(words.begin(), words.end(),
                     std::string_view(word.data(), size_t(word.size()))) != words.end();
}

bool mayEndPrefix(char c)
{
    return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}

RqName partOf(const QByteArray& stem, const QByteArray& rest)
{
    const qsizetype colon = rest.indexOf(':');
    const QByteArray part = colon < 0 ? rest : rest.left(colon);
    const QByteArray tail = colon < 0 ? QByteArray() : rest.mid(colon + 1);
    if (tail.isEmpty())
        return isOneOf(part, alone) ? RqName{stem, part, {}, {}} : RqName();
    if (isOneOf(part, ofOthers))
        return {stem, part, {}, tail};
    if (!isOneOf(part, ofQueue))
        return {};
    // A list through which a worker moves jobs, and the keys for the times they were first seen.
    if (const qsizetype at = tail.indexOf(":intermediate"); part == "queue" && at > 0)
        return {stem, "intermediate", tail.left(at), tail.mid(at + 13)};
    return {stem, part, tail, {}};
}

} // namespace

RqName rqNameOf(const QByteArray& name)
{
    for (qsizetype at = name.indexOf("rq:"); at >= 0; at = name.indexOf("rq:", at + 1)) {
        if (at > 0 && !mayEndPrefix(name[at - 1]))
            continue;
        if (RqName found = partOf(name.left(at + 3), name.mid(at + 3)); !found.stem.isEmpty())
            return found;
    }
    return {};
}

QByteArray rqQueueKey(const QByteArray& stem, const QByteArray& queue)
{
    return stem + "queue:" + queue;
}

QByteArray rqJobKey(const QByteArray& stem, const QByteArray& id)
{
    return stem + "job:" + id;
}

QByteArray rqJobIdOf(const QByteArray& member)
{
    const qsizetype colon = member.indexOf(':');
    return colon > 0 ? member.left(colon) : member;
}

} // namespace lk
