// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/derived/agedstate.h"

#include "backend/core/statefields.h"

#include <algorithm>

namespace lk {

namespace {

// Moves the fields of a struct, and of the structs in it, that depend on the time.
template<typename S> void age(S& s, qint64 byMs)
{
    eachField<S>([&]<typename F>(F) {
        auto& value = s.*F::field.member;
        using T = std::remove_reference_t<decltype(value)>;
        if constexpr (HasFields<T>) {
            age(value, byMs);
        } else if constexpr (IsList<T>) {
            if constexpr (HasFields<typename T::value_type>)
                std::for_each(value.begin(), value.end(), [byMs](auto& item) { age(item, byMs); });
        } else if constexpr (F::field.is(Is::Left)) {
            if (value && *value > 0)
                value = std::max<qint64>(0, *value - byMs);
        } else if constexpr (F::field.is(Is::Age)) {
            if (value)
                value = *value + byMs;
        }
    });
}

} // namespace

StatePtr agedState(const StatePtr& state, qint64 nowMs)
{
    const qint64 byMs = nowMs - state->asOfMs;
    if (byMs <= 0)
        return state;
    auto aged = std::make_shared<State>(*state);
    aged->asOfMs = nowMs;
    age(*aged, byMs);
    aged->body.visit([byMs](auto& body) { age(body, byMs); });
    return aged;
}

int driftOf(Kind kind, QByteArrayView metric)
{
    switch (kind) {
    case Kind::Limiter:
        return metric == "retry" || metric == "free" ? -1 : 0;
    case Kind::Lock:
        return metric == "lease" ? -1 : 0;
    case Kind::Queue:
        return metric == "oldest" ? 1 : 0;
    case Kind::Token:
    case Kind::Pattern:
        return metric == "ttl" ? -1 : 0;
    }
    return 0;
}

bool runsWithTime(const State& state)
{
    if (state.ttlMs.value_or(0) > 0 || state.observed.sinceMs > 0)
        return true;
    const auto* queue = state.as<QueueState>();
    return queue && (queue->oldestReadyMs || queue->oldestProcessingMs);
}

} // namespace lk
