// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/undofit.h"

#include "backend/core/clock.h"
#include "backend/libraries/api/keyfingerprint.h"
#include "backend/redis/replies.h"

#include <QSet>

#include <algorithm>
#include <cstdlib>

namespace lk {

namespace {

constexpr size_t mostItems = 50;  // a plan with more is not compared
constexpr size_t restoreArgs = 4; // for each key; see undo-restore.lua

// The place of a plan and the index of its first reply.
struct Compared
{
    size_t place = 0;
    size_t firstReply = 0;
};

bool isRestore(const Plan& plan)
{
    return plan.script == "undo-restore" && plan.args.size() == restoreArgs * plan.keys.size();
}

// Returns the items that a script takes out of its first key, a list; see undo-move.lua and
// queue-discard.lua.
std::vector<QByteArray> itemsOf(const Plan& plan)
{
    const size_t first = plan.script == "undo-move" ? 1 : 0;
    if ((plan.script != "undo-move" && plan.script != "queue-discard") ||
        plan.args.size() <= first || plan.args.size() - first > mostItems || plan.keys.empty())
        return {};
    return {plan.args.begin() + ptrdiff_t(first), plan.args.end()};
}

std::vector<Command> readsFor(const Plan& plan)
{
    std::vector<Command> reads;
    if (isRestore(plan)) {
        for (const QByteArray& key : plan.keys) {
            reads.push_back({"DUMP", key});
            reads.push_back({"PTTL", key});
        }
    }
    for (const QByteArray& item : itemsOf(plan))
        reads.push_back({"LPOS", plan.keys.front(), item});
    return reads;
}

bool isAsLeft(const Reply& dump, const Reply& pttl, const QByteArray& fingerprint, qint64 expiryMs,
              qint64 nowMs)
{
    if (dump.isError() || pttl.isError())
        return true; // not known
    if (!hasFingerprint(dump, fingerprint))
        return false;
    if (pttl.integer < 0 || expiryMs < 0)
        return pttl.integer == expiryMs; // -1: no TTL, -2: not there
    return std::abs(nowMs + pttl.integer - expiryMs) <= expiryToleranceMs;
}

bool fits(const Plan& plan, std::span<const Reply> replies, qint64 nowMs)
{
    if (isRestore(plan)) {
        for (size_t i = 0; i < plan.keys.size(); ++i) {
            if (!isAsLeft(replies[2 * i], replies[2 * i + 1], plan.args[restoreArgs * i + 2],
                          plan.args[restoreArgs * i + 3].toLongLong(), nowMs))
                return false;
        }
        return true;
    }
    return std::any_of(replies.begin(), replies.end(),
                       [](const Reply& reply) { return !reply.isNil(); }); // not known on error
}

} // namespace

Task<Result<std::vector<size_t>>> findUnfitUndos(Link& connection, std::vector<Plan> plans,
                                                 ServerClock clock, const Clock& local,
                                                 QObject* context)
{
    std::vector<Compared> compared;
    std::vector<Command> reads;
    QSet<QByteArray> touched;
    for (size_t i = 0; i < plans.size(); ++i) {
        const Plan& plan = plans[i];
        const bool first =
            std::none_of(plan.keys.begin(), plan.keys.end(),
                         [&](const QByteArray& key) { return touched.contains(key); });
        touched.unite(QSet<QByteArray>(plan.keys.begin(), plan.keys.end()));
        const std::vector<Command> its = first ? readsFor(plan) : std::vector<Command>();
        if (its.empty())
            continue;
        compared.push_back({i, reads.size()});
        reads.insert(reads.end(), its.begin(), its.end());
    }
    std::vector<size_t> unfit;
    if (reads.empty()) {
        co_await nextTurn(context);
        co_return unfit;
    }
    const BatchResult result = co_await replies(connection, reads, context);
    if (!result)
        co_return tl::unexpected<Error>(result.error());
    const qint64 nowMs = clock.serverMs(local.nowMs());
    for (size_t i = 0; i < compared.size(); ++i) {
        const size_t end = i + 1 < compared.size() ? compared[i + 1].firstReply : result->size();
        const std::span<const Reply> its(result->data() + compared[i].firstReply,
                                         end - compared[i].firstReply);
        if (!fits(plans[compared[i].place], its, nowMs))
            unfit.push_back(compared[i].place);
    }
    co_return unfit;
}

} // namespace lk
