// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/report/snapshot/statesequence.h"

#include <QByteArray>

#include <memory>
#include <optional>

namespace lk {

/// The states of a snapshot while they arrive, and in order once they are complete. A few states
/// are kept unpacked, which saves a tenth of a snapshot's time. A million states take some sixty
/// bytes each, besides their primitives; see packState() for what is not kept. Used by one thread.
class PackedStates final : public StateSequence
{
public:
    static constexpr size_t never = ~size_t(0);
    /// The number of states above which all are packed.
    static constexpr size_t usualFrom = 128 * 1024;

    explicit PackedStates(size_t packFrom = usualFrom)
        : m_packFrom(packFrom)
    {}

    // Used while states arrive. keep() replaces an earlier state of the same primitive.
    void reserve(size_t primitives) { m_places.reserve(primitives); }
    void keep(Handle handle, State state);
    /// Null if none was kept.
    StatePtr find(Handle handle, const PrimitivePtr& primitive) const;

    // Used at the end: list() adds each state of the snapshot once, then sort() orders them. After
    // that find() finds none. ByKind orders only by kind, for callers that need few states;
    // isBefore() then compares two of a kind.
    enum class Order : quint8 { Whole, ByKind };
    void list(Handle handle, const PrimitivePtr& primitive);
    void sort(Order order = Order::Whole);

    size_t size() const override { return m_listed.size(); }
    const Primitive& primitive(size_t at) const override { return *m_listed[at].primitive; }
    StateRank rank(size_t at) const override;
    StatePtr state(size_t at) const override;
    Range rangeOf(Kind kind) const override { return m_ranges[size_t(kind)]; }
    bool isBefore(size_t one, size_t other) const override;
    /// Returns the listed states that could not be read and contain the reason, in order.
    std::vector<StatePtr> problems() const;

private:
    // Where a state is: in a chunk of packed bytes, or among those that are not packed.
    struct Place
    {
        static constexpr quint32 none = ~0U;
        static constexpr quint32 unpacked = none - 1;
        quint32 chunk = none;
        quint32 at = 0;
    };
    struct Kept
    {
        quint32 generation = 0; ///< the handle's; if it differs, the place is another primitive's
        Place place;
    };
    struct Listed
    {
        quint64 bytes = 0; ///< of the name, behind the prefix that all of its kind share
        PrimitivePtr primitive;
        Place place;
    };

    static bool isFirst(const Listed& a, const Listed& b);
    std::optional<Place> pack(const State& state);
    void packAll();
    QByteArrayView bytesAt(Place place) const;
    StatePtr stateAt(Place place, const PrimitivePtr& primitive) const;

    const size_t m_packFrom;
    bool m_packs = m_packFrom == 0; ///< more than m_packFrom states have arrived
    std::vector<Kept> m_places;     ///< by the handle's index
    std::vector<std::unique_ptr<char[]>> m_chunks;
    quint32 m_used = 0; ///< bytes of the last chunk
    std::vector<StatePtr> m_unpacked;
    std::vector<Listed> m_listed;
    std::array<Range, allKinds.size()> m_ranges; ///< in m_listed, after sort()
    Order m_order = Order::Whole;                ///< m_listed's order
};

} // namespace lk
