// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/primitivefacts.h"

#include "backend/core/names/keyname.h"
#include "backend/libraries/api/layout.h"
#include "backend/redis/topology/keyslot.h"
#include "backend/text/kindtitles.h"
#include "backend/text/time/duration.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <set>
#include <tuple>

namespace lk {

namespace {

struct PrimitiveFactsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::PrimitiveFacts)
};

constexpr size_t mostKeys = 8;

// Returns the first keys: the roles in their order, the keys of one role by name, because they are
// found in any order. The part of a role behind a colon names its owner.
std::vector<const KeyRole*> firstKeys(const std::vector<KeyRole>& keys)
{
    using Placed = std::pair<qsizetype, const KeyRole*>;
    QHash<QByteArrayView, qsizetype> roles;
    std::vector<Placed> placed;
    for (const KeyRole& key : keys) {
        const QByteArray& whole = key.role;
        const qsizetype end = whole.indexOf(':');
        const QByteArrayView role = QByteArrayView(whole).first(end < 0 ? whole.size() : end);
        const auto known = roles.constFind(role);
        const qsizetype place = known != roles.cend() ? *known : roles.size();
        roles.insert(role, place);
        placed.emplace_back(place, &key);
    }
    const auto end = placed.begin() + qsizetype(std::min(placed.size(), mostKeys));
    std::partial_sort(placed.begin(), end, placed.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.first, a.second->key) < std::tie(b.first, b.second->key);
    });
    std::vector<const KeyRole*> first;
    for (auto it = placed.begin(); it != end; ++it)
        first.push_back(it->second);
    return first;
}

} // namespace

QString clusterPlace(const std::vector<KeyRole>& keys, const ClusterMap& map)
{
    std::set<int> slots_;
    for (const KeyRole& key : keys)
        slots_.insert(keySlot(key.key));
    if (slots_.empty())
        return {};
    if (slots_.size() > 1)
        return PrimitiveFactsText::tr("its keys are in %Ln slots", nullptr, int(slots_.size()));
    const ClusterMap::Node* owner = map.ownerOf(*slots_.begin());
    return PrimitiveFactsText::tr("%1 on %2")
        .arg(*slots_.begin())
        .arg(owner ? owner->endpoint : PrimitiveFactsText::tr("no node"));
}

std::vector<FactGrid::Row> primitiveFacts(const State& state, const std::optional<ClusterMap>& map,
                                          Codes codes)
{
    std::vector<FactGrid::Row> rows;
    for (const Fact& fact : state.facts) {
        const QString value =
            fact.source == Source::Stored
                ? fact.value
                : QStringLiteral("%1 (%2)").arg(fact.value, sourceText(fact.source));
        rows.push_back({fact.label, value, false});
    }
    for (const Column& column : ownColumns(*state.primitive))
        rows.push_back({title(column), column.text(state), false});
    const std::vector<KeyRole>& keys = state.primitive->keys;
    for (const KeyRole* key : firstKeys(keys)) {
        rows.push_back({PrimitiveFactsText::tr("Key, %1").arg(displayName(key->role)),
                        shownKey(nameKind(*state.primitive), key->key, codes), true});
    }
    if (keys.size() > mostKeys) {
        rows.push_back(
            {PrimitiveFactsText::tr("Keys"),
             PrimitiveFactsText::tr("and %Ln more", nullptr, int(keys.size() - mostKeys)), false});
    }
    if (const QString place = map ? clusterPlace(keys, *map) : QString(); !place.isEmpty())
        rows.push_back({PrimitiveFactsText::tr("Cluster slot"), place, false});
    if (state.present) {
        rows.push_back(
            {PrimitiveFactsText::tr("TTL"),
             state.ttlMs ? formatDuration(*state.ttlMs) : PrimitiveFactsText::tr("no TTL"), false});
    } else if (!state.problem) {
        rows.push_back({PrimitiveFactsText::tr("Keys in Redis"),
                        PrimitiveFactsText::tr("none at the moment"), false});
    }
    if (state.observed.firstSeenMs > 0) {
        rows.push_back({PrimitiveFactsText::tr("Observed for"),
                        formatDuration(state.asOfMs - state.observed.firstSeenMs), false});
    }
    return rows;
}

} // namespace lk
