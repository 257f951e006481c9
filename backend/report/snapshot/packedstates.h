// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/handle.h"
#include "backend/report/snapshot/statesequence.h"

#include <QByteArray>

#include <memory>
#include <optional>

namespace lk {

/// The states of a snapshot while they come in, and in order once they are all there. As long as
/// they are few they are kept as they are, which spares a tenth of a snapshot's time; a million
/// weigh some sixty bytes each, besides what is known of the primitives; see packState() for what
/// of them is not kept. Used by one thread.
class PackedStates final : public StateSequence
{
public:
    static constexpr size_t never = ~size_t(0);
    /// As soon as more states than that have come in, all are packed.
    static constexpr size_t usualFrom = 128 * 1024;

    explicit PackedStates(size_t packFrom = usualFrom)
        : m_packFrom(packFrom)
    {}

    // While they come in. A state that was kept before is replaced.
    void reserve(size_t primitives) { m_places.reserve(primitives); }
    void keep(Handle handle, State state);
    /// Null: none was kept.
    StatePtr find(Handle handle, const PrimitivePtr& primitive) const;

    // Which of them are the snapshot's: each is listed once, then they are put in order, and none
    // is found by its handle any more. By kind alone where few of them are asked for: isBefore()
    // tells the rest.
    enum class Order : quint8 { Whole, ByKind };
    void list(Handle handle, const PrimitivePtr& primitive);
    void sort(Order order = Order::Whole);

    size_t size() const override { return m_listed.size(); }
    const Primitive& primitive(size_t at) const override { return *m_listed[at].primitive; }
    StateRank rank(size_t at) const override;
    StatePtr state(size_t at) const override;
    Range rangeOf(Kind kind) const override { return m_ranges[size_t(kind)]; }
    bool isBefore(size_t one, size_t other) const override;
    /// Of those listed the ones that say why they could not be read, in order.
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
        quint32 generation = 0; ///< of the handle: the place may be another primitive's by now
        Place place;
    };
    struct Listed
    {
        quint64 bytes = 0; ///< of the name, after what all of its kind begin with
        PrimitivePtr primitive;
        Place place;
    };

    static bool isFirst(const Listed& a, const Listed& b);
    std::optional<Place> pack(const State& state);
    void packAll();
    QByteArrayView bytesAt(Place place) const;
    StatePtr stateAt(Place place, const PrimitivePtr& primitive) const;

    const size_t m_packFrom;
    bool m_packs = m_packFrom == 0; ///< more than that have come in
    std::vector<Kept> m_places;     ///< by the handle's index
    std::vector<std::unique_ptr<char[]>> m_chunks;
    quint32 m_used = 0; ///< bytes of the last chunk
    std::vector<StatePtr> m_unpacked;
    std::vector<Listed> m_listed;
    std::array<Range, allKinds.size()> m_ranges; ///< of m_listed once it is in order
    Order m_order = Order::Whole;                ///< of m_listed
};

} // namespace lk
