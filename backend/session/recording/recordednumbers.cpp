// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/recordednumbers.h"

#include "backend/libraries/api/layout.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lk {

namespace {

constexpr auto jobsPrefix = "jobs.";

} // namespace

PrimitivePtr deploymentTotals()
{
    static const PrimitivePtr totals = [] {
        auto primitive = std::make_shared<Primitive>();
        primitive->kind = Kind::Pattern;
        primitive->id = {"lockkeeper", "deployment"};
        primitive->keys = {{"none", "deployment"}};
        return primitive;
    }();
    return totals;
}

std::optional<double> recordedNumber(const State& state, const QByteArray& metric)
{
    if (state.problem)
        return std::nullopt;
    const auto* queue = state.as<QueueState>();
    if (queue && metric.startsWith(jobsPrefix)) {
        for (const JobState& jobs : queue->states) {
            if (jobs.count && jobs.name == metric.mid(qsizetype(std::strlen(jobsPrefix))))
                return double(*jobs.count);
        }
        return std::nullopt;
    }
    for (const Metric& known : metricsOf(*state.primitive)) {
        if (known.id == metric)
            return known.value(state);
    }
    return std::nullopt;
}

QByteArray jobsMetric(const QByteArray& state)
{
    return jobsPrefix + state;
}

double steadyNumber(const QByteArray& metric, double last, double now)
{
    constexpr double share = 0.01;
    constexpr double ownCommands = 5; // per second
    const double own = metric == "server.instantaneous_ops_per_sec" ? ownCommands : 0;
    return std::abs(now - last) <= std::max(share * std::abs(last), own) ? last : now;
}

} // namespace lk
