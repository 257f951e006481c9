// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/polling/freshstates.h"

#include "backend/polling/reader.h"

namespace lk {

namespace {

constexpr size_t batch = 128; // primitives

} // namespace

Task<FreshStates> readFreshStates(Link& connection, std::vector<PrimitivePtr> primitives,
                                  FirstSeen& firstSeen, ServerClock clock, const Clock& local,
                                  QObject* context)
{
    FreshStates states(primitives.size());
    co_await nextTurn(context);
    for (size_t next = 0; next < primitives.size();) {
        std::vector<ReadRequest> requests;
        for (; next < primitives.size() && requests.size() < batch; ++next) {
            ReadRequest& request = requests.emplace_back();
            request.handle = Handle(quint32(next));
            request.primitive = primitives[next];
            request.depth = Depth::Detail;
        }
        ReadRound round = co_await Awaited<ReadRound>([&](auto then) {
            readPrimitives(connection, std::move(requests), clock, local, context, then);
        });
        for (ReadOutcome& outcome : round.outcomes) {
            firstSeen.apply(outcome.state);
            states[outcome.handle.index] = std::make_shared<const State>(std::move(outcome.state));
        }
    }
    co_return states;
}

} // namespace lk
