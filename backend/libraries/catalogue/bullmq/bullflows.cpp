// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/bullmq/bullflows.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>
#include <tuple>

namespace lk {

namespace {

// The positions of the replies to bullFlowReads().
enum First : size_t { PendingCount, Pending, ProcessedCount, IgnoredCount, FailedCount, Failed };

// The fields of a hash are read at once, so only hashes with at most this many are read.
constexpr qint64 mostNames = 1000;

bool areNamed(const Reply& count)
{
    return countOf(count) > 0 && countOf(count) <= mostNames;
}

// <prefix>:<queue>:<id>
std::optional<JobLink> linkTo(const QByteArray& key, JobLink::Relation relation,
                              const QByteArray& state)
{
    const qsizetype colon = key.lastIndexOf(':');
    if (colon <= 0 || colon + 1 == key.size())
        return std::nullopt;
    return JobLink{relation, key.left(colon), key.mid(colon + 1), state};
}

} // namespace

std::vector<Command> bullFlowReads(const QByteArray& stem, const QByteArray& id)
{
    const QByteArray key = stem + ':' + id;
    const QByteArray most = QByteArray::number(mostJobLinks);
    return {{"SCARD", key + ":dependencies"},
            {"SRANDMEMBER", key + ":dependencies", most},
            {"HLEN", key + ":processed"},
            {"HLEN", key + ":failed"},
            {"ZCARD", key + ":unsuccessful"},
            {"ZRANGE", key + ":unsuccessful", "0", QByteArray::number(mostJobLinks - 1)}};
}

std::vector<Command> bullFlowNameReads(const QByteArray& stem, const QByteArray& id,
                                       std::span<const Reply> first)
{
    const QByteArray key = stem + ':' + id;
    std::vector<Command> commands;
    if (areNamed(first[ProcessedCount]))
        commands.push_back({"HKEYS", key + ":processed"});
    if (areNamed(first[IgnoredCount]))
        commands.push_back({"HKEYS", key + ":failed"});
    return commands;
}

void addBullLinks(JobDetail& detail, const QByteArray& parentKey, std::span<const Reply> first,
                  std::span<const Reply> names)
{
    if (auto parent = linkTo(parentKey, JobLink::Relation::Parent, {}))
        detail.links.push_back(std::move(*parent));
    std::vector<JobLink> children;
    // The members of a set or hash have no order.
    const auto add = [&](const Reply& keys, const char* state) {
        const auto before = qsizetype(children.size());
        for (const Reply& key : keys.items) {
            if (auto child = linkTo(key.text, JobLink::Relation::Child, state))
                children.push_back(std::move(*child));
        }
        std::sort(children.begin() + before, children.end(),
                  [](const JobLink& a, const JobLink& b) {
                      return std::tie(a.queue, a.id) < std::tie(b.queue, b.id);
                  });
    };
    add(first[Pending], "pending");
    add(first[Failed], "failed");
    const size_t processed = areNamed(first[ProcessedCount]) ? 1 : 0;
    if (areNamed(first[IgnoredCount]) && processed < names.size())
        add(names[processed], "failed, ignored");
    if (processed > 0 && !names.empty())
        add(names[0], "completed");
    qint64 all = 0;
    for (const First count : {PendingCount, ProcessedCount, IgnoredCount, FailedCount})
        all += countOf(first[count]);
    if (qint64(children.size()) > mostJobLinks)
        children.resize(size_t(mostJobLinks));
    detail.linksLeftOut = std::max<qint64>(0, all - qint64(children.size()));
    detail.links.insert(detail.links.end(), children.begin(), children.end());
}

} // namespace lk
