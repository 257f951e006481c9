// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/sidekiq/sidekiqnames.h"

#include "backend/libraries/detect/valueshape.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lk {

namespace {

using namespace std::string_view_literals;

constexpr std::array sharedParts{"schedule"sv, "retry"sv,     "dead"sv,      "interrupted"sv,
                                 "queues"sv,   "processes"sv, "cron_jobs"sv, "super_processes"sv};

bool isDigits(QByteArrayView text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isNonce(QByteArrayView text)
{
    return text.size() == 12 && isHex(text);
}

// Returns where host:pid:nonce begins at the end of the text, or -1. The host has no colon.
qsizetype processAt(QByteArrayView text)
{
    const qsizetype nonce = text.lastIndexOf(':');
    const qsizetype pid = nonce <= 0 ? -1 : text.lastIndexOf(':', nonce - 1);
    if (pid <= 0 || !isNonce(text.sliced(nonce + 1)) ||
        !isDigits(text.sliced(pid + 1, nonce - pid - 1)))
        return -1;
    return text.lastIndexOf(':', pid - 1) + 1;
}

// "queue" at the beginning of a segment.
qsizetype segmentAt(const QByteArray& name, std::string_view wanted)
{
    const std::string_view text(name.constData(), size_t(name.size()));
    size_t at = text.find(wanted);
    while (at != text.npos && at > 0 && text[at - 1] != ':')
        at = text.find(wanted, at + 1);
    return at == text.npos ? -1 : qsizetype(at);
}

// <queue>:<host>:<pid>, and since 0.6 :<nonce>.
SidekiqName workingOf(const QByteArray& space, const QByteArray& rest)
{
    qsizetype host = processAt(rest);
    if (host < 0) {
        const qsizetype pid = rest.lastIndexOf(':');
        if (pid <= 0 || !isDigits(QByteArrayView(rest).sliced(pid + 1)))
            return {};
        host = rest.lastIndexOf(':', pid - 1) + 1;
    }
    if (host <= 1)
        return {};
    return {true, space, "working", rest.left(host - 1), rest.mid(host)};
}

// sq_<host>:<pid>:<nonce>_<queue>: host and queue may contain underscores, so the first end of the
// name that is a process separates them.
SidekiqName formerPrivateOf(const QByteArray& space, const QByteArray& rest)
{
    for (qsizetype end = rest.indexOf('_', 3); end > 0; end = rest.indexOf('_', end + 1)) {
        const QByteArray process = rest.mid(3, end - 3);
        if (processAt(process) == 0 && end + 1 < rest.size())
            return {true, space, "working", rest.mid(end + 1), process, true};
    }
    return {};
}

SidekiqName queueOf(const QByteArray& space, const QByteArray& rest)
{
    if (rest.startsWith("sq|")) {
        const qsizetype bar = rest.indexOf('|', 3);
        if (bar < 0)
            return {};
        return {true, space, "working", rest.mid(bar + 1), rest.mid(3, bar - 3), true};
    }
    if (rest.startsWith("sq_")) {
        if (const SidekiqName name = formerPrivateOf(space, rest); name.known)
            return name;
    }
    return rest.isEmpty() ? SidekiqName() : SidekiqName{true, space, "queue", rest, {}};
}

SidekiqName processOf(const QByteArray& name)
{
    QByteArrayView base = name;
    const char* part = "process";
    for (const QByteArrayView ending : {":workers", ":work"}) {
        if (base.endsWith(ending)) {
            base.chop(ending.size());
            part = "work";
        }
    }
    if (base.endsWith("-signals")) {
        base.chop(8);
        part = "other";
    }
    const qsizetype at = processAt(base);
    return at < 0
               ? SidekiqName()
               : SidekiqName{
                     true, base.first(at).toByteArray(), part, {}, base.sliced(at).toByteArray()};
}

} // namespace

SidekiqName sidekiqNameOf(const QByteArray& name)
{
    const qsizetype queue = segmentAt(name, "queue:"); // also in a name that has "working:queue:"
    if (queue >= 0) {
        if (const qsizetype at = segmentAt(name, "working:queue:"); at >= 0)
            return workingOf(name.left(at), name.mid(at + 14));
    }
    if (const SidekiqName process = processOf(name); process.known)
        return process;
    if (queue >= 0)
        return queueOf(name.left(queue), name.mid(queue + 6));
    const qsizetype last = name.lastIndexOf(':') + 1;
    const std::string_view tail(name.constData() + last, size_t(name.size() - last));
    for (const std::string_view part : sharedParts) {
        if (tail == part)
            return {true, name.left(last), QByteArrayView(part).toByteArray(), {}, {}};
    }
    for (const std::string_view start :
         {"reliable-fetcher-"sv, "stat:processed"sv, "stat:failed"sv, "cron_job:"sv}) {
        if (const qsizetype at = segmentAt(name, start); at >= 0)
            return {true, name.left(at), "other", {}, {}};
    }
    return {};
}

std::vector<QByteArray> sidekiqNameParts(KeyType type)
{
    std::vector<QByteArray> parts{"reliable-fetcher-", "cron_job:"};
    switch (type) {
    case KeyType::String:
        return parts;
    case KeyType::Set:
    case KeyType::ZSet:
        std::transform(sharedParts.begin(), sharedParts.end(), std::back_inserter(parts),
                       [](std::string_view part) { return QByteArrayView(part).toByteArray(); });
        return parts;
    default: // queues and processes may have any name
        return {};
    }
}

QByteArray sidekiqQueueKey(const QByteArray& space, const QByteArray& queue)
{
    return space + "queue:" + queue;
}

QByteArray sidekiqHeartbeatKey(const SidekiqName& working)
{
    if (working.part != "working" || working.process.isEmpty())
        return {};
    if (working.superFetch)
        return working.space + working.process;
    QByteArray process = working.process;
    return working.space + "reliable-fetcher-heartbeat-" + process.replace(':', '-');
}

} // namespace lk
