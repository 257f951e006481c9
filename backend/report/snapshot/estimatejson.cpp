// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/estimatejson.h"

#include "backend/core/json/jsontext.h"
#include "backend/core/names/keyname.h"
#include "backend/report/snapshot/estimates.h"
#include "backend/report/snapshot/extremes.h"

namespace lk {

namespace {

void addExtremes(JsonObject& to, const Extremes& extremes, Codes codes)
{
    const auto named = [codes](const State& state) {
        JsonObject o;
        o.add("kind", kindId(state.kind()));
        o.add("name", exactKey(nameKind(*state.primitive), state.primitive->name(), codes));
        o.add("layout", state.primitive->id.layout);
        return o;
    };
    QByteArrayList fullest;
    for (const Extremes::Full& one : extremes.fullest) {
        JsonObject o = named(*one.state);
        o.add("used", one.used);
        o.add("limit", one.limit);
        fullest << o.text();
    }
    QByteArrayList oldest;
    for (const Extremes::Old& one : extremes.oldest) {
        JsonObject o = named(*one.state);
        o.add("age_ms", one.ageMs);
        oldest << o.text();
    }
    to.addJson("fullest", '[' + fullest.join(",\n") + ']');
    to.addJson("oldest", '[' + oldest.join(",\n") + ']');
}

} // namespace

QByteArray estimatesJson(const ScanCounts& scan, const StateSequence& states, Codes codes)
{
    const auto array = [](const std::vector<Estimate>& estimates, bool prefixes) {
        QByteArrayList all;
        for (const Estimate& estimate : estimates) {
            JsonObject o;
            o.add("kind", kindId(estimate.kind));
            o.add("layout", estimate.layout);
            if (prefixes)
                o.add("prefix", exactName(estimate.prefix));
            o.add("seen", estimate.seen);
            o.add("low", estimate.low);
            o.add("likely", estimate.likely);
            o.add("high", estimate.high);
            all << o.text();
        }
        return '[' + all.join(",\n") + ']';
    };
    const Estimates estimates = estimatesOf(scan, states);
    JsonObject o;
    o.add("keys", std::max(scan.expected, scan.scanned));
    o.add("sampled", scan.scanned);
    o.add("confidence", 0.95);
    o.addJson("layouts", array(estimates.layouts, false));
    o.addJson("prefixes", array(estimates.prefixes, true));
    addExtremes(o, extremesOf(states), codes);
    return o.text();
}

} // namespace lk
