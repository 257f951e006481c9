// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/board/boardgroups.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/layout.h"
#include "backend/text/columns/column.h"
#include "backend/text/statewords.h"

#include <QCoreApplication>
#include <QCryptographicHash>

#include <algorithm>
#include <numeric>

namespace lk {

namespace {

struct GroupText
{
    Q_DECLARE_TR_FUNCTIONS(lk::BoardGroups)
};

constexpr quint32 headerGeneration = ~0U; // no primitive has it
constexpr qsizetype digestLength = 12;
constexpr qsizetype spareKnown = 1000;

const Column* ownerColumn(Kind kind)
{
    for (const Column& column : columns(kind)) {
        if (qstrcmp(column.id, "owner") == 0)
            return &column;
    }
    return nullptr;
}

// Returns the property that defines the group. Empty if there is none, as for a name without a
// prefix.
QByteArray keyOf(const KeptState& kept, BoardGrouping grouping, const Column* owner)
{
    const Primitive& primitive = *kept.primitive();
    switch (grouping) {
    case BoardGrouping::Layout:
        return primitive.id.layout;
    case BoardGrouping::Prefix:
        return prefixOf(primitive.kind, primitive.id.name);
    case BoardGrouping::Owner: {
        const StatePtr state = kept.state();
        const auto* lock = state->as<LockState>();
        const bool owned = lock && (lock->ownerKnown || lock->holdersTotal > 1);
        return owner && owned ? owner->text(*state).toUtf8() : QByteArray();
    }
    case BoardGrouping::None:
        break;
    }
    return {};
}

QString titleOf(const QByteArray& key, BoardGrouping grouping)
{
    if (key.isEmpty())
        return grouping == BoardGrouping::Owner ? GroupText::tr("No owner")
                                                : GroupText::tr("No prefix");
    if (grouping == BoardGrouping::Layout)
        return layoutTitle(key);
    return grouping == BoardGrouping::Owner ? QString::fromUtf8(key) : displayName(key);
}

} // namespace

bool canGroupBy(Kind kind, BoardGrouping grouping)
{
    return grouping != BoardGrouping::Owner || ownerColumn(kind);
}

QByteArray prefixOf(Kind kind, const QByteArray& key)
{
    const qsizetype told = kind == Kind::Token ? codeStart(key) : key.size();
    for (const char separator : {':', '/', '.'}) {
        const qsizetype at = key.indexOf(separator);
        if (at >= 0 && at < told)
            return key.left(at + 1);
    }
    return kind == Kind::Token ? key.left(told) : QByteArray();
}

const BoardGroups::Known& BoardGroups::known(const QByteArray& key)
{
    const auto it = m_known.constFind(key);
    if (it != m_known.cend())
        return *it;
    const QByteArray digest = QCryptographicHash::hash(key, QCryptographicHash::Sha256).toHex();
    return *m_known.insert(key,
                           {Handle(++m_lastHeader, headerGeneration), digest.left(digestLength)});
}

// Bounds the known groups, as owners come and go all day.
void BoardGroups::forgetOthers(const QHash<QByteArray, int>& live)
{
    if (m_known.size() <= 2 * live.size() + spareKnown)
        return;
    m_known.removeIf([&](const auto& one) { return !live.contains(one.key()); });
}

void BoardGroups::arrange(BoardRows& rows, const RowStates& states)
{
    rows.groups = std::make_shared<const std::vector<BoardGroup>>();
    rows.rows = rows.all;
    const BoardGrouping grouping = rows.query.grouping;
    if (grouping == BoardGrouping::None || rows.all->empty())
        return;
    const Column* owner = ownerColumn(rows.query.kind);
    QHash<QByteArray, int> places;
    std::vector<BoardGroup> groups;
    std::vector<std::pair<Health, Handle>> worst;
    std::vector<int> groupOf;
    groupOf.reserve(rows.all->size());
    for (const Handle handle : *rows.all) {
        const Health health = states.rank(handle).health;
        const QByteArray key = keyOf(states.kept(handle), grouping, owner);
        auto place = places.constFind(key);
        if (place == places.cend()) {
            place = places.insert(key, int(groups.size()));
            const Known& its = known(key);
            BoardGroup group;
            group.header = its.header;
            group.digest = its.digest;
            group.title = titleOf(key, grouping);
            group.isOfNone = key.isEmpty();
            group.isVerbatim = !key.isEmpty() && grouping != BoardGrouping::Layout;
            group.collapsed = rows.query.collapsed.contains(its.digest);
            groups.push_back(std::move(group));
            worst.emplace_back(health, handle);
        }
        const auto index = size_t(*place);
        groupOf.push_back(*place);
        ++groups[index].count;
        if (health > worst[index].first)
            worst[index] = {health, handle};
    }
    forgetOthers(places);
    for (size_t i = 0; i < groups.size(); ++i) {
        groups[i].worst = worst[i].first;
        groups[i].worstState = stateIdOf(*states.state(worst[i].second));
        groups[i].worstWord = stateWord(groups[i].worstState);
    }
    // Groups are ordered like the rows: the worst first, unless a sort column was chosen.
    std::vector<int> order(groups.size());
    std::iota(order.begin(), order.end(), 0);
    const bool worstFirst = rows.query.column < 0;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const BoardGroup& first = groups[size_t(a)];
        const BoardGroup& second = groups[size_t(b)];
        if (worstFirst && first.worst != second.worst)
            return first.worst > second.worst;
        if (first.isOfNone != second.isOfNone)
            return second.isOfNone;
        return first.title < second.title;
    });
    // Each group's rows keep their order.
    auto shown = std::make_shared<std::vector<Handle>>();
    auto ordered = std::make_shared<std::vector<BoardGroup>>();
    std::vector<qint64> next(groups.size(), -1);
    ordered->reserve(groups.size());
    qint64 row = 0;
    for (const int index : order) {
        BoardGroup& group = groups[size_t(index)];
        group.row = int(row++);
        if (!group.collapsed) {
            next[size_t(index)] = row;
            row += group.count;
        }
    }
    shown->resize(size_t(row));
    for (const BoardGroup& group : groups)
        (*shown)[size_t(group.row)] = group.header;
    for (size_t i = 0; i < groupOf.size(); ++i) {
        qint64& at = next[size_t(groupOf[i])];
        if (at >= 0)
            (*shown)[size_t(at++)] = (*rows.all)[i];
    }
    for (const int index : order)
        ordered->push_back(std::move(groups[size_t(index)]));
    rows.rows = std::move(shown);
    rows.groups = std::move(ordered);
}

} // namespace lk
