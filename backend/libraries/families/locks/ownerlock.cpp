// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/locks/ownerlock.h"

#include "backend/libraries/detect/valueshape.h"
#include "backend/libraries/families/locks/locknames.h"
#include "backend/libraries/families/locks/lockreading.h"

namespace lk {

namespace {

std::string_view viewOf(const QByteArray& text)
{
    return {text.constData(), size_t(text.size())};
}

} // namespace

std::vector<QByteArray> OwnerLock::nameParts(KeyType) const
{
    if (m_rule.nameless != 0)
        return {};
    std::vector<QByteArray> parts = m_rule.places;
    if (m_rule.isPlaced)
        parts.push_back(QByteArrayLiteral("_cache"));
    return parts;
}

std::optional<Claim> OwnerLock::classify(const Probe& probe) const
{
    if (probe.type != KeyType::String || probe.headTruncated() ||
        (m_rule.needsTtl && !probe.ttlMs) || !mayBe(m_rule.form, probe.head))
        return std::nullopt;
    bool named = m_rule.places.empty() && (m_rule.nameless == 0 || isLockName(probe.name));
    for (const QByteArray& place : m_rule.places)
        named |= segmentAt(probe.name, viewOf(place)) >= 0;
    named |= m_rule.isPlaced && m_rule.isPlaced(probe.name);
    double confidence = named ? m_rule.named : m_rule.nameless;
    // Without a TTL, a lock is hard to tell from any other value.
    if (!probe.ttlMs && m_rule.places.empty() && !isLockName(probe.name))
        confidence = std::min(confidence, 0.8);
    // Checked last: reading the owner from the value costs most.
    if (confidence == 0 || ownerInfoOf(probe.head, probe.nowMs).form != m_rule.form)
        return std::nullopt;
    return Claim{{id(), probe.name}, {{mainRole(), probe.name}}, confidence};
}

std::vector<Command> OwnerLock::reads(const Primitive& primitive, const ReadContext&) const
{
    return ownerLockReads(primitive.key("lock"));
}

DecodeResult OwnerLock::read(const Primitive& primitive, std::span<const Reply> replies,
                             const ReadContext& context) const
{
    DecodeResult reading;
    reading.state = ownerLockState(primitive.key("lock"), replies, context);
    return reading;
}

std::vector<Command> ownerLockReads(const QByteArray& key)
{
    return commandsOf(probecommands::head(key), probecommands::ttl(key));
}

State ownerLockState(const QByteArray& key, std::span<const Reply> replies,
                     const ReadContext& context, bool outlivesWork)
{
    State state;
    LockState lock;
    const Ttl ttl = ttlOf(replies[1]);
    if (ttl.exists) {
        const QByteArray& value = replies[0].text;
        lock.phase = ttl.ms ? LockState::Phase::Held : LockState::Phase::NoTtl;
        lock.holds = 1;
        lock.leaseMs = ttl.ms;
        // A value that fills the head may be cut and then cannot be compared.
        takeOwner(lock, value, value.size() < Probe::headLimit);
        if (const QByteArray owner = ownerInObject(value); !owner.isEmpty())
            lock.ownerLabel = owner;
        lock.partOf = lockPartOf(key, value);
        if (lock.ownerKnown) {
            const OwnerInfo info = ownerInfoOf(value, context.nowMs);
            lock.ownerLabel = ownerLabel(info);
            if (context.depth == Depth::Detail)
                addOwnerFacts(state, info);
        }
    }
    finalizeLock(state, std::move(lock), ttl, context.nowMs);
    if (outlivesWork && state.present)
        state.facts.push_back(
            {LayoutText::tr("Work"),
             LayoutText::tr("may have finished: the lock is kept for its minimum time"),
             Source::Inferred});
    return state;
}

} // namespace lk
