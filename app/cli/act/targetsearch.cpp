// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/act/targetsearch.h"

#include "backend/core/names/glob.h"
#include "backend/core/redactedname.h"
#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/api/layoutindex.h"

#include <algorithm>

namespace lk {

namespace {

bool isOfKind(const Primitive& primitive, const QByteArray& action)
{
    const std::optional<Kind> kind = kindOfAction(action);
    return !kind || *kind == primitive.kind;
}

bool isMeant(const Primitive& primitive, const QByteArray& name, bool byKey)
{
    const auto is = [&](const QByteArray& real) {
        return real == name || redactedKey(nameKind(primitive), real) == name;
    };
    if (!byKey)
        return is(primitive.id.name) || is(primitive.name());
    return std::any_of(primitive.keys.begin(), primitive.keys.end(),
                       [&](const KeyRole& k) { return is(k.key); });
}

// The name itself and those that a layout would look for beside it.
std::vector<QByteArray> namesAround(const QByteArray& name)
{
    std::vector<QByteArray> names{name};
    for (const KeyType type :
         {KeyType::String, KeyType::List, KeyType::Set, KeyType::ZSet, KeyType::Hash}) {
        Probe probe; // of which no more is known than this
        probe.name = name;
        probe.type = type;
        for (const QByteArray& sibling : layoutIndex().siblingsOf(probe)) {
            if (std::find(names.begin(), names.end(), sibling) == names.end())
                names.push_back(sibling);
        }
    }
    return names;
}

} // namespace

TargetSearch::TargetSearch(const ServerUrl& url, const Config& config, const Clock& clock,
                           QByteArray action, QByteArray name, std::optional<ScanPace> pace,
                           QObject* parent)
    : QObject(parent)
    , m_url(url)
    , m_config(config)
    , m_clock(clock)
    , m_action(std::move(action))
    , m_name(std::move(name))
    , m_pace(pace)
{}

TargetSearch::~TargetSearch() = default;

void TargetSearch::start()
{
    SnapshotScope scope;
    if (const MaskedName masked = readMasked(m_name); masked.masked) {
        scope.match = quotedForGlob(masked.beginning) + '*';
        return take(std::move(scope), &TargetSearch::onScanned);
    }
    scope.names = namesAround(m_name);
    take(std::move(scope), &TargetSearch::onNamed);
}

void TargetSearch::take(SnapshotScope scope, Step step)
{
    if (m_taker)
        m_taker.release()->deleteLater(); // it may be the one that is calling
    scope.pace = m_pace;
    m_taker = std::make_unique<SnapshotTaker>(m_url, m_config, m_clock, std::move(scope));
    connect(m_taker.get(), &SnapshotTaker::failed, this, [this](const Error& error) {
        m_progress.end();
        emit failed(error);
    });
    connect(m_taker.get(), &SnapshotTaker::finished, this,
            [this, step](const std::shared_ptr<const Snapshot>& snapshot) {
                m_progress.end();
                (this->*step)(*snapshot);
            });
    m_taker->start();
}

std::optional<PrimitivePtr> TargetSearch::meantIn(const Snapshot& snapshot)
{
    for (const bool byKey : {false, true}) {
        std::vector<PrimitivePtr> all;
        for (const StatePtr& state : snapshot.states) {
            if (isOfKind(*state->primitive, m_action) && isMeant(*state->primitive, m_name, byKey))
                all.push_back(state->primitive);
        }
        if (all.size() > 1) {
            emit failed(
                {ErrorCode::NotFound,
                 tr("%1 is ambiguous; give a key name").arg(shownKey(all.front()->kind, m_name))});
            return std::nullopt;
        }
        if (all.size() == 1)
            return all.front();
    }
    return PrimitivePtr();
}

// A possible primitive has no state. A token's name is its key, so the user can mean no other one.
// A queue or lock of that name may be in other keys of a library.
bool TargetSearch::isPossibleToken(const Snapshot& snapshot) const
{
    const auto& named = snapshot.possible->named;
    return kindOfAction(m_action) == Kind::Token &&
           std::any_of(named.begin(), named.end(), [this](const PossiblePrimitive& p) {
               return p.kind == Kind::Token && p.key == m_name;
           });
}

void TargetSearch::onNamed(const Snapshot& snapshot)
{
    const std::optional<PrimitivePtr> meant = meantIn(snapshot);
    if (!meant)
        return;
    const PrimitivePtr& primitive = *meant;
    if (!primitive && isPossibleToken(snapshot))
        return emit nothing();
    if (!primitive)
        return scan(m_name, {});
    const Layout* layout = findLayout(primitive->id.layout);
    const auto further = layout ? layout->furtherKeys(primitive->id.name) : nullptr;
    if (!further)
        return emit found(primitive);
    // Workers' lists, consumers: the server filters by the common part of their names.
    const bool named =
        std::all_of(primitive->keys.begin(), primitive->keys.end(),
                    [&](const KeyRole& k) { return k.key.contains(primitive->id.name); });
    scan(named ? primitive->id.name : m_name, [further, primitive](const QByteArray& key) {
        return further(key) || std::any_of(primitive->keys.begin(), primitive->keys.end(),
                                           [&key](const KeyRole& k) { return k.key == key; });
    });
}

// A name is part of its keys' names: the server filters, and few come back.
void TargetSearch::scan(const QByteArray& name, std::function<bool(const QByteArray&)> wanted)
{
    SnapshotScope scope;
    scope.match = '*' + quotedForGlob(name) + '*';
    scope.wanted = std::move(wanted);
    take(std::move(scope), &TargetSearch::onScanned);
    connect(m_taker.get(), &SnapshotTaker::progressed, this,
            [this](qint64 scanned, qint64 expected) { m_progress.show(scanned, expected); });
}

void TargetSearch::onScanned(const Snapshot& snapshot)
{
    const std::optional<PrimitivePtr> meant = meantIn(snapshot);
    if (meant && *meant)
        emit found(*meant);
    else if (meant)
        emit nothing();
}

} // namespace lk
