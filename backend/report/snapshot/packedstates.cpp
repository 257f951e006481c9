// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/report/snapshot/packedstates.h"

#include "backend/core/names/nameorder.h"
#include "backend/core/statepacking.h"

#include <algorithm>
#include <cstring>

namespace lk {

namespace {

constexpr quint32 chunkBytes = 1 << 20;
constexpr qsizetype mostPacked = 0xffff; // what its length is kept in; a larger one is not packed

// A limiter that was read with hundreds of marks weighs kilobytes, and packed as little as others.
bool isHeavy(const State& state)
{
    constexpr size_t most = 16;
    const auto* limiter = state.as<LimiterState>();
    return limiter && limiter->accepted.size() > most;
}

} // namespace

void PackedStates::keep(Handle handle, State state)
{
    if (handle.index >= m_places.size())
        m_places.resize(size_t(handle.index) + 1);
    Kept& kept = m_places[handle.index];
    const bool known = kept.generation == handle.generation;
    kept.generation = handle.generation;
    const bool packs = m_packs || (m_packFrom != never && isHeavy(state));
    if (const auto place = packs ? pack(state) : std::nullopt) {
        if (known && kept.place.chunk == Place::unpacked)
            m_unpacked[kept.place.at].reset();
        kept.place = *place; // what was packed before stays behind: few are read twice
        return;
    }
    auto whole = std::make_shared<const State>(std::move(state));
    if (known && kept.place.chunk == Place::unpacked) {
        m_unpacked[kept.place.at] = std::move(whole);
        return;
    }
    kept.place = {Place::unpacked, quint32(m_unpacked.size())};
    m_unpacked.push_back(std::move(whole));
    if (!m_packs && m_unpacked.size() > m_packFrom)
        packAll();
}

void PackedStates::packAll()
{
    m_packs = true;
    std::vector<StatePtr> unpacked;
    for (Kept& kept : m_places) {
        if (kept.place.chunk != Place::unpacked)
            continue;
        StatePtr state = std::move(m_unpacked[kept.place.at]);
        if (const auto place = pack(*state)) {
            kept.place = *place;
        } else {
            kept.place.at = quint32(unpacked.size());
            unpacked.push_back(std::move(state));
        }
    }
    m_unpacked = std::move(unpacked);
}

// Nothing: it has what is not packed.
std::optional<PackedStates::Place> PackedStates::pack(const State& state)
{
    const QByteArray packed = packState(state);
    if (packed.isEmpty() || packed.size() > mostPacked)
        return std::nullopt;
    const auto size = quint16(packed.size());
    const auto bytes = quint32(sizeof size) + size;
    if (m_chunks.empty() || m_used + bytes > chunkBytes) {
        m_chunks.emplace_back(new char[chunkBytes]); // not cleared: untouched pages cost nothing
        m_used = 0;
    }
    char* to = m_chunks.back().get() + m_used;
    std::memcpy(to, &size, sizeof size);
    std::memcpy(to + sizeof size, packed.constData(), size);
    const Place place{quint32(m_chunks.size() - 1), m_used};
    m_used += bytes;
    return place;
}

QByteArrayView PackedStates::bytesAt(Place place) const
{
    const char* at = m_chunks[place.chunk].get() + place.at;
    quint16 size = 0;
    std::memcpy(&size, at, sizeof size);
    return {at + sizeof size, qsizetype(size)};
}

StatePtr PackedStates::stateAt(Place place, const PrimitivePtr& primitive) const
{
    return place.chunk == Place::unpacked ? m_unpacked[place.at]
                                          : unpackState(bytesAt(place), primitive);
}

StatePtr PackedStates::find(Handle handle, const PrimitivePtr& primitive) const
{
    if (handle.index >= m_places.size())
        return nullptr;
    const Kept& kept = m_places[handle.index];
    return kept.generation == handle.generation && kept.place.chunk != Place::none
               ? stateAt(kept.place, primitive)
               : nullptr;
}

void PackedStates::list(Handle handle, const PrimitivePtr& primitive)
{
    if (m_listed.empty())
        m_listed.reserve(m_places.size()); // once: growing would need half as much again
    m_listed.push_back({0, primitive, m_places[handle.index].place});
}

// Orders two of one kind by name, then by layout.
bool PackedStates::isFirst(const Listed& a, const Listed& b)
{
    if (a.bytes != b.bytes)
        return a.bytes < b.bytes;
    const int byName = a.primitive->name().compare(b.primitive->name());
    return byName != 0 ? byName < 0 : a.primitive->id.layout.text() < b.primitive->id.layout.text();
}

bool PackedStates::isBefore(size_t one, size_t other) const
{
    return m_order == Order::Whole ? one < other : isFirst(m_listed[one], m_listed[other]);
}

void PackedStates::sort(Order order)
{
    m_places = {}; // what is not listed is of no use any more
    m_order = order;
    auto begin = m_listed.begin();
    for (const Kind kind : allKinds) {
        const auto end = std::partition(begin, m_listed.end(), [kind](const Listed& one) {
            return one.primitive->kind == kind;
        });
        m_ranges[size_t(kind)] = {size_t(begin - m_listed.begin()), size_t(end - m_listed.begin())};
        if (begin == end)
            continue;
        QByteArray common = begin->primitive->name();
        for (auto it = begin; it != end; ++it)
            shortenToCommon(common, it->primitive->name());
        for (auto it = begin; it != end; ++it)
            it->bytes = bytesAfter(it->primitive->name(), common.size());
        if (order == Order::Whole)
            std::sort(begin, end, isFirst);
        begin = end;
    }
}

StateRank PackedStates::rank(size_t at) const
{
    const Place place = m_listed[at].place;
    if (place.chunk != Place::unpacked)
        return rankOf(bytesAt(place));
    const State& state = *m_unpacked[place.at];
    return {state.health, state.urgency};
}

StatePtr PackedStates::state(size_t at) const
{
    return stateAt(m_listed[at].place, m_listed[at].primitive);
}

std::vector<StatePtr> PackedStates::problems() const
{
    std::vector<size_t> places;
    for (size_t at = 0; at < m_listed.size(); ++at) {
        const Place place = m_listed[at].place;
        if (place.chunk == Place::unpacked && m_unpacked[place.at]->problem)
            places.push_back(at);
    }
    std::sort(places.begin(), places.end(), [this](size_t a, size_t b) {
        const Kind ofA = m_listed[a].primitive->kind;
        const Kind ofB = m_listed[b].primitive->kind;
        return ofA != ofB ? ofA < ofB : isBefore(a, b);
    });
    std::vector<StatePtr> found;
    for (const size_t at : places)
        found.push_back(m_unpacked[m_listed[at].place.at]);
    return found;
}

} // namespace lk
