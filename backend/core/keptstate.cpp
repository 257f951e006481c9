// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/keptstate.h"

#include <atomic>
#include <cstring>
#include <new>

namespace lk {

// The bytes of a packed state follow the block in the same allocation.
struct KeptState::Block
{
    std::atomic<quint32> uses = 1;
    quint32 size = 0; ///< number of bytes; 0: this is a WholeBlock
    PrimitivePtr primitive;
};

struct KeptState::WholeBlock : Block
{
    StatePtr state;
};

KeptState::KeptState(const StatePtr& whole)
{
    if (!whole)
        return;
    auto* block = new WholeBlock;
    block->primitive = whole->primitive;
    block->state = whole;
    m_block = block;
}

KeptState KeptState::packed(const StatePtr& state)
{
    // Payload facts exist only in the last state, so it is kept unpacked.
    if (!state || !state->payloads.isUsual())
        return state;
    const QByteArray bytes = packState(*state);
    if (bytes.isEmpty())
        return state;
    auto* block = new (::operator new(sizeof(Block) + size_t(bytes.size()))) Block;
    block->size = quint32(bytes.size());
    block->primitive = state->primitive;
    std::memcpy(static_cast<void*>(block + 1), bytes.constData(), size_t(bytes.size()));
    return KeptState(block);
}

KeptState::KeptState(const KeptState& other)
    : m_block(other.m_block)
{
    if (m_block)
        m_block->uses.fetch_add(1, std::memory_order_relaxed);
}

KeptState::~KeptState()
{
    if (!m_block || m_block->uses.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    if (m_block->size == 0) {
        delete static_cast<WholeBlock*>(m_block);
    } else {
        m_block->~Block();
        ::operator delete(m_block);
    }
}

bool KeptState::isPacked() const
{
    return m_block && m_block->size > 0;
}

QByteArrayView KeptState::bytes() const
{
    return {reinterpret_cast<const char*>(m_block + 1), qsizetype(m_block->size)};
}

const StatePtr& KeptState::whole() const
{
    return static_cast<const WholeBlock*>(m_block)->state;
}

const PrimitivePtr& KeptState::primitive() const
{
    return m_block->primitive;
}

StateRank KeptState::rank() const
{
    return isPacked() ? rankOf(bytes()) : StateRank{whole()->health, whole()->urgency};
}

qint64 KeptState::asOfMs() const
{
    return isPacked() ? asOfMsOf(bytes()) : whole()->asOfMs;
}

StatePtr KeptState::state() const
{
    if (!m_block)
        return nullptr;
    return isPacked() ? unpackState(bytes(), m_block->primitive) : whole();
}

} // namespace lk
