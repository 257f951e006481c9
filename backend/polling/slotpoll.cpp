// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/slotpoll.h"

#include "backend/redis/server/capabilities.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lk {

namespace {

// More than are shown: slots that were busy long ago may have more total CPU time than slots that
// are busy now.
constexpr int slotsPerNode = 50;
constexpr size_t maxShown = 10;
constexpr int cpuRetryRounds = 6; // by keys: counting may have been turned on since

std::optional<qint64>* fieldOf(SlotLoad& load, const QByteArray& metric)
{
    if (metric == "key-count")
        return &load.keys;
    if (metric == "cpu-usec")
        return &load.cpuUsec;
    if (metric == "memory-bytes")
        return &load.memoryBytes;
    if (metric == "network-bytes-in")
        return &load.bytesIn;
    if (metric == "network-bytes-out")
        return &load.bytesOut;
    return nullptr;
}

} // namespace

SlotPoll::SlotPoll(Router& router, const Clock& clock, QObject* parent)
    : QObject(parent)
    , m_router(router)
    , m_clock(clock)
{}

// [[866, ["key-count", 3, "cpu-usec", 120, ...]], ...]
std::vector<SlotLoad> SlotPoll::fromReply(const Reply& stats)
{
    std::vector<SlotLoad> entries;
    for (const Reply& entry : stats.items) {
        if (entry.items.size() < 2 || !entry.items[0].isInteger() || entry.items[0].integer < 0 ||
            entry.items[0].integer >= clusterSlots)
            continue;
        SlotLoad load;
        load.slot = int(entry.items[0].integer);
        const std::vector<Reply>& metrics = entry.items[1].items;
        for (size_t i = 0; i + 1 < metrics.size(); i += 2) {
            std::optional<qint64>* field = fieldOf(load, metrics[i].text.toLower());
            if (field && metrics[i + 1].isInteger())
                *field = metrics[i + 1].integer;
        }
        entries.push_back(load);
    }
    return entries;
}

void SlotPoll::ask()
{
    if (!m_router.map())
        return;
    for (NodeLink* node : m_router.nodes()) {
        const QString& endpoint = node->endpoint();
        if (!node->isReady() || m_refused.contains(endpoint) ||
            supportOf(serverVersion(node->greeting()), Feature::SlotStats) != Support::Yes)
            continue;
        Answer& answer = m_answers[endpoint];
        const bool byKeys = answer.order == Order::Keys && ++answer.roundsByKeys < cpuRetryRounds;
        request(*node, byKeys ? Order::Keys : Order::Cpu);
    }
}

void SlotPoll::request(NodeLink& node, Order order)
{
    const Command command{"CLUSTER", "SLOT-STATS",
                          "ORDERBY", order == Order::Cpu ? "CPU-USEC" : "KEY-COUNT",
                          "LIMIT",   QByteArray::number(slotsPerNode),
                          "DESC"};
    node.send({command}, this,
              [this, &node, endpoint = node.endpoint(), order](const BatchResult& result) {
                  if (!result)
                      return;
                  const Reply& stats = result->front();
                  if (!stats.isError())
                      return take(endpoint, order, stats);
                  const ErrorCode code = errorFromReply(stats.text).code;
                  if (code == ErrorCode::NodeDown)
                      return;
                  if (order == Order::Cpu && code != ErrorCode::NoPerm)
                      return request(node, Order::Keys); // CPU time is not counted
                  m_refused.insert(endpoint);
                  m_answers.remove(endpoint);
              });
}

void SlotPoll::take(const QString& endpoint, Order order, const Reply& stats)
{
    Answer& answer = m_answers[endpoint];
    const qint64 nowMs = m_clock.nowMs();
    const double elapsedUsec = double(nowMs - answer.atMs) * 1000.0;
    std::map<int, qint64> before;
    for (const SlotLoad& load : answer.entries) {
        if (load.cpuUsec)
            before[load.slot] = *load.cpuUsec;
    }
    std::vector<SlotLoad> entries = fromReply(stats);
    for (SlotLoad& load : entries) {
        load.node = endpoint;
        const auto last = before.find(load.slot);
        // A smaller value than before means that the counter was reset.
        if (load.cpuUsec && last != before.end() && elapsedUsec > 0 &&
            *load.cpuUsec >= last->second)
            load.cpuShare = double(*load.cpuUsec - last->second) / elapsedUsec;
    }
    answer.roundsByKeys =
        order == Order::Keys && answer.order == Order::Keys ? answer.roundsByKeys : 0;
    answer.entries = std::move(entries);
    answer.atMs = nowMs;
    answer.order = order;
}

SlotLoads SlotPoll::loads() const
{
    // Two nodes may report a slot that has just moved.
    std::map<int, std::pair<qint64, SlotLoad>> bySlot;
    bool counted = false;
    for (const NodeLink* node : m_router.nodes()) {
        const auto answer = m_answers.constFind(node->endpoint());
        if (!node->isReady() || answer == m_answers.cend())
            continue;
        for (const SlotLoad& load : answer->entries) {
            auto& known = bySlot[load.slot];
            if (answer->atMs >= known.first)
                known = {answer->atMs, load};
            counted = counted || load.cpuUsec;
        }
    }
    SlotLoads loads;
    for (auto& [slot, load] : bySlot) {
        if ((counted ? load.second.cpuUsec : load.second.keys).value_or(0) > 0)
            loads.busiest.push_back(std::move(load.second));
    }
    const auto rank = [counted](const SlotLoad& load) {
        return std::tuple(counted ? load.cpuShare.value_or(0) : 0.0,
                          (counted ? load.cpuUsec : load.keys).value_or(0), -load.slot);
    };
    std::sort(loads.busiest.begin(), loads.busiest.end(),
              [&](const SlotLoad& a, const SlotLoad& b) { return rank(a) > rank(b); });
    if (loads.busiest.size() > maxShown)
        loads.busiest.resize(maxShown);
    loads.byKeys = !counted && !loads.busiest.empty();
    return loads;
}

} // namespace lk
