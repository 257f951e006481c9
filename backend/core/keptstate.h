// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/statepacking.h"

namespace lk {

/// A state as it is kept among a million: in a pointer's room, whole or packed (see packState()
/// for what of it is not kept then). Copies share it, in any thread. Immutable.
class KeptState
{
public:
    /// With more primitives than that, those that have no attention are kept packed.
    static constexpr qsizetype usualFrom = 128 * 1024;

    KeptState() = default; ///< none
    /// As it is. Null: none.
    KeptState(const StatePtr& whole);
    /// Packed, if it can be; else as it is.
    static KeptState packed(const StatePtr& state);

    KeptState(const KeptState& other);
    KeptState(KeptState&& other) noexcept
        : m_block(std::exchange(other.m_block, nullptr))
    {}
    KeptState& operator=(KeptState other) noexcept
    {
        std::swap(m_block, other.m_block);
        return *this;
    }
    ~KeptState();

    explicit operator bool() const { return m_block; }
    bool isPacked() const;

    // Only where there is one.
    const PrimitivePtr& primitive() const;
    Kind kind() const { return primitive()->kind; }
    StateRank rank() const;
    qint64 asOfMs() const;

    /// A packed one is made anew at each call. Null where there is none.
    StatePtr state() const;

private:
    struct Block;
    struct WholeBlock;

    explicit KeptState(Block* block)
        : m_block(block)
    {}
    QByteArrayView bytes() const;
    const StatePtr& whole() const;

    Block* m_block = nullptr; ///< shared: it counts its uses
};

} // namespace lk
