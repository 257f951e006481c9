// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/catalogue/bullmq/bullflows.h"

#include "backend/libraries/detect/replyvalues.h"

#include <algorithm>
#include <tuple>

namespace lk {

namespace {

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

std::optional<JobLink> bullParentOf(const QByteArray& parentKey)
{
    return linkTo(parentKey, JobLink::Relation::Parent, {});
}

Read<BullChildren> readBullChildren(QByteArray stem, QByteArray id)
{
    const QByteArray key = stem + ':' + id;
    const QByteArray most = QByteArray::number(mostJobLinks);
    std::vector<Command> first{
        Command{"SCARD", key + ":dependencies"},
        Command{"SRANDMEMBER", key + ":dependencies", most},
        Command{"HLEN", key + ":processed"},
        Command{"HLEN", key + ":failed"},
        Command{"ZCARD", key + ":unsuccessful"},
        Command{"ZRANGE", key + ":unsuccessful", "0", QByteArray::number(mostJobLinks - 1)}};
    const std::vector<Reply> replies = co_await ask(std::move(first));
    const Reply& processed = replies[2];
    const Reply& ignored = replies[3];
    std::vector<Command> named;
    if (areNamed(ignored))
        named.push_back({"HKEYS", key + ":failed"});
    if (areNamed(processed))
        named.push_back({"HKEYS", key + ":processed"});
    const std::vector<Reply> names = co_await ask(std::move(named));

    BullChildren children;
    // The members of a set or hash have no order.
    const auto add = [&](const Reply& keys, const char* state) {
        const auto before = qsizetype(children.links.size());
        for (const Reply& child : keys.items) {
            if (auto link = linkTo(child.text, JobLink::Relation::Child, state))
                children.links.push_back(std::move(*link));
        }
        std::sort(children.links.begin() + before, children.links.end(),
                  [](const JobLink& a, const JobLink& b) {
                      return std::tie(a.queue, a.id) < std::tie(b.queue, b.id);
                  });
    };
    add(replies[1], "pending");
    add(replies[5], "failed");
    if (areNamed(ignored))
        add(names.front(), "failed, ignored");
    if (areNamed(processed))
        add(names.back(), "completed");
    const qint64 all =
        countOf(replies[0]) + countOf(processed) + countOf(ignored) + countOf(replies[4]);
    if (qint64(children.links.size()) > mostJobLinks)
        children.links.resize(size_t(mostJobLinks));
    children.leftOut = std::max<qint64>(0, all - qint64(children.links.size()));
    co_return children;
}

} // namespace lk
