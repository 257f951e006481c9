// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/workers/namedworkers.h"

#include "backend/libraries/api/layout.h"

#include <algorithm>

namespace lk {

namespace {

constexpr size_t mostWorkers = 1000; // of one queue

QByteArray hostOf(const QByteArray& address)
{
    const qsizetype colon = address.lastIndexOf(':');
    return colon > 0 ? address.left(colon) : address;
}

} // namespace

bool hasNamedWorkers(const State& state)
{
    const Layout* layout = findLayout(state.primitive->id.layout);
    return layout && layout->namesWorkers() && state.as<QueueState>() && !state.problem;
}

void takeNamedWorkers(State& state, const std::vector<ClientEntry>& clients)
{
    auto* queue = state.body.find<QueueState>();
    const Layout* layout = findLayout(state.primitive->id.layout);
    if (!queue || !layout)
        return;
    std::vector<QueueWorker> workers;
    for (const ClientEntry& client : clients) {
        const std::optional<QByteArray> name =
            layout->workerOfClient(*state.primitive, client.name);
        if (!name || workers.size() >= mostWorkers)
            continue;
        QueueWorker worker;
        worker.name = name->isEmpty() ? client.address : *name;
        worker.host = hostOf(client.address);
        worker.alive = true;
        // The jobs of a nameless worker cannot be distinguished from those of others.
        if (!name->isEmpty()) {
            worker.jobs =
                std::count_if(queue->items.begin(), queue->items.end(),
                              [&](const QueueJob& item) { return item.facts.worker == *name; });
        }
        workers.push_back(std::move(worker));
    }
    const bool nameless = std::any_of(workers.begin(), workers.end(),
                                      [](const QueueWorker& worker) { return !worker.jobs; });
    for (const QueueWorker& worker : queue->workers) {
        const bool listed = std::any_of(workers.begin(), workers.end(), [&](const QueueWorker& w) {
            return w.name == worker.name;
        });
        // A lock's token may belong to a nameless worker, which is already in the list.
        if (!listed && worker.alive != false && !nameless)
            workers.push_back(worker);
    }
    queue->workers = std::move(workers);
    queue->workersKnown = true;
}

} // namespace lk
