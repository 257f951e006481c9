// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/recording/recordednumbers.h"

#include "backend/layouts/layout.h"

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

} // namespace lk
