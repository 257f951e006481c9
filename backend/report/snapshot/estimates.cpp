// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/estimates.h"

#include "backend/session/board/boardgroups.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <map>

namespace lk {

namespace {

constexpr size_t mostPrefixes = 40;
constexpr double z = 1.959964; // of 95 %

struct Share
{
    Kind kind = Kind::Limiter;
    qint64 seen = 0;
    double weight = 0;
};

using Shares = std::map<std::pair<QByteArray, QByteArray>, Share>; // by layout and prefix

std::vector<Estimate> estimatesFrom(const Shares& shares, const ScanCounts& scan)
{
    std::vector<Estimate> all;
    for (const auto& [name, share] : shares) {
        Estimate estimate{share.kind, name.first, name.second, share.seen};
        setBounds(estimate, share.weight, scan.scanned, std::max(scan.scanned, scan.expected));
        all.push_back(std::move(estimate));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Estimate& a, const Estimate& b) { return a.likely > b.likely; });
    return all;
}

} // namespace

bool isSample(const Snapshot& snapshot)
{
    const std::vector<Missing>& missing = snapshot.scan.missing;
    return snapshot.scan.scanned > 0 &&
           std::any_of(missing.begin(), missing.end(),
                       [](const Missing& m) { return m.cause == Missing::Cause::Stopped; });
}

void setBounds(Estimate& estimate, double count, qint64 sampled, qint64 total)
{
    const auto n = double(sampled);
    const auto all = double(total);
    if (sampled <= 0)
        return;
    const double p = std::min(1.0, count / n);
    // Nothing is left to chance once all are seen.
    const double unseen = total > 1 ? std::sqrt(std::max(0.0, (all - n) / (all - 1))) : 0;
    const double scale = 1 + z * z / n;
    const double centre = (p + z * z / (2 * n)) / scale;
    const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
    estimate.likely = std::llround(p * all);
    const double low = p - (p - std::max(0.0, centre - half)) * unseen;
    const double high = p + (std::min(1.0, centre + half) - p) * unseen;
    const auto least = qint64(std::floor(count));
    const auto most = qint64(std::ceil(count)) + (total - sampled);
    estimate.low = std::clamp<qint64>(std::llround(std::floor(low * all)), least, most);
    estimate.high = std::clamp<qint64>(std::llround(std::ceil(high * all)), least, most);
}

Estimates estimatesOf(const ScanCounts& scan, const StateSequence& states)
{
    Shares layouts;
    Shares prefixes;
    for (size_t at = 0; at < states.size(); ++at) {
        const Primitive& primitive = states.primitive(at);
        const auto keys = std::count_if(primitive.keys.begin(), primitive.keys.end(),
                                        [](const KeyRole& key) { return !key.assumed; });
        const double weight = 1.0 / double(std::max<qint64>(1, keys));
        const QByteArray prefix = prefixOf(primitive.kind, primitive.id.name);
        for (Share* share :
             {&layouts[{primitive.id.layout, {}}], &prefixes[{primitive.id.layout, prefix}]}) {
            share->kind = primitive.kind;
            ++share->seen;
            share->weight += weight;
        }
    }
    Estimates estimates{estimatesFrom(layouts, scan), estimatesFrom(prefixes, scan)};
    if (estimates.prefixes.size() > mostPrefixes)
        estimates.prefixes.resize(mostPrefixes);
    return estimates;
}

} // namespace lk
