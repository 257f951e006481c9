// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/freshstates.h"

#include "backend/polling/reader.h"

namespace lk {

namespace {

constexpr size_t batch = 128; // primitives

struct FreshRead
{
    Link& connection;
    FirstSeen& firstSeen;
    ServerClock clock;
    const Clock& local;
    QObject* context;
    std::vector<PrimitivePtr> primitives;
    FreshStates states;
    std::function<void(const FreshStates&)> handler;
    size_t next = 0;
};
using FreshReadPtr = std::shared_ptr<FreshRead>;

void readNext(const FreshReadPtr& reading);

void read(const FreshReadPtr& reading, std::vector<ReadRequest> requests)
{
    readPrimitives(reading->connection, std::move(requests), reading->clock, reading->local,
                   reading->context, [reading](ReadRound round) {
                       for (ReadOutcome& outcome : round.outcomes) {
                           reading->firstSeen.apply(outcome.state);
                           reading->states[outcome.handle.index] =
                               std::make_shared<const State>(std::move(outcome.state));
                       }
                       readNext(reading);
                   });
}

void readNext(const FreshReadPtr& reading)
{
    std::vector<ReadRequest> requests;
    for (; reading->next < reading->primitives.size() && requests.size() < batch; ++reading->next) {
        ReadRequest request;
        request.handle = Handle(quint32(reading->next));
        request.primitive = reading->primitives[reading->next];
        request.depth = Depth::Detail;
        requests.push_back(std::move(request));
    }
    if (requests.empty())
        reading->handler(reading->states);
    else
        read(reading, std::move(requests));
}

} // namespace

void readFreshStates(Link& connection, std::vector<PrimitivePtr> primitives, FirstSeen& firstSeen,
                     const ServerClock& clock, const Clock& local, QObject* context,
                     std::function<void(const FreshStates&)> handler)
{
    const auto reading = std::make_shared<FreshRead>(FreshRead{connection,
                                                               firstSeen,
                                                               clock,
                                                               local,
                                                               context,
                                                               std::move(primitives),
                                                               {},
                                                               std::move(handler)});
    reading->states.resize(reading->primitives.size());
    QMetaObject::invokeMethod(
        context, [reading] { readNext(reading); }, Qt::QueuedConnection);
}

} // namespace lk
