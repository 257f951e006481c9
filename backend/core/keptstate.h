// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/statepacking.h"

namespace lk {

/// A stored state among a million: a pointer to a whole or packed state. See packState() for the
/// fields that packing drops. Copies share the state, in any thread. Immutable.
class KeptState
{
public:
    /// With more primitives than this, states without attention are stored packed.
    static constexpr qsizetype usualFrom = 128 * 1024;

    KeptState() = default; ///< none
    /// Stores the state unpacked. Empty if whole is null.
    KeptState(const StatePtr& whole);
    /// Stores the state packed if possible, else unpacked.
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

    // These require a state.
    const PrimitivePtr& primitive() const;
    Kind kind() const { return primitive()->kind; }
    StateRank rank() const;
    qint64 asOfMs() const;

    /// Unpacks a packed state at each call. Null if there is none.
    StatePtr state() const;

private:
    struct Block;
    struct WholeBlock;

    explicit KeptState(Block* block)
        : m_block(block)
    {}
    QByteArrayView bytes() const;
    const StatePtr& whole() const;

    Block* m_block = nullptr; ///< shared; reference-counted
};

} // namespace lk
