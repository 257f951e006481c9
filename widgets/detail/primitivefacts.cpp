// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/primitivefacts.h"

#include "backend/core/duration.h"
#include "backend/core/keyname.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::PrimitiveFacts)
};

constexpr size_t mostKeys = 8;

// The roles in their order; the keys of one role by name: they were found in any order.
std::vector<KeyRole> keysInOrder(std::vector<KeyRole> keys)
{
    QHash<QByteArray, int> roles;
    for (const KeyRole& key : keys) {
        if (!roles.contains(key.role))
            roles.insert(key.role, int(roles.size()));
    }
    std::sort(keys.begin(), keys.end(), [&](const KeyRole& a, const KeyRole& b) {
        return std::pair(roles.value(a.role), a.key) < std::pair(roles.value(b.role), b.key);
    });
    return keys;
}

} // namespace

std::vector<FactGrid::Row> primitiveFacts(const State& state)
{
    std::vector<FactGrid::Row> rows;
    for (const Fact& fact : state.facts) {
        const QString value = fact.source == Source::Stored
                                  ? fact.value
                                  : QStringLiteral("%1 (%2)").arg(fact.value, sourceText(fact.source));
        rows.push_back({fact.label, value, false});
    }
    const std::vector<KeyRole> keys = keysInOrder(state.primitive->keys);
    for (size_t i = 0; i < std::min(keys.size(), mostKeys); ++i) {
        rows.push_back({Text::tr("Key, %1").arg(QString::fromLatin1(keys[i].role)),
                        displayName(keys[i].key), true});
    }
    if (keys.size() > mostKeys) {
        rows.push_back({Text::tr("Keys"),
                        Text::tr("and %Ln more", nullptr, int(keys.size() - mostKeys)), false});
    }
    if (state.present) {
        rows.push_back({Text::tr("TTL"),
                        state.ttlMs ? formatDuration(*state.ttlMs)
                                    : Text::tr("none: the key does not expire"),
                        false});
    } else if (!state.problem) {
        rows.push_back({Text::tr("Keys in Redis"), Text::tr("none at the moment"), false});
    }
    if (state.observed.firstSeenMs > 0) {
        rows.push_back({Text::tr("Watched for"),
                        formatDuration(state.asOfMs - state.observed.firstSeenMs), false});
    }
    return rows;
}

} // namespace lk
